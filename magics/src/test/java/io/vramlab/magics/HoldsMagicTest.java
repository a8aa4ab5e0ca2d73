package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.spi.UsageException;
import io.vramlab.nn.Linear;
import io.vramlab.nn.ReLU;
import io.vramlab.nn.Sequential;
import io.vramlab.optim.Adam;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HoldsMagicTest extends OnAFreshGpu {

    private static final class Net {
        private final Tensor weight;

        Net(Tensor weight) {
            this.weight = weight;
        }
    }

    private final Tensor tensor = Tensor.zeros(1024);

    @AfterEach
    void close() {
        tensor.close();
    }

    private List<String> paths(String name) throws Exception {
        return run("holds", name).stringColumn("path").asList();
    }

    @Test
    void anAliasAListAMapALambdaAndAFieldAreNamed() throws Exception {
        Tensor captured = tensor;
        Supplier<Tensor> lambda = () -> captured;
        session.put("a", "Tensor", tensor).put("b", "Tensor", tensor)
                .put("list", "List", new ArrayList<>(List.of(tensor)))
                .put("map", "Map", Map.of("best", tensor)).put("f", "Supplier", lambda)
                .put("net", "Net", new Net(tensor));
        assertEquals(List.of("a", "b", "list[0]", "map[\"best\"]", "f.captured[0]", "net.weight"), paths("a"));
    }

    @Test
    void ofSeveralTensorsTheLargestComesFirst() throws Exception {
        try (Tensor large = Tensor.zeros(4096)) {
            session.put("all", "List", new ArrayList<>(List.of(tensor, large)));
            assertEquals(List.of("all[1]", "all[0]"), paths("all"));
        }
    }

    @Test
    void aViewHoldsTheSameMemory() throws Exception {
        try (Tensor view = tensor.view(32, 32)) {
            session.put("a", "Tensor", tensor).put("v", "Tensor", view);
            assertEquals(List.of("a", "v"), paths("a"));
        }
    }

    @Test
    void aReplacedVariablesOldClassAndAnOldResultAreNamed() throws Exception {
        session.put("$7", "Tensor", tensor).replaced("w", 3, tensor);
        assertEquals(List.of("$7", "w of In [3]"), paths("$7"));
        assertEquals(List.of("old result", "replaced variable"), run("holds", "$7").stringColumn("root").asList());
    }

    @Test
    void aBatchInALoadersQueueIsNamed() throws Exception {
        session.put("queue", "Queue", new ArrayBlockingQueue<>(4, false, List.of(List.of(tensor))));
        assertEquals(List.of("queue[0][0]"), paths("queue[0][0]"));
    }

    @Test
    void aSavedTensorOfAGraphIsNamed() throws Exception {
        Tensor x = Tensor.ones(1000).requiresGrad_(true);
        Tensor hidden = x.mul(2);
        Tensor loss = hidden.relu().sum();
        hidden.close();
        session.put("loss", "Tensor", loss).put("x", "Tensor", x);
        assertEquals(List.of("loss.gradFn saved by relu"), paths("\"loss.gradFn saved by relu\""));
        x.close();
        loss.close();
    }

    @Test
    void parametersAndOptimizerStatesAreNamedByTheirPath() throws Exception {
        Sequential net = new Sequential(new Linear(8, 4), new ReLU(), new Linear(4, 2));
        Adam adam = new Adam(net.parameters(), 0.1);
        try (Tensor x = Tensor.ones(3, 8); Scope scope = Scope.open()) {
            net.forward(x).sum().backward();
        }
        adam.step();
        session.put("net", "Sequential", net).put("opt", "Adam", adam);
        List<String> names = run("track", "").stringColumn("variable").asList();
        assertTrue(names.containsAll(List.of("net.0.weight", "net.2.bias", "net.0.weight.grad", "opt.state[0].exp_avg",
                "opt.state[3].exp_avg_sq")), names.toString());
        assertEquals(List.of("opt.params[0]", "net.0.weight"), paths("net.0.weight"));
        net.close();
        adam.close();
    }

    @Test
    void aNameThatIsNotThereIsToldWithTheNearest() {
        session.put("weights", "Tensor", tensor).put("n", "int", 3);
        assertEquals("%holds: weigts was asked for. Nothing alive has that name. See %track for the names. "
                + "Did you mean weights?",
                assertThrows(UsageException.class, () -> paths("weigts")).getMessage());
        assertEquals("%holds: n was asked for. It is a variable, but it holds no device memory now. "
                + "See %track for what does.", assertThrows(UsageException.class, () -> paths("n")).getMessage());
    }

    @Test
    void deletingAVariableTellsWhatWasFreed() throws Exception {
        session.put("big", "Tensor", Tensor.zeros(1024, 1024)).put("n", "int", 1);
        assertEquals("%del: bigg was to be forgotten. There is no variable of that name; nothing was changed. "
                + "Did you mean big?", assertThrows(UsageException.class, () -> run("del", "n bigg")).getMessage());
        assertTrue(session.variable("n").isPresent());
        assertEquals(4 * MIB, run("del", "big").longColumn("freed bytes").getLong(0));
    }

    @Test
    void collectingTellsWhatWent() throws Exception {
        Tensor.zeros(512, 1024);
        assertEquals(2 * MIB, run("gc", "").longColumn("freed bytes").getLong(0));
    }
}

package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.LiveNotebook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A model written in a cell and trained in another, in a real kernel, without an import. */
class TrainingInTheKernelTest {

    private static LiveNotebook notebook;

    @BeforeAll
    static void start() throws Exception {
        notebook = new LiveNotebook();
        notebook.ok("%device 1GiB");
        notebook.ok("""
                class Net extends Module {
                    private final Linear fc = new Linear(64, 32);
                    Linear out = new Linear(32, 10);
                    public Tensor forward(Tensor x) {
                        return out.call(fc.call(x).relu());
                    }
                }
                var net = new Net();
                var optimizer = new AdamW(net.parameters(), 1e-3);
                long step() {
                    try (var scope = Scope.open()) {
                        var loss = Functional.crossEntropy(net.call(Tensor.randn(16, 64)), Tensor.randint(0, 10, 16));
                        loss.backward();
                        optimizer.step();
                        optimizer.zeroGrad();
                    }
                    return Cuda.memoryAllocated();
                }
                """);
    }

    @AfterAll
    static void stop() throws Exception {
        notebook.close();
    }

    @Test
    void parametersAreFoundThroughTheFieldsOfACellsClass() {
        assertEquals("[fc.weight, fc.bias, out.weight, out.bias]",
                notebook.ok("net.namedParameters().keySet()").last());
    }

    @Test
    void everyStepEndsWithParametersAndMomentsAlone() {
        // 64 * 32 and 32 * 10 weights, 32 and 10 biases, in blocks of 512 bytes: 8192 + 512 + 1536 + 512; moments twice
        assertEquals(Integer.toString(3 * (8192 + 512 + 1536 + 512)), notebook.ok("step()").last());
        assertEquals(notebook.ok("step()").last(), notebook.ok("step()").last());
    }

    @Test
    void aWrongShapeIsOneClearLine() {
        String error = notebook.run("net.call(Tensor.randn(2, 63))").error();
        assertTrue(error.contains("the last size of the input must be the weight's second size"), error);
    }
}

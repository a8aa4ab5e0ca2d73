package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Modules, their parameters and a loop of training, woven. */
class WovenModulesTest extends WovenCase {

    @Test
    void aCheckpointedSequenceLetsGoOfWhatItsPartsReturn() throws Exception {
        // x and y, and the input of the second part, which its backward pass needs
        marks("", """
                List<UnaryOperator<Tensor>> parts = List.of(t -> t.add(1), t -> t.exp(), t -> t.add(3), t -> t.add(4));
                var x = one();
                x.requiresGrad_(true);
                var y = io.vramlab.autograd.Checkpoint.sequential(parts, 2, x);
                mark();
                y = null;
                mark();""", 2, 1);
        assertEquals(0, left());
    }

    @Test
    void whatAParameterOrABufferIsMultipliedToGoesAsWell() throws Exception {
        // the two themselves are their modules'
        marks("static class Scale extends io.vramlab.nn.Module {"
                + " final Parameter weight = new Parameter(one()); final Buffer shift = new Buffer(one());"
                + " public Tensor forward(Tensor x) { return weight.mul(x.mul(2)).add(shift.neg()); } }",
                "try (var off = new io.vramlab.autograd.NoGrad()) { var s = new Scale(); var x = one(); x = s.call(x);"
                        + " mark(); x = null; mark(); }",
                3, 2);
    }

    @Test
    void theNormThatClippingReturnsGoes() throws Exception {
        marks("", "var p = one().requiresGrad_(true); p.sum().backward(); mark();"
                + " GradientClipping.clipGradNorm(List.of(p), 1.0); mark();", 2, 2);
    }

    @Test
    void aLoopOfTrainingHoldsOneStep() throws Exception {
        marks("""
                static class Net extends io.vramlab.nn.Module {
                    Linear a = new Linear(8, 16), b = new Linear(16, 8);
                    Tensor seen;
                    public Tensor forward(Tensor x) {
                        x = a.call(x).relu();
                        seen = x.detach();
                        return b.call(x);
                    }
                }
                """, """
                var net = new Net();
                var x = Tensor.randn(4, 8);
                long first = 0;
                for (int i = 0; i < 5; i++) {
                    var y = net.call(x);
                    var loss = y.mul(y).mean();
                    loss.backward();
                    net.zeroGrad();
                    mark();
                }
                """, marksOfTraining());
    }

    private static long[] marksOfTraining() {
        // 4 parameters, x, y, loss, seen: the same after every step
        long[] all = new long[5];
        Arrays.fill(all, 8);
        return all;
    }

    @Test
    void whatAModuleReturnsAsItWasGivenLivesOn() throws Exception {
        marks("static class Same extends io.vramlab.nn.Module { public Tensor forward(Tensor x) { return x; } }", """
                var same = new Same();
                var y = same.call(one().add(1));
                mark();
                y = same.call(y).add(1);
                mark();
                y = null;
                mark();""", 1, 1, 0);
    }

    @Test
    void whatAModuleKeepsOutsideOfCountingLivesOnInASequential() throws Exception {
        // a LinkedList is not counted: what the module puts there escapes, and the Sequential must not close it
        marks("""
                static class Keeps extends io.vramlab.nn.Module {
                    final LinkedList<Tensor> kept = new LinkedList<>();
                    public Tensor forward(Tensor x) { kept.add(x); return x.add(1); }
                }
                """, """
                var keeps = new Keeps();
                var net = new Sequential(new ReLU(), keeps, new ReLU());
                var y = net.call(one());
                mark();
                y = keeps.kept.get(0).add(1);
                mark();""", 2, 2);
    }

    @Test
    void aTensorThatBecameAParameterCanStillBeUsed() throws Exception {
        marks("", """
                var t = one();
                var p = new Parameter(t);
                var y = t.add(1);
                mark();
                t = null;
                y = p.add(1);
                mark();""", 2, 2);
    }

    @Test
    void theGradientsThatAHookStoresLiveOn() throws Exception {
        // x, its gradient and what the hook kept of y's; y and the sum are gone
        marks("", """
                var x = one().requiresGrad_(true);
                var kept = new ArrayList<Tensor>();
                var y = x.mul(2);
                y.registerHook(g -> { kept.add(g); return null; });
                y.sum().backward();
                y = null;
                mark();
                var twice = kept.get(0).mul(2);
                mark();
                kept.clear();
                twice = null;
                mark();""", 3, 4, 2);
    }
}

package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lambda holds what it has captured. */
class WovenLambdasTest extends WovenCase {

    @Test
    void aReferenceToAnInheritedMethodOfACapturedObjectIsCounted() throws Exception {
        marks("static class Net extends io.vramlab.nn.Module { final Sequential middle = new Sequential(new ReLU());"
                + " public Tensor forward(Tensor x) { return io.vramlab.autograd.Checkpoint.checkpoint(middle::call, x); } }",
                "var x = one().requiresGrad_(true); var y = new Net().call(x); mark(); y = null; mark();", 2, 1);
    }

    @Test
    void whatALambdaCapturedLivesAsLongAsTheLambda() throws Exception {
        marks("static Function<Tensor, Tensor> adding(Tensor x) { return y -> y.add(x).mul(2); }", """
                var f = adding(one());
                mark();
                var z = f.apply(one());
                mark();
                z = f.apply(z);
                mark();
                var g = f;
                f = null;
                mark();
                g = null;
                mark();
                Supplier<Tensor> made = () -> one();
                var w = made.get();
                w = made.get();
                mark();
                """, 1, 2, 2, 2, 1, 2);
        assertEquals(0, left());
    }

    @Test
    void aLambdaThatTheJdkRunsAtOnceIsLetGoWithWhatItHasCaptured() throws Exception {
        marks("""
                static List<Tensor> sums(Tensor y) {
                    var some = new ArrayList<Tensor>();
                    Collections.unmodifiableList(new LinkedList<>(Set.of("a", "b"))).forEach(each -> some.add(y.add(1)));
                    return some;
                }
                """,
                """
                        var x = one();
                        var y = x;
                        var kept = sums(y);
                        kept = sums(y);
                        mark();
                        kept = null;
                        IntStream.range(0, 2).forEach(i -> y.mul(i));
                        mark();
                        var names = new TreeMap<Runnable, String>((a, b) -> 0);
                        names.computeIfAbsent(() -> y.add(1), key -> "kept");
                        names.firstKey().run();
                        mark();""", 3, 1, 1);
    }
}

package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vramlab.autograd.NoGrad;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.AutogradException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hooks of modules; the numbers are what PyTorch 2.11 gives for the same program. */
class HooksTest {

    private static Linear layer() {
        Linear layer = new Linear(2, 1);
        try (NoGrad off = new NoGrad()) {
            layer.weight.copy_(Tensor.of(new float[][]{{2, 3}}));
            layer.bias.fill_(1);
        }
        return layer;
    }

    @Test
    void eachSeesWhatTheOneBeforeGaveAndMayGiveAnother() {
        Linear layer = layer();
        List<Double> seen = new ArrayList<>();
        layer.registerForwardPreHook((m, in) -> {
            seen.add(in.sum().item());
            return in.mul(10);
        });
        layer.registerForwardHook((m, in, out) -> {
            seen.add(in.sum().item());
            seen.add(out.item());
            return out.add(5);
        });
        layer.registerFullBackwardPreHook((m, g) -> {
            seen.add(g.item());
            return g.mul(2);
        });
        layer.registerFullBackwardHook((m, gradIn, gradOut) -> {
            seen.add(gradIn.sum().item());
            seen.add(gradOut.item());
            return gradIn.add(1);
        });
        Tensor x = Tensor.of(new float[][]{{1, 2}}).requiresGrad_(true);
        Tensor y = layer.call(x);
        assertEquals(86, y.item());
        y.sum().backward();
        // 1 + 2; 10 + 20; 2 10 + 3 20 + 1; then backward: 1, doubled; 2 (2 + 3), and what it came from
        assertEquals(List.of(3., 30., 81., 1., 10., 2.), seen);
        assertArrayEquals(new float[]{50, 70}, x.grad().toFloatArray());
        assertArrayEquals(new float[]{20, 40}, layer.weight.grad().toFloatArray());
        assertEquals(2, layer.bias.grad().item());
    }

    @Test
    void aRemovedHookIsNotRun() {
        Linear layer = layer();
        RemovableHandle handle = layer.registerForwardHook((m, in, out) -> out.mul(0));
        RemovableHandle other = layer.registerForwardHook((m, in, out) -> out.add(1));
        handle.remove();
        handle.remove();
        // 2 + 6 + 1, and 1 by the one that is left
        assertEquals(10, layer.call(Tensor.of(new float[][]{{1, 2}})).item());
        other.close();
        assertEquals(9, layer.call(Tensor.of(new float[][]{{1, 2}})).item());
    }

    @Test
    void whatAHookKeepsOutlivesTheModelThatCalledTheLayer() {
        Linear layer = layer();
        List<Tensor> features = new ArrayList<>();
        layer.registerForwardHook((m, in, out) -> {
            features.add(out.detach());
            return null;
        });
        new Sequential(layer, new ReLU(), new Tanh()).call(Tensor.of(new float[][]{{1, 2}}));
        assertEquals(9, features.get(0).item());
    }

    @Test
    void whereNoInputWantsAGradientTheHookSeesThatOfTheOutputAlone() {
        Linear layer = layer();
        List<Tensor> inputs = new ArrayList<>();
        RemovableHandle sees = layer.registerFullBackwardHook((m, gradIn, gradOut) -> {
            assertNull(gradIn);
            inputs.add(gradOut);
            return null;
        });
        layer.call(Tensor.of(new float[][]{{1, 2}})).sum().backward();
        assertEquals(1, inputs.size());
        sees.remove();
        layer.registerFullBackwardHook((m, gradIn, gradOut) -> gradOut);
        Tensor loss = layer.call(Tensor.of(new float[][]{{1, 2}})).sum();
        assertThrows(AutogradException.class, loss::backward);
    }
}

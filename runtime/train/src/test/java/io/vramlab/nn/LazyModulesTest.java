package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Modules that read their sizes off the first input; texts and names are PyTorch's. */
class LazyModulesTest {

    @Test
    void theFirstInputMakesTheParameters() {
        Sequential net = new Sequential(new LazyConv2d(4, 3, new ConvOptions().padding(1)), new LazyBatchNorm2d(),
                new Flatten(), new LazyLinear(5));
        assertEquals(List.of("1.numBatchesTracked"), List.copyOf(net.stateDict().keySet()));
        net.call(Tensor.ones(2, 3, 6, 6));
        assertEquals(List.of("0.weight", "0.bias", "1.weight", "1.bias", "3.weight", "3.bias"),
                List.copyOf(net.namedParameters().keySet()));
        assertArrayEquals(new long[]{4, 3, 3, 3}, net.namedParameters().get("0.weight").shape());
        // 4 channels of 6 by 6
        assertArrayEquals(new long[]{5, 144}, net.namedParameters().get("3.weight").shape());
        assertEquals(3, net.namedBuffers().size());
    }

    @Test
    void itIsShownAsWhatItHasBecome() {
        LazyLinear layer = new LazyLinear(3);
        assertEquals("LazyLinear(in_features=0, out_features=3, bias=True)", layer.toString());
        assertTrue(layer.hasUninitializedParams());
        layer.call(Tensor.ones(2, 7));
        assertEquals("Linear(in_features=7, out_features=3, bias=True)", layer.toString());
        assertFalse(layer.hasUninitializedParams());
        assertEquals("LazyConvTranspose2d(0, 4, kernel_size=(2, 2), stride=(1, 1))",
                new LazyConvTranspose2d(4, 2).toString());
        assertEquals("LazyInstanceNorm1d(0, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)",
                new LazyInstanceNorm1d().toString());
    }

    @Test
    void itFollowsEvaluationAndCountsItsBatches() {
        LazyBatchNorm1d norm = new LazyBatchNorm1d();
        norm.call(Tensor.of(new float[][]{{1, 2}, {3, 6}}));
        norm.eval();
        Tensor means = norm.namedBuffers().get("runningMean");
        // a tenth of the means 2 and 4
        assertArrayEquals(new float[]{.2f, .4f}, means.toFloatArray(), 1e-6f);
        norm.call(Tensor.of(new float[][]{{1, 2}, {3, 6}}));
        assertArrayEquals(new float[]{.2f, .4f}, means.toFloatArray(), 1e-6f);
        assertEquals(1, norm.namedBuffers().get("numBatchesTracked").itemLong());
    }

    @Test
    void anInputOfOtherDimensionsIsRefused() {
        LazyConv1d conv = new LazyConv1d(2, 3);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> conv.call(Tensor.ones(4))).getMessage()
                .contains("Expected 2D (unbatched) or 3D (batched) input to LazyConv1d"));
    }
}

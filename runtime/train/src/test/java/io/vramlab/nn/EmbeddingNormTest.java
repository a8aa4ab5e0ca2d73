package io.vramlab.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import io.vramlab.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows that are made shorter when they are looked up, and bags whose offsets tell the last one's end. */
class EmbeddingNormTest {

    private final Device before = Device.current();

    @BeforeEach
    void onTheHost() {
        Device.set(Device.cpu());
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
    }

    @Test
    void rowsThatAreLookedUpAreNoLongerThanTheBound() {
        Embedding table = new Embedding(3, 2, new EmbeddingOptions().maxNorm(1));
        table.weight.data().copy_(Tensor.of(new float[]{3, 4}, new float[]{.3f, .4f}, new float[]{6, 8}));
        Tensor rows = table.call(Tensor.of(1L, 0L, 0L));
        assertArrayEquals(new double[]{.3, .4, .6, .8, .6, .8}, rows.detach().view(-1).toDoubleArray(), 1e-6);
        assertArrayEquals(new double[]{.6, .8, .3, .4, 6, 8}, table.weight.detach().view(-1).toDoubleArray(), 1e-6);
        rows.sum().backward();
        assertEquals(2, table.weight.grad().get(0, 0));
        assertEquals("Embedding(3, 2, max_norm=1.0)", table.toString());
    }

    @Test
    void theNormCanBeAnother() {
        Embedding table = new Embedding(1, 2, new EmbeddingOptions().maxNorm(1).normType(1));
        table.weight.data().copy_(Tensor.of(new float[][]{{3, 1}}));
        assertArrayEquals(new double[]{.75, .25}, table.call(Tensor.of(0L)).detach().view(-1).toDoubleArray(), 1e-6);
    }

    @Test
    void theLastOffsetEndsTheLastBag() {
        EmbeddingBag bag = new EmbeddingBag(3, 1, new EmbeddingOptions().mode("sum").includeLastOffset(true));
        bag.weight.data().copy_(Tensor.of(new float[][]{{1}, {10}, {100}}));
        Tensor sums = bag.call(Tensor.of(0L, 1L, 2L, 0L), Tensor.of(0L, 1L, 4L));
        assertArrayEquals(new double[]{1, 111}, sums.detach().view(-1).toDoubleArray(), 1e-6);
        sums.sum().backward();
        assertEquals(2, bag.weight.grad().get(0, 0));
    }
}

package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddingBagTest {

    private final Device before = Device.current();
    private final Device device = Device.simulated("64MiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    private long held() {
        return Allocators.of(device).stats().get("requested_bytes.all.current");
    }

    /** In PyTorch 2.11 the graph's node says {@code _saved_weight} None. */
    @ParameterizedTest
    @ValueSource(strings = {"sum", "mean", "max"})
    void theGraphKeepsNoWeightAndTheGradientIsRight(String mode) {
        Tensor leaf = Tensor.of(new float[]{1, 8}, new float[]{3, 2}, new float[]{5, 6}).requiresGrad_(true);
        Tensor weight = leaf.mul(2);
        Tensor index = Tensor.of(0L, 1L, 1L, 2L).view(2, 2);
        Tensor out = Functional.embeddingBag(index, weight, mode);

        long with = held();
        weight.close();
        assertEquals(with - 3 * 2 * 4, held());

        out.sum().backward();
        // each row of the index is a bag: rows 0 and 1, then 1 and 2
        double[] expected = switch (mode) {
            case "sum" -> new double[]{2, 2, 4, 4, 2, 2};
            case "mean" -> new double[]{1, 1, 2, 2, 1, 1};
            // of (1, 8), (3, 2) the greatest are 3 and 8; of (3, 2), (5, 6) those of the last row
            default -> new double[]{0, 2, 2, 0, 2, 2};
        };
        float[] gradient = leaf.grad().flatten().toArray(float[].class);
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], gradient[i], 1e-6);
        }
        assertArrayEquals(new long[]{3, 2}, leaf.grad().shape());
    }
}

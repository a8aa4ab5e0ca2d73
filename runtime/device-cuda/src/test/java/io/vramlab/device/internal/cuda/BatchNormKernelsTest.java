package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the kernels are told. */
class BatchNormKernelsTest {

    @Test
    void aProductDividesEveryNumberBelowTwoToThe31() {
        Random random = new Random(3);
        for (int round = 0; round < 100_000; round++) {
            long divisor = round < 2000 ? round + 1 : 1 + (random.nextInt() >>> 1 + random.nextInt(30));
            int number = random.nextInt() >>> 1 + random.nextInt(30);
            for (int n : new int[]{number, 0, Integer.MAX_VALUE, (int) Math.min(Integer.MAX_VALUE, divisor),
                    (int) divisor - 1}) {
                // as the kernel does it: umulhi, then a sum below 2^32
                long high = (n & 0xffffffffL) * (BatchNormKernels.magic(divisor) & 0xffffffffL) >>> 32;
                assertEquals(n / divisor, high + n >>> BatchNormKernels.shift(divisor), n + " / " + divisor);
            }
        }
    }
}

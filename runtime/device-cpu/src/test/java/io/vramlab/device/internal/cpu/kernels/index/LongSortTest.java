package io.vramlab.device.internal.cpu.kernels.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vramlab.device.InterruptedWorkException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LongSortTest {

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void mergedRunsAreWhatSortingAllAtOnceGives() {
        Random random = new Random(1);
        for (int length : new int[]{0, 1, 2, 7, 8, 9, 16, 17, 63, 64, 65, 1000, 4097}) {
            long[] values = random.longs(length, -50, 50).toArray();
            long[] expected = values.clone();
            Arrays.sort(expected);
            for (int run : new int[]{1, 2, 3, 8, 64, 5000}) {
                long[] sorted = values.clone();
                LongSort.ascending(sorted, run);
                assertArrayEquals(expected, sorted, length + " in runs of " + run);
            }
        }
    }

    @Test
    void anInterruptEndsItBetweenRuns() {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedWorkException.class, () -> LongSort.ascending(new long[100], 10));
    }
}

package example;

import io.vramlab.tensor.Tensor;
import io.vramlab.testing.GpuMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A user's test of a program that is made anew from each seed: it keeps tensors of random sizes, 64 MiB in all, and makes
 * others in between that it lets go as soon as room is needed. Not found by the build; a launcher runs it.
 */
public class SeededStep {

    /** Elements of 4 bytes in 64 MiB; sizes are multiples of 128, whole blocks of 512 bytes. */
    private static final int ALL = 1 << 24;
    private static final int BLOCK = 128;
    /** One per cent of the blocks, rounded up. */
    private static final int GROWTH = (ALL / BLOCK + 99) / 100;

    /** Which program. */
    public static long seed;
    /** Whether one of its tensors grew by 1 % of all. */
    public static boolean grown;

    @Test
    @GpuMemory(peak = "64 MiB", device = "H200")
    void aStepFits() {
        Random random = new Random(seed);
        int count = 2 + random.nextInt(30);
        int grows = random.nextInt(count);
        Deque<Tensor> kept = new ArrayDeque<>();
        Deque<Tensor> temporaries = new ArrayDeque<>();
        int left = ALL / BLOCK;
        int lent = 0;
        for (int i = 0; i < count; i++) {
            int blocks = i == count - 1 ? left : 1 + random.nextInt(Math.max(1, (left - count) / 3));
            if (lent > left - blocks) {
                temporaries.forEach(Tensor::close);
                temporaries.clear();
                lent = 0;
            }
            kept.add(Tensor.zeros((blocks + (grown && i == grows ? GROWTH : 0)) * BLOCK));
            left -= blocks;
            int between = random.nextInt(4) == 0 && left - lent > 1 ? 1 + random.nextInt((left - lent) / 2) : 0;
            if (between > 0) {
                temporaries.add(Tensor.zeros(between * BLOCK));
                lent += between;
            }
        }
        kept.forEach(Tensor::close);
    }
}

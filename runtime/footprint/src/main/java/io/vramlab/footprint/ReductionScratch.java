package io.vramlab.footprint;

import io.vramlab.device.DeviceProperties;
import io.vramlab.device.Operand;
import java.util.Arrays;
import java.util.List;

/**
 * How much transient memory a reduction takes besides its result. PyTorch spreads a large reduction over several thread
 * blocks, which meet in a staging buffer guarded by semaphores; both come from the caching allocator and are given back
 * at once, so they show in peaks only. The rule is that of PyTorch 2.11's reduction kernel (Reduce.cuh, setReduceConfig),
 * stated step by step below and in docs/footprint.md, "The rule"; it depends on the processor figures of the device.
 *
 * @param staging
 *            bytes of the staging buffer; 0 when one block does the whole reduction
 * @param semaphores
 *            bytes of the semaphores
 */
public record ReductionScratch(long staging, long semaphores) {

    /** One thread block does it all. */
    public static final ReductionScratch NONE = new ReductionScratch(0, 0);
    private static final int MAX_THREADS = 512;
    private static final int INPUT_VECTOR = 4;
    private static final int OUTPUT_VECTOR = 4;

    /**
     * What a reduction takes.
     *
     * @param in
     *            what is reduced
     * @param reduced
     *            per dimension, whether it goes
     * @param accumulator
     *            bytes of one partial result: {@link Accumulator}
     * @param device
     *            whose processor figures decide
     */
    public static ReductionScratch of(Operand in, boolean[] reduced, int accumulator, DeviceProperties device) {
        Layout layout = Layout.of(in, reduced);
        if (layout.outputs() == 0 || layout.inputs() == 0) {
            return NONE;
        }
        long outputs = layout.outputs();
        boolean fast = layout.fast();

        // how wide and high a block is: threads along the contiguous dimension first
        long dim0 = fast ? layout.inputs() : outputs;
        long dim1 = fast ? outputs : layout.inputs();
        int vector = 1;
        if (layout.fastStride() == 1) {
            if (fast && dim0 > 128 && layout.shape().length == 1) {
                dim0 /= INPUT_VECTOR;
            } else if (!fast) {
                vector = layout.outputVector(OUTPUT_VECTOR);
                dim0 /= vector;
            }
        }
        long threads = MAX_THREADS / vector;
        long a = Math.min(powerBelow(dim0), threads);
        long b = Math.min(powerBelow(dim1), threads);
        long width = Math.min(a, device.warpSize());
        long height = Math.min(b, threads / width);
        width = Math.min(a, threads / height);

        // which part of the input each step covers, and whether the rows of a block share an output
        long stepInput = fast ? width : 1;
        long stepOutput = fast ? 1 : width;
        long perThread = ceil(layout.inputs(), stepInput);
        boolean split = perThread >= height * 16 || perThread >= 256;
        if (split) {
            stepInput *= height;
        } else {
            stepOutput *= height;
        }
        perThread = ceil(layout.inputs(), stepInput);

        // how many blocks share an output
        long grid = ceil(outputs / vector, stepOutput);
        long target = device.multiProcessorCount() * (device.maxThreadsPerMultiProcessor() / (width * height));
        if (!split || perThread < 256 || grid > target) {
            return NONE;
        }
        long blocks = Math.max(Math.min(ceil(target, grid), ceil(perThread, 16)), ceil(perThread, 256));
        if (blocks <= 1) {
            return NONE;
        }
        long staging = accumulator * outputs * blocks * (fast ? 1 : width * vector);
        return new ReductionScratch(staging, 4 * grid);
    }

    /** The staging buffer, then the semaphores. */
    public Footprint footprint() {
        return staging == 0
                ? Footprint.NOTHING
                : new Footprint(List.of(new Footprint.Taken(staging), new Footprint.Taken(semaphores)));
    }

    private static long ceil(long a, long b) {
        return (a + b - 1) / b;
    }

    private static long powerBelow(long n) {
        return Long.highestOneBit(Math.max(n, 1));
    }

    /**
     * The iteration space as PyTorch's TensorIterator sees it: reduced dimensions first, each group from the smallest
     * stride up, neighbours merged where they lie one after another. Output strides are counted as those of a contiguous
     * result.
     */
    private record Layout(long[] shape, long[] strides, int reducedDims, long outputs, long inputs) {

        static Layout of(Operand in, boolean[] reduced) {
            int rank = in.shape().length;
            long[] outStrides = new long[rank];
            long step = 1;
            for (int d = rank - 1; d >= 0; d--) {
                outStrides[d] = reduced[d] ? 0 : step;
                step *= reduced[d] ? 1 : in.shape()[d];
            }
            int[] order = order(in, reduced);
            long[] shape = new long[rank];
            long[] strides = new long[rank];
            long[] outs = new long[rank];
            boolean[] goes = new boolean[rank];
            int n = 0;
            long outputs = 1;
            long inputs = 1;
            for (int d : order) {
                long size = in.shape()[d];
                outputs *= reduced[d] ? 1 : size;
                inputs *= reduced[d] ? size : 1;
                if (size == 1) {
                    continue;
                }
                boolean merges = n > 0 && goes[n - 1] == reduced[d] && shape[n - 1] * strides[n - 1] == in.strides()[d]
                        && shape[n - 1] * outs[n - 1] == outStrides[d];
                if (merges) {
                    shape[n - 1] *= size;
                } else {
                    shape[n] = size;
                    strides[n] = in.strides()[d];
                    outs[n] = outStrides[d];
                    goes[n] = reduced[d];
                    n++;
                }
            }
            int reducedDims = 0;
            for (int d = 0; d < n; d++) {
                reducedDims += goes[d] ? 1 : 0;
            }
            return new Layout(Arrays.copyOf(shape, n), Arrays.copyOf(strides, n), reducedDims,
                    outputs, inputs);
        }

        private static int[] order(Operand in, boolean[] reduced) {
            int rank = in.shape().length;
            int[] order = new int[rank];
            for (int i = 0; i < rank; i++) {
                order[i] = rank - 1 - i;
            }
            // insertion sort, as PyTorch's: dimensions that cannot be compared stay where they are
            for (int i = 1; i < rank; i++) {
                int at = i;
                for (int j = i - 1; j >= 0; j--) {
                    int c = compare(in, reduced, order[j], order[at]);
                    if (c > 0) {
                        int swap = order[j];
                        order[j] = order[at];
                        order[at] = swap;
                        at = j;
                    } else if (c < 0) {
                        break;
                    }
                }
            }
            return order;
        }

        private static int compare(Operand in, boolean[] reduced, int a, int b) {
            if (reduced[a] != reduced[b]) {
                return reduced[a] ? -1 : 1;
            }
            long x = in.strides()[a];
            long y = in.strides()[b];
            if (x == 0 || y == 0) {
                return 0;
            }
            return x != y ? Long.compare(x, y) : Long.compare(in.shape()[a], in.shape()[b]);
        }

        /** Whether the fastest dimension is a reduced one. */
        boolean fast() {
            return reducedDims == shape.length || reducedDims > 0 && strides[0] < strides[reducedDims];
        }

        long fastStride() {
            if (shape.length == 0) {
                return 1;
            }
            return fast() ? strides[0] : strides[reducedDims];
        }

        /** How many neighbouring outputs one thread takes: what divides the length and every other stride. */
        int outputVector(int most) {
            int vector = most;
            while (vector > 1 && shape[reducedDims] % vector != 0) {
                vector /= 2;
            }
            for (int d = 0; d < shape.length; d++) {
                while (d != reducedDims && vector > 1 && strides[d] % vector != 0) {
                    vector /= 2;
                }
            }
            return vector;
        }
    }
}

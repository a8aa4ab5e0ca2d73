package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;
import java.util.Arrays;
import java.util.stream.LongStream;

/** Shapes put together and taken apart. */
final class Shapes {

    private Shapes() {
    }

    static long[] join(long[]... parts) {
        return Arrays.stream(parts).flatMapToLong(LongStream::of).toArray();
    }

    static long[] front(long[] shape, int without) {
        return Arrays.copyOf(shape, shape.length - without);
    }

    static long[] back(long[] shape, int many) {
        return Arrays.copyOfRange(shape, shape.length - many, shape.length);
    }

    /** The last dimensions as one. */
    static Tensor joinLast(Tensor t, int dims) {
        return t.reshape(join(front(t.shape(), dims), new long[]{-1}));
    }

    /** Sums over that many of the last dimensions; of none it is the same. */
    static Term sumLast(Term t, int dims) {
        return dims == 0 ? t : t.map(x -> joinLast(x, dims)).sum();
    }
}

package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Largest of windows at random places of [n, c, d, h, w]: {@code new FractionalMaxPool3d(2, new long[]{5, 5, 5})}. */
public final class FractionalMaxPool3d extends Module {

    private final long[] kernel;
    private final long[] size;
    private final double[] ratio;

    /** Windows of that size, as many as the result has cells in each dimension. */
    public FractionalMaxPool3d(long kernel, long... outputSize) {
        this.kernel = new long[]{kernel};
        this.size = outputSize.clone();
        this.ratio = null;
    }

    /** Windows of that size, so many that each dimension shrinks by a ratio between 0 and 1. */
    public FractionalMaxPool3d(long kernel, double outputRatio) {
        if (!(outputRatio > 0 && outputRatio < 1)) {
            throw new IllegalArgumentException(
                    "output_ratio must be between 0 and 1, but " + outputRatio + " was given.");
        }
        this.kernel = new long[]{kernel};
        this.size = null;
        this.ratio = new double[]{outputRatio};
    }

    private long[] cells(Tensor input) {
        if (size != null) {
            return size;
        }
        long[] cells = new long[3];
        for (int d = 0; d < 3; d++) {
            cells[d] = (long) (input.size(d - 3) * ratio[0]);
        }
        return cells;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.fractionalMaxPool3d(input, kernel, cells(input));
    }

    /** As {@link #call}, and the positions, int64: PyTorch's return_indices. */
    public Tensor[] callWithIndices(Tensor input) {
        return Functional.fractionalMaxPoolWithIndices(input, kernel, cells(input));
    }
}

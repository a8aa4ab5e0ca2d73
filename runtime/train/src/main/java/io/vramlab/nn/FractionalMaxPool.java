package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** What the two fractional pools share (Graham, 2014): how many windows there are, or by what ratio the sizes shrink. */
abstract class FractionalMaxPool extends Module {

    private final int dims;
    private final long[] kernel;
    private final long[] size;
    private final double ratio;

    FractionalMaxPool(int dims, long kernel, long... outputSize) {
        this.dims = dims;
        this.kernel = new long[]{kernel};
        this.size = outputSize.clone();
        this.ratio = 1;
    }

    FractionalMaxPool(int dims, long kernel, double outputRatio) {
        if (!(outputRatio > 0 && outputRatio < 1)) {
            throw new IllegalArgumentException(
                    "output_ratio must be between 0 and 1, but " + outputRatio + " was given.");
        }
        this.dims = dims;
        this.kernel = new long[]{kernel};
        this.size = null;
        this.ratio = outputRatio;
    }

    private long[] cells(Tensor input) {
        if (size != null) {
            return size;
        }
        long[] cells = new long[dims];
        for (int d = 0; d < dims; d++) {
            cells[d] = (long) (input.size(d - dims) * ratio);
        }
        return cells;
    }

    @Override
    public final Tensor forward(Tensor input) {
        return dims == 2
                ? Functional.fractionalMaxPool2d(input, kernel, cells(input))
                : Functional.fractionalMaxPool3d(input, kernel, cells(input));
    }

    /**
     * The largest and their positions, int64: PyTorch's {@code return_indices}.
     *
     * @param input
     *            [n, c, …], or without the batch
     * @return the outputs and, of their shape, positions within a channel, row by row
     * @throws io.vramlab.tensor.type.TensorException
     *             if the input has other dimensions, or is too small for so many windows
     */
    public final Tensor[] callWithIndices(Tensor input) {
        return Functional.fractionalMaxPoolWithIndices(input, kernel, cells(input));
    }
}

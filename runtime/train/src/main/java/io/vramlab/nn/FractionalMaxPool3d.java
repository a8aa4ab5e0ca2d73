package io.vramlab.nn;

/**
 * Largest of windows at random places of [n, c, d, h, w]: {@code new FractionalMaxPool3d(2, new long[]{5, 5, 5})}.
 * Backward holds the input and int64 positions.
 */
public class FractionalMaxPool3d extends FractionalMaxPool {

    /**
     * Windows of that size, as many as the result has cells in each dimension.
     *
     * @param kernel
     *            size of a window in each dimension
     * @param outputSize
     *            3 sizes of the result
     */
    public FractionalMaxPool3d(long kernel, long... outputSize) {
        super(3, kernel, outputSize);
    }

    /**
     * Windows of that size, so many that each dimension shrinks by a ratio between 0 and 1.
     *
     * @param kernel
     *            size of a window in each dimension
     * @param outputRatio
     *            size of the result over that of the input, between 0 and 1
     * @throws IllegalArgumentException
     *             if the ratio is not between 0 and 1
     */
    public FractionalMaxPool3d(long kernel, double outputRatio) {
        super(3, kernel, outputRatio);
    }
}

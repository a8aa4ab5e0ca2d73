package io.vramlab.nn;

/**
 * Largest of windows at random places of [n, c, h, w]: {@code new FractionalMaxPool2d(2, new long[]{5, 5})}. Backward
 * holds the input and int64 positions.
 */
public class FractionalMaxPool2d extends FractionalMaxPool {

    /**
     * Windows of that size, as many as the result has cells in each dimension.
     *
     * @param kernel
     *            size of a window in each dimension
     * @param outputSize
     *            2 sizes of the result
     */
    public FractionalMaxPool2d(long kernel, long... outputSize) {
        super(2, kernel, outputSize);
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
    public FractionalMaxPool2d(long kernel, double outputRatio) {
        super(2, kernel, outputRatio);
    }
}

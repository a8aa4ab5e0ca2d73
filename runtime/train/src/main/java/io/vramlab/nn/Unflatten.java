package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import java.util.Arrays;

/** One dimension as several. A view: backward holds nothing. */
public class Unflatten extends Module {

    private final int dim;
    private final long[] sizes;

    /**
     * That dimension in those sizes, of which one may be -1.
     *
     * @param dim
     *            which, from 0 or backwards from -1
     * @param sizes
     *            their product is the dimension's size
     */
    public Unflatten(int dim, long... sizes) {
        this.dim = dim;
        this.sizes = sizes.clone();
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.unflatten(dim, sizes);
    }

    @Override
    protected String extraRepr() {
        String text = Arrays.toString(sizes);
        return "dim=" + dim + ", unflattened_size=(" + text.substring(1, text.length() - 1) + ")";
    }
}

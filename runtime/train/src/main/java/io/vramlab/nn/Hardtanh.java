package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** x limited to an interval. Backward holds the input. Any shape, which stays. */
public class Hardtanh extends Module {

    private final double minVal;
    private final double maxVal;
    private final boolean inplace;

    /** With PyTorch's defaults. */
    public Hardtanh() {
        this(-1, 1);
    }

    /**
     * With those settings.
     *
     * @param minVal
     *            lower end
     * @param maxVal
     *            upper end
     */
    public Hardtanh(double minVal, double maxVal) {
        this(minVal, maxVal, false);
    }

    /**
     * With those settings; in place, it writes over its input.
     *
     * @param minVal
     *            lower end; -1 by default
     * @param maxVal
     *            upper end; 1 by default
     * @param inplace
     *            false by default; then backward holds a copy of the input
     */
    public Hardtanh(double minVal, double maxVal, boolean inplace) {
        this.inplace = inplace;
        this.minVal = minVal;
        this.maxVal = maxVal;
    }

    @Override
    public Tensor forward(Tensor input) {
        return inplace ? Functional.hardtanh_(input, minVal, maxVal) : Functional.hardtanh(input, minVal, maxVal);
    }

    @Override
    protected String extraRepr() {
        return "min_val=" + Numbers.text(minVal) + ", max_val=" + Numbers.text(maxVal)
                + (inplace ? ", inplace=True" : "");
    }
}

package io.vramlab.optim;

import java.util.List;

/**
 * Adam (Kingma and Ba, 2014). Weight decay, if any, is an L2 penalty added to the gradient, which costs one more temporary
 * the size of the gradients.
 *
 * <p>
 * State of each parameter, made at its first step: {@code exp_avg} and {@code exp_avg_sq} of its size, 8 bytes per
 * float32 element, and with amsgrad {@code max_exp_avg_sq}, 4 more. The count of steps is a number on the host, in
 * the fused form a float32 scalar on the device.
 *
 * <p>
 * A foreach step takes a temporary of all parameters' size, with weight decay or maximize one of the gradients'
 * before; a for-loop step up to three of one parameter's, with these one more; a fused step none: docs/footprint.md,
 * "Optimizers and gradient scaling".
 */
public final class Adam extends AdamBase {

    /**
     * With PyTorch's defaults: betas 0.9 and 0.999, eps 1e-8, weight decay 0.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            learning rate, 0 or more; 0.001 by default
     * @throws IllegalArgumentException
     *             if there are no parameters, one is no leaf or named twice, or lr is negative
     */
    public Adam(List<?> params, double lr) {
        super(params, lr, 0, false);
    }

    /**
     * With PyTorch's default learning rate of 0.001.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public Adam(List<?> params) {
        this(params, 1e-3);
    }

    /**
     * How slowly the two moments forget.
     *
     * @param beta1
     *            of the gradients, in [0, 1); 0.9 by default
     * @param beta2
     *            of their squares, in [0, 1); 0.999 by default
     * @return this
     * @throws IllegalArgumentException
     *             if one is not in [0, 1)
     */
    public Adam betas(double beta1, double beta2) {
        setBetas(beta1, beta2);
        return this;
    }

    /**
     * Added to the denominator.
     *
     * @param value
     *            0 or more; 1e-8 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Adam eps(double value) {
        set("eps", Settings.notNegative("eps", value));
        return this;
    }

    /**
     * Weight decay.
     *
     * @param value
     *            factor of the parameter that is added to its gradient, 0 or more; 0 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Adam weightDecay(double value) {
        set("weight_decay", Settings.notNegative("weight_decay", value));
        return this;
    }

    /**
     * Keeps the largest second moment (Reddi et al., 2018), one more state tensor per parameter.
     *
     * @param on
     *            false by default; to be chosen before the first step, which makes the state
     * @return this
     */
    public Adam amsgrad(boolean on) {
        set("amsgrad", on ? 1 : 0);
        return this;
    }

    /**
     * Climbs instead of descending.
     *
     * @param on
     *            false by default; true costs a temporary of the gradients' size, unless fused
     * @return this
     */
    public Adam maximize(boolean on) {
        set("maximize", on ? 1 : 0);
        return this;
    }

    /**
     * Foreach or for-loop.
     *
     * @param on
     *            by default it is true where all parameters with a gradient are floating tensors on GPUs
     * @return this
     */
    public Adam foreach(boolean on) {
        setForm(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    /**
     * The fused form.
     *
     * @param on
     *            true for one launch over all parameters, without temporaries; false for foreach or for-loop, by the
     *            device. To be chosen before the first step, which makes the state
     * @return this
     */
    public Adam fused(boolean on) {
        setForm(on ? Form.FUSED : Form.AUTOMATIC);
        return this;
    }
}

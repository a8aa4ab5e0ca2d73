package io.vramlab.optim;

import java.util.List;

/**
 * Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019): the decay
 * shrinks the parameters in place and costs no memory.
 *
 * <p>
 * State of each parameter, made at its first step: {@code exp_avg} and {@code exp_avg_sq} of its size, 8 bytes per
 * float32 element, and with amsgrad {@code max_exp_avg_sq}, 4 more. The count of steps is a number on the host, in
 * the fused form a float32 scalar on the device.
 *
 * <p>
 * A foreach step takes a temporary of all parameters' size, with maximize one of the gradients' before; a for-loop
 * step up to three of one parameter's, with it one more; a fused step none: docs/footprint.md, "Optimizers and
 * gradient scaling".
 */
public final class AdamW extends AdamBase {

    /**
     * With PyTorch's defaults: betas 0.9 and 0.999, eps 1e-8, weight decay 0.01.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            learning rate, 0 or more; 0.001 by default
     * @throws IllegalArgumentException
     *             if there are no parameters, one is no leaf or named twice, or lr is negative
     */
    public AdamW(List<?> params, double lr) {
        super(params, lr, 0.01, true);
    }

    /**
     * With PyTorch's default learning rate of 0.001.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public AdamW(List<?> params) {
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
    public AdamW betas(double beta1, double beta2) {
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
    public AdamW eps(double value) {
        set("eps", Settings.notNegative("eps", value));
        return this;
    }

    /**
     * Weight decay.
     *
     * @param value
     *            factor by which a step shrinks the parameters, times the rate; 0 or more, 0.01 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public AdamW weightDecay(double value) {
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
    public AdamW amsgrad(boolean on) {
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
    public AdamW maximize(boolean on) {
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
    public AdamW foreach(boolean on) {
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
    public AdamW fused(boolean on) {
        setForm(on ? Form.FUSED : Form.AUTOMATIC);
        return this;
    }
}

package io.vramlab.optim;

import io.vramlab.tensor.Tensor;
import java.util.List;

/**
 * Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019): the decay
 * shrinks the parameters in place and costs no memory.
 */
public final class AdamW extends AdamBase {

    /** With PyTorch's defaults: betas 0.9 and 0.999, eps 1e-8, weight decay 0.01. */
    public AdamW(List<? extends Tensor> params, double lr) {
        super(params, lr, 0.01, true);
    }

    /** With PyTorch's default learning rate of 0.001. */
    public AdamW(List<? extends Tensor> params) {
        this(params, 1e-3);
    }

    /** How slowly the two moments forget; returns this. */
    public AdamW betas(double beta1, double beta2) {
        setBetas(beta1, beta2);
        return this;
    }

    /** Added to the denominator; returns this. */
    public AdamW eps(double value) {
        set("eps", Settings.notNegative("eps", value));
        return this;
    }

    /** Weight decay; returns this. */
    public AdamW weightDecay(double value) {
        set("weight_decay", Settings.notNegative("weight_decay", value));
        return this;
    }

    /** Keeps the largest second moment (Reddi et al., 2018), one more state tensor per parameter; returns this. */
    public AdamW amsgrad(boolean on) {
        set("amsgrad", on ? 1 : 0);
        return this;
    }

    /** Climbs instead of descending; returns this. */
    public AdamW maximize(boolean on) {
        set("maximize", on ? 1 : 0);
        return this;
    }

    /** Foreach or for-loop; returns this. */
    public AdamW foreach(boolean on) {
        setForm(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    /** The fused form; returns this. */
    public AdamW fused(boolean on) {
        setForm(on ? Form.FUSED : Form.AUTOMATIC);
        return this;
    }
}

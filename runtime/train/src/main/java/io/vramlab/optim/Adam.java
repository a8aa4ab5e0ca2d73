package io.vramlab.optim;

import io.vramlab.tensor.Tensor;
import java.util.List;

/**
 * Adam (Kingma and Ba, 2014). Weight decay, if any, is an L2 penalty added to the gradient, which costs one more temporary
 * the size of the gradients.
 */
public final class Adam extends AdamBase {

    /** With PyTorch's defaults: betas 0.9 and 0.999, eps 1e-8, weight decay 0. */
    public Adam(List<? extends Tensor> params, double lr) {
        super(params, lr, 0, false);
    }

    /** With PyTorch's default learning rate of 0.001. */
    public Adam(List<? extends Tensor> params) {
        this(params, 1e-3);
    }

    /** How slowly the two moments forget; returns this. */
    public Adam betas(double beta1, double beta2) {
        setBetas(beta1, beta2);
        return this;
    }

    /** Added to the denominator; returns this. */
    public Adam eps(double value) {
        set("eps", Settings.notNegative("eps", value));
        return this;
    }

    /** Weight decay; returns this. */
    public Adam weightDecay(double value) {
        set("weight_decay", Settings.notNegative("weight_decay", value));
        return this;
    }

    /** Keeps the largest second moment (Reddi et al., 2018), one more state tensor per parameter; returns this. */
    public Adam amsgrad(boolean on) {
        set("amsgrad", on ? 1 : 0);
        return this;
    }

    /** Climbs instead of descending; returns this. */
    public Adam maximize(boolean on) {
        set("maximize", on ? 1 : 0);
        return this;
    }

    /** Foreach or for-loop; returns this. */
    public Adam foreach(boolean on) {
        setForm(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    /** The fused form; returns this. */
    public Adam fused(boolean on) {
        setForm(on ? Form.FUSED : Form.AUTOMATIC);
        return this;
    }
}

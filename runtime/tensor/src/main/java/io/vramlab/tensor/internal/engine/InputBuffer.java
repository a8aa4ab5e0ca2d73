package io.vramlab.tensor.internal.engine;

import io.vramlab.tensor.internal.core.TensorImpl;

/** The incoming gradients of one node, summed as they arrive: in place where nobody else could notice. */
public final class InputBuffer {

    private final TensorImpl[] gradients;

    InputBuffer(int size) {
        gradients = new TensorImpl[size];
    }

    /** Takes over the hold on {@code gradient}. */
    void add(int position, TensorImpl gradient) {
        TensorImpl old = gradients[position];
        gradients[position] = old == null ? gradient : GradientSum.of(old, gradient);
    }

    TensorImpl[] gradients() {
        return gradients;
    }

    void release() {
        for (int i = 0; i < gradients.length; i++) {
            if (gradients[i] != null) {
                gradients[i].release();
                gradients[i] = null;
            }
        }
    }
}

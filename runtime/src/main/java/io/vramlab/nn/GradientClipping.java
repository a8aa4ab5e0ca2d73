package io.vramlab.nn;

import io.vramlab.tensor.Foreach;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.GradMode;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorImpl;
import java.util.ArrayList;
import java.util.List;

/** Limits on gradients before a step. */
public final class GradientClipping {

    private static final double EPS = 1e-6;

    private GradientClipping() {
    }

    /**
     * Scales all gradients down together if their Euclidean norm exceeds {@code maxNorm}, PyTorch's
     * {@code clip_grad_norm_}: on the device, without waiting for it. Costs a scalar per gradient and a few more.
     *
     * @return the norm before, a scalar tensor
     */
    public static Tensor clipGradNorm(List<? extends Tensor> parameters, double maxNorm) {
        try (GradMode.State off = GradMode.enter(false); Scope scope = Scope.open()) {
            List<TensorImpl> gradients = new ArrayList<>();
            List<Tensor> norms = new ArrayList<>();
            for (Tensor p : parameters) {
                Tensor grad = p.grad();
                if (grad != null) {
                    gradients.add(grad.impl());
                    norms.add(grad.norm());
                }
            }
            if (gradients.isEmpty()) {
                return scope.keep(Tensor.zeros());
            }
            Tensor all = Functional.stack(0, norms.toArray(Tensor[]::new));
            Tensor total = all.norm();
            Tensor room = total.add(EPS);
            Tensor factor = room.rdiv(maxNorm);
            Tensor limited = factor.clamp(Double.NEGATIVE_INFINITY, 1);
            Foreach.mul_(gradients, limited.impl());
            return scope.keep(total);
        }
    }

    /** Limits every element of every gradient to [-limit, limit]. */
    public static void clipGradValue(List<? extends Tensor> parameters, double limit) {
        try (GradMode.State off = GradMode.enter(false)) {
            for (Tensor p : parameters) {
                try (Tensor grad = p.grad()) {
                    if (grad != null) {
                        grad.clamp_(-limit, limit);
                    }
                }
            }
        }
    }
}

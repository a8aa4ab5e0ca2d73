package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Limits on gradients before a step. PyTorch's {@code torch.nn.utils}. */
public final class GradientClipping {

    private static final double EPS = 1e-6;

    private GradientClipping() {
    }

    /**
     * Scales all gradients down together if their Euclidean norm exceeds {@code maxNorm}, PyTorch's
     * {@code clip_grad_norm_}: on the device, without waiting for it. Costs a scalar per gradient and two more for a moment.
     *
     * @param parameters
     *            those without a gradient are passed over
     * @param maxNorm
     *            of all gradients as one vector
     * @return the norm before, a scalar tensor
     */
    public static Tensor clipGradNorm(List<? extends Tensor> parameters, double maxNorm) {
        try (GradMode.State off = GradMode.enter(false); Scope scope = Scope.inner()) {
            Map<DType, List<TensorImpl>> gradients = new LinkedHashMap<>();
            for (Tensor p : parameters) {
                Tensor grad = p.grad();
                if (grad != null) {
                    gradients.computeIfAbsent(grad.dtype(), d -> new ArrayList<>()).add(grad.impl());
                }
            }
            if (gradients.isEmpty()) {
                return scope.keep(Tensor.zeros());
            }
            Tensor total = norm(gradients.values());
            try (Ref<Tensor> factor = new Ref<>()) {
                try (Tensor room = total.add(EPS)) {
                    // the divisor lives until the quotient exists
                    factor.set(room.reciprocal());
                    factor.set(factor.get().mul(maxNorm));
                }
                factor.set(factor.get().clamp(Double.NEGATIVE_INFINITY, 1));
                gradients.values().forEach(list -> Foreach.mul_(list, factor.get().impl()));
            }
            return scope.keep(total);
        }
    }

    /** The norm of all norms; those live until it exists. */
    private static Tensor norm(Collection<List<TensorImpl>> gradients) {
        List<Tensor> norms = new ArrayList<>();
        try {
            gradients.forEach(list -> Foreach.norms(list).forEach(norm -> norms.add(Tensor.wrap(norm))));
            try (Tensor all = Functional.stack(0, norms.toArray(Tensor[]::new))) {
                return all.norm();
            }
        } finally {
            norms.forEach(Tensor::close);
        }
    }

    /**
     * Limits every element of every gradient to [-limit, limit]. PyTorch's {@code clip_grad_value_}, in place.
     *
     * @param parameters
     *            those without a gradient are passed over
     * @param limit
     *            positive
     */
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

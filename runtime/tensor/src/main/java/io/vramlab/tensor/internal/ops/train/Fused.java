package io.vramlab.tensor.internal.ops.train;

import io.vramlab.device.Operand;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.util.List;

/**
 * Whole optimizer steps and gradient checks in one launch: PyTorch's {@code torch._fused_adamw_},
 * {@code torch._fused_sgd_} and {@code torch._amp_foreach_non_finite_check_and_unscale_}. They allocate nothing.
 */
public final class Fused {

    private Fused() {
    }

    /** Constants of an Adam or AdamW step; see {@link io.vramlab.device.Kernels#fusedAdam}. */
    public record Adam(double lr, double beta1, double beta2, double eps, double weightDecay, boolean decoupled,
            boolean maximize) {
    }

    /** Constants of an SGD step; see {@link io.vramlab.device.Kernels#fusedSgd}. */
    public record Sgd(double lr, double momentum, double dampening, double weightDecay, boolean nesterov,
            boolean maximize, boolean firstStep) {
    }

    /** Tensors of an Adam step, one per parameter each; {@code maxExpAvgSq} null without amsgrad. */
    public record Moments(List<TensorImpl> expAvg, List<TensorImpl> expAvgSq, List<TensorImpl> maxExpAvgSq,
            List<TensorImpl> steps) {
    }

    /** One Adam step over tensors of one device and dtype; scale and found may be null. */
    public static void adam(List<TensorImpl> params, List<TensorImpl> grads, Moments moments, Adam k,
            TensorImpl scale, TensorImpl found) {
        TensorImpl first = params.getFirst();
        first.driver().kernels().fusedAdam(operands(params), operands(grads), operands(moments.expAvg),
                operands(moments.expAvgSq), operands(moments.maxExpAvgSq), operands(moments.steps), k.lr, k.beta1,
                k.beta2, k.eps, k.weightDecay, k.decoupled, k.maximize, operand(scale), operand(found),
                first.stream());
        params.forEach(p -> p.bumpVersion());
    }

    /** One SGD step over tensors of one device and dtype; buffers, scale and found may be null. */
    public static void sgd(List<TensorImpl> params, List<TensorImpl> grads, List<TensorImpl> buffers, Sgd k,
            TensorImpl scale, TensorImpl found) {
        TensorImpl first = params.getFirst();
        first.driver().kernels().fusedSgd(operands(params), operands(grads), operands(buffers), k.lr, k.momentum,
                k.dampening, k.weightDecay, k.nesterov, k.maximize, k.firstStep, operand(scale), operand(found),
                first.stream());
        params.forEach(p -> p.bumpVersion());
    }

    /** Multiplies gradients of one device by a scalar tensor, and sets {@code found} to 1 if one was not finite. */
    public static void unscale(List<TensorImpl> grads, TensorImpl found, TensorImpl inverseScale) {
        TensorImpl first = grads.getFirst();
        first.driver().kernels().unscale(operands(grads), found.operand(), inverseScale.operand(), first.stream());
        grads.forEach(g -> g.bumpVersion());
    }

    private static Operand operand(TensorImpl t) {
        return t == null ? null : t.operand();
    }

    private static Operand[] operands(List<TensorImpl> list) {
        return list == null ? null : list.stream().map(TensorImpl::operand).toArray(Operand[]::new);
    }
}

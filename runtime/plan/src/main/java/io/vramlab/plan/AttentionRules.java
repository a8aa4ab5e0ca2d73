package io.vramlab.plan;

import io.vramlab.footprint.CudnnAttention;
import io.vramlab.footprint.EfficientAttention;
import io.vramlab.footprint.FlashAttention;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The kernels of scaled_dot_product_attention: results by what was recorded, and docs/footprint.md, "Attention". */
final class AttentionRules {

    /** Which of the gradients of efficient attention is the bias's. */
    private static final int BIAS = 3;

    private AttentionRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._scaled_dot_product_cudnn_attention", AttentionRules::cudnn);
        rules.put("aten._scaled_dot_product_cudnn_attention_backward", AttentionRules::cudnnBackward);
        rules.put("aten._scaled_dot_product_efficient_attention", AttentionRules::efficient);
        rules.put("aten._scaled_dot_product_efficient_attention_backward", AttentionRules::efficientBackward);
        rules.put("aten._scaled_dot_product_flash_attention", AttentionRules::flash);
        rules.put("aten._scaled_dot_product_flash_attention_backward", AttentionRules::flashBackward);
        rules.put("aten._flash_attention_forward", AttentionRules::packed);
        rules.put("aten._flash_attention_backward", AttentionRules::packedBackward);
        rules.put("torch_attn._varlen_attn", AttentionRules::ofLengths);
        rules.put("torch_attn._varlen_attn_backward", AttentionRules::packedBackward);
    }

    /** Seed and offset first; the sums of the rows only where backward needs them. */
    private static void cudnn(Operation o, RuleSteps s) {
        if (!o.flag(4, "compute_log_sumexp", true)) {
            s.without(1);
        }
        s.resultAt(2);
        s.resultAt(3);
        s.results();
        s.passing(CudnnAttention.forward(o.form(0).shape(), o.form(1).shape(), o.form(2).shape()));
    }

    private static void cudnnBackward(Operation o, RuleSteps s) {
        s.results();
        TensorForm g = o.form(0);
        boolean lies = g.strides()[3] == 1;
        List<Long> copy = lies ? List.of() : List.of(s.take(g.bytes()));
        s.passing(CudnnAttention.backward(o.form(1).shape(), o.form(2).shape(), o.form(3).shape(),
                o.form(1).element()));
        s.give(copy);
    }

    private static void flash(Operation o, RuleSteps s) {
        s.resultAt(0);
        s.resultAt(1);
        boolean drops = drops(o, 3);
        List<Long> parts = new ArrayList<>();
        for (long bytes : FlashAttention.parts(s.device(), o.form(0).shape(), o.form(1).shape(), drops)) {
            parts.add(s.take(bytes));
        }
        s.results();
        if (drops) {
            // the random state is drawn into another one
            s.passing(FlashAttention.RANDOM_STATE);
        }
        parts.forEach(s::give);
    }

    private static void flashBackward(Operation o, RuleSteps s) {
        List<Long> copies = new ArrayList<>();
        for (int i : new int[]{0, 4}) {
            if (!liesByPosition(o.form(i))) {
                copies.add(s.take(o.form(i).bytes()));
            }
        }
        s.results();
        s.passing(FlashAttention.backward(o.form(1).shape(), o.form(2).shape(), o.form(1).element()));
        s.give(copies);
    }

    /** Sequences of different lengths one after the other: keys are not shared out among blocks (mha_varlen_fwd). */
    private static void packed(Operation o, RuleSteps s) {
        s.results();
        if (drops(o, 7)) {
            s.passing(FlashAttention.RANDOM_STATE);
        }
    }

    /** torch.nn.attention.varlen: a random state that nobody uses comes instead of the kernel's own. */
    private static void ofLengths(Operation o, RuleSteps s) {
        s.resultAt(0);
        s.resultAt(1);
        long state = s.take(FlashAttention.RANDOM_STATE);
        s.passing(FlashAttention.UNUSED);
        s.results();
        s.give(state);
    }

    private static void packedBackward(Operation o, RuleSteps s) {
        TensorForm q = o.form(1);
        TensorForm k = o.form(2);
        List<Long> copies = new ArrayList<>();
        for (int i : new int[]{0, 4}) {
            if (!o.form(i).isContiguous()) {
                copies.add(s.take(o.form(i).bytes()));
            }
        }
        s.results();
        s.passing(o.form(6) == null
                ? FlashAttention.backward(byHead(q), byHead(k), q.element())
                : FlashAttention.packedBackward(q.shape(), k.shape(), o.form(6).count() - 1, q.element()));
        s.give(copies);
    }

    /** [n, l, heads, d] as [n, heads, l, d]. */
    private static long[] byHead(TensorForm f) {
        return new long[]{f.shape()[0], f.shape()[2], f.shape()[1], f.shape()[3]};
    }

    private static void efficient(Operation o, RuleSteps s) {
        s.resultAt(0);
        if (o.flag(4, "compute_log_sumexp", true)) {
            s.resultAt(1);
        } else {
            s.without(1);
        }
        for (int i = 2; i < s.made(); i++) { // seed and offset are the host's
            s.without(i);
        }
        s.passing(EfficientAttention.forward(o.form(0).shape(), o.form(2).shape()[3], o.form(0).summed()));
    }

    /** Row sums of gradient times result, then a buffer in which blocks add their gradients. */
    private static void efficientBackward(Operation o, RuleSteps s) {
        TensorForm g = o.form(0);
        TensorForm q = o.form(1);
        List<Long> copy = liesByPosition(g) ? List.of() : List.of(s.take(g.bytes()));
        if (s.made() > BIAS) { // its rows end at whole steps
            for (int i = 0; i < BIAS; i++) {
                s.resultAt(i);
            }
            TensorForm bias = Operation.forms(o.result()).getLast();
            long keys = bias.shape()[bias.rank() - 1];
            s.result(bias.bytes() / keys * EfficientAttention.maskGradientWidth(keys));
        }
        s.results();
        long sums = q.shape()[0] * q.shape()[1] * q.shape()[2] * Float.BYTES;
        long delta = EfficientAttention.sumsItself(s.device(), q.summed()) ? s.take(sums) : delta(s, g, sums);
        long buffer = s.take(EfficientAttention.workspace(s.device(), q.shape(), o.form(3).shape(), q.summed(),
                drops(o, 9)));
        s.give(delta);
        s.give(buffer);
        s.give(copy);
    }

    private static long delta(RuleSteps s, TensorForm g, long sums) {
        long products = s.take(g.count() * Float.BYTES);
        long byPosition = s.take(sums);
        if (g.shape()[1] == 1 || g.shape()[2] == 1) {
            // in the order of heads as it lies
            s.give(products);
            return byPosition;
        }
        long delta = s.take(sums);
        s.give(byPosition);
        s.give(products);
        return delta;
    }

    private static boolean drops(Operation o, int argument) {
        return o.argument(argument, "dropout_p") instanceof Number p && p.doubleValue() > 0;
    }

    /** Whether [n, heads, l, d] is in memory as [n, l, heads, d]. */
    private static boolean liesByPosition(TensorForm f) {
        long[] shape = {f.shape()[0], f.shape()[2], f.shape()[1], f.shape()[3]};
        long[] strides = {f.strides()[0], f.strides()[2], f.strides()[1], f.strides()[3]};
        return new TensorForm(f.dtype(), shape, strides, f.offset(), f.host()).isContiguous();
    }
}

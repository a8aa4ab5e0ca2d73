package io.vramlab.plan;

import io.vramlab.footprint.BatchNormScratch;
import io.vramlab.footprint.CudnnBatchNorm;
import io.vramlab.footprint.Footprint;
import io.vramlab.footprint.LayerNormParts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Norms; docs/footprint.md, "Norms". */
final class NormRules {

    private static final int WELFORD = 4;
    private static final int FOUR_NUMBERS = 4 * Float.BYTES;
    /** Which argument says which gradients are wanted. */
    private static final int MASK_OF_LAYER = 7;
    private static final int MASK_OF_RMS = 5;

    private NormRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten.native_batch_norm", (o, s) -> {
            s.results();
            if (o.flag(5, "training", true) && isGeneral(o.form(0))) {
                variances(o.form(0), s);
            } else if (o.flag(5, "training", true)) {
                channels(o.form(0), WELFORD, s);
            }
        });
        rules.put("aten.native_batch_norm_backward", (o, s) -> {
            TensorForm in = o.form(1);
            if (!sideBySide(in)) {
                s.results();
                return;
            }
            boolean general = !sideBySide(o.form(0)); // gradients that lie otherwise go by the general kernels
            boolean unsaved = general && o.form(6) != null && o.form(6).count() == 0;
            long deviations = unsaved ? s.take(in.shape()[1] * Float.BYTES) : 0;
            long sums = s.take(in.shape()[1] * Float.BYTES);
            long products = s.take(in.shape()[1] * Float.BYTES);
            for (int i = 1; i < s.made(); i++) {
                s.resultAt(i);
            }
            long ones = 0;
            if (!general) {
                channels(in, 2, s);
            } else if (o.form(2) == null && o.flag(7, "train", true)) {
                ones = s.take(Float.BYTES);
            }
            s.results();
            s.give(ones);
            s.give(products);
            s.give(sums);
            s.give(deviations);
        });
        rules.put("aten.cudnn_batch_norm", (o, s) -> persistent(o, s, true));
        rules.put("aten.cudnn_batch_norm_backward", (o, s) -> persistent(o, s, false));
        rules.put("aten.native_layer_norm", (o, s) -> {
            long copied = o.form(0).isContiguous() ? 0 : s.take(o.form(0).bytes());
            s.results();
            if (copied != 0) {
                s.give(copied);
            }
        });
        rules.put("aten._fused_rms_norm", (o, s) -> {
            long copied = o.form(0).isContiguous() ? 0 : s.take(o.form(0).bytes());
            s.results();
            s.give(copied);
        });
        rules.put("aten._fused_rms_norm_backward", (o, s) -> ofRows(o, s, MASK_OF_RMS));
        rules.put("aten.native_dropout", (o, s) -> {
            s.resultAt(1);
            s.results();
        });
        rules.put("aten.native_layer_norm_backward", (o, s) -> ofRows(o, s, MASK_OF_LAYER));
        rules.put("aten.native_group_norm", NormRules::groupNorm);
        rules.put("aten.native_group_norm_backward", NormRules::groupNormBackward);
    }

    /** cuDNN's kernel for channels side by side keeps its sums in a workspace. */
    private static void persistent(Operation o, RuleSteps s, boolean forward) {
        s.results();
        TensorForm in = o.form(0);
        if (in.isChannelsLast() && in.rank() == 4 && (!forward || o.flag(5, "training", true))) {
            s.estimated();
            long channels = in.shape()[1];
            long rows = in.count() / Math.max(1, channels);
            s.passing(forward
                    ? CudnnBatchNorm.forward(rows, channels, in.element())
                    : CudnnBatchNorm.backward(rows, channels, in.element()));
        }
    }

    /** What PyTorch's kernels for neither order are left with, volumes with channels side by side among them (Normalization.cu). */
    private static boolean isGeneral(TensorForm in) {
        return !in.isContiguous() && !(in.rank() == 4 && in.isChannelsLast());
    }

    /** Means and variances by the reduction of all tensors, in float32: a mean, squares and two counts each. */
    private static void variances(TensorForm in, RuleSteps s) {
        long wide = in.element() < Float.BYTES ? s.take(Float.BYTES * in.count()) : 0;
        boolean[] reduced = new boolean[in.rank()];
        Arrays.fill(reduced, true);
        reduced[1] = false;
        s.reduction(in, reduced, FOUR_NUMBERS);
        s.give(wide);
    }

    private static boolean sideBySide(TensorForm in) {
        return in.isChannelsLast() || in.isContiguous() && in.rank() >= 2 && in.strides()[1] == 1;
    }

    private static void channels(TensorForm in, int numbers, RuleSteps s) {
        if (sideBySide(in)) {
            long channels = in.shape()[1];
            long rows = in.count() / Math.max(1, channels);
            Footprint taken = numbers == WELFORD
                    ? BatchNormScratch.forward(s.device(), in.summed(), rows, channels)
                    : BatchNormScratch.backward(s.device(), in.summed(), rows, channels);
            s.passing(taken);
        }
    }

    /**
     * The input's gradient, then the weight's and the bias's: of many rows they are summed in two steps, the second into a new
     * vector, and the one that was taken at first goes then.
     */
    private static void ofRows(Operation o, RuleSteps s, int mask) {
        TensorForm in = o.form(1);
        long columns = 1;
        for (Object n : (List<?>) o.argument(2)) {
            columns *= ((Number) n).longValue();
        }
        long rows = columns == 0 ? 0 : in.count() / columns;
        boolean ofInput = !(o.argument(mask) instanceof List<?> wanted) || Boolean.TRUE.equals(wanted.getFirst());
        int first = ofInput ? 1 : 0;
        long x = in.isContiguous() ? 0 : s.take(in.bytes());
        if (!LayerNormParts.apply(s.device(), rows, columns) || s.made() <= first) {
            s.results();
            s.passing(o.form(0).isContiguous() ? 0 : o.form(0).bytes());
            s.give(x);
            return;
        }
        List<Long> vectors = new ArrayList<>();
        List<Long> parts = new ArrayList<>();
        if (ofInput) {
            s.result();
        }
        for (int i = first; i < s.made(); i++) {
            vectors.add(s.take(columns * in.element()));
        }
        long dy = o.form(0).isContiguous() ? 0 : s.take(o.form(0).bytes());
        TensorForm part = new TensorForm(in.dtype(), new long[]{LayerNormParts.parts(rows), columns},
                new long[]{columns, 1}, 0, false);
        for (int i = first; i < s.made(); i++) {
            parts.add(s.take(part.bytes()));
        }
        for (long vector : vectors) {
            s.result();
            s.reduction(part, new boolean[]{true, false}, Math.max(Float.BYTES, in.element()));
            s.give(vector);
        }
        s.give(parts);
        s.give(dy);
        s.give(x);
    }

    /** Per image and channel a factor and a shift (group_norm_kernel.cu). */
    private static void groupNorm(Operation o, RuleSteps s) {
        s.results();
        boolean onePixel = o.number(5, "HxW", 0) == 1; // which has a kernel of its own
        if (!onePixel && (o.argument(1) instanceof TensorRef || o.argument(2) instanceof TensorRef)) {
            long perChannel = o.form(0).shape()[0] * o.form(0).shape()[1] * accumulator(o.form(0));
            s.passing(perChannel, perChannel);
        }
    }

    private static void groupNormBackward(Operation o, RuleSteps s) {
        s.results();
        TensorForm x = o.form(1);
        long perChannel = x.shape()[0] * x.shape()[1] * accumulator(x);
        long perGroup = x.shape()[0] * o.number(8, "group", 1) * accumulator(x);
        long scales = s.take(perChannel);
        long biases = s.take(perChannel);
        List<Long> ofGroups = List.of(s.take(perGroup), s.take(perGroup));
        boolean weighs = o.argument(4) instanceof TensorRef && o.number(7, "HxW", 0) != 1;
        long ofChannels = weighs ? s.take(perChannel) : 0;
        s.give(ofGroups);
        s.give(ofChannels);
        s.give(biases);
        s.give(scales);
    }

    private static long accumulator(TensorForm form) {
        return Math.max(Float.BYTES, form.element());
    }
}

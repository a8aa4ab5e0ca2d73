package io.vramlab.plan;

import io.vramlab.footprint.SelectionScratch;
import java.util.List;
import java.util.Map;

/** Operations of torchvision, whose kernels for detectors are its own (torchvision/csrc/ops/cuda). */
final class VisionRules {

    private static final int BOXES_OF_A_WORD = 64;
    private static final int MOST_IMAGES = 32;

    private VisionRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("torchvision.nms", VisionRules::overlapping);
        for (String name : List.of("roi_align", "_roi_align_backward", "roi_pool", "_roi_pool_backward", "ps_roi_align",
                "ps_roi_pool", "_ps_roi_pool_backward")) {
            rules.put("torchvision." + name, (o, s) -> s.results());
        }
        rules.put("torchvision._ps_roi_align_backward", (o, s) -> {
            s.results();
            s.passing(o.form(0).isContiguous() ? 0 : o.form(0).bytes());
        });
        rules.put("torchvision.deform_conv2d", (o, s) -> { // in two buffers, of which the second is turned
            TensorForm out = Operation.forms(o.result()).getFirst();
            long first = s.take(out.bytes());
            long second = s.take(out.bytes());
            long column = s.take(columns(o.form(0), o.form(1), out));
            s.cublas();
            s.results();
            s.give(column);
            s.give(second);
            s.give(first);
        });
        rules.put("torchvision._deform_conv2d_backward", VisionRules::deformedBackward);
        for (String name : List.of("cudnn_grid_sampler", "cudnn_grid_sampler_backward")) {
            rules.put("aten." + name, (o, s) -> s.results());
        }
    }

    /** As im2col makes them, of so many images together as divide the batch, 32 at most. */
    private static long columns(TensorForm in, TensorForm weight, TensorForm out) {
        return in.shape()[1] * weight.shape()[2] * weight.shape()[3] * together(in.shape()[0])
                * (out.count() / Math.max(1, out.shape()[0] * out.shape()[1])) * out.element();
    }

    private static long together(long batch) {
        long images = Math.min(batch, MOST_IMAGES);
        while (images > 1 && batch % images != 0) {
            images--;
        }
        return Math.max(1, images);
    }

    /** Gradients of the input, its offsets and its mask, for which each part of the gradient is turned; then of the weight and the bias. */
    private static void deformedBackward(Operation o, RuleSteps s) {
        TensorForm gradient = o.form(0);
        long columns = columns(o.form(1), o.form(2), gradient);
        long parts = gradient.shape()[0] / together(gradient.shape()[0]);
        long groups = o.form(1).shape()[1] / Math.max(1, o.form(2).shape()[1]);
        for (int made : new int[]{0, 2, 3}) {
            s.resultAt(made);
        }
        long column = s.take(columns);
        s.cublas();
        for (long part = 0; part < parts * groups; part++) {
            s.passing(gradient.bytes() / (parts * groups));
        }
        s.give(column);
        s.resultAt(1);
        long turned = s.take(gradient.bytes());
        column = s.take(columns);
        s.give(column);
        s.give(turned);
        long ones = s.take(o.form(5).bytes());
        long sums = s.take(o.form(5).bytes());
        boolean[] reduced = {true, false, true, true};
        s.reduction(gradient, reduced, Math.max(Float.BYTES, gradient.element()));
        s.resultAt(4);
        s.give(sums);
        s.give(ones);
    }

    /** Boxes by falling scores, a bit for each pair of them, and the places of those that are kept. */
    private static void overlapping(Operation o, RuleSteps s) {
        long boxes = o.form(0).shape()[0];
        if (boxes == 0) {
            return;
        }
        long scores = s.take(o.form(1).bytes());
        long order = s.take(Long.BYTES * boxes);
        s.passing(SelectionScratch.sort(boxes, o.form(1).element()));
        s.give(scores);
        long sorted = s.take(o.form(0).bytes());
        long pairs = s.take(boxes * ((boxes + BOXES_OF_A_WORD - 1) / BOXES_OF_A_WORD) * Long.BYTES);
        long kept = s.take(boxes);
        long places = SelectionRules.places(s, boxes, Operation.forms(o.result()).getFirst().count());
        s.results();
        for (long block : new long[]{places, kept, pairs, sorted, order}) {
            s.give(block);
        }
    }
}

package io.vramlab.plan;

import io.vramlab.footprint.SelectionScratch;
import java.util.List;
import java.util.Map;

/** Operations of torchvision, whose kernels for detectors are its own (torchvision/csrc/ops/cuda). */
final class VisionRules {

    private static final int BOXES_OF_A_WORD = 64;

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
        rules.put("torchvision.deform_conv2d", (o, s) -> { // in two buffers, of which the second is turned, from columns as im2col makes them
            TensorForm out = Operation.forms(o.result()).getFirst();
            TensorForm weight = o.form(1);
            long columns = o.form(0).shape()[1] * weight.shape()[2] * weight.shape()[3] * out.count()
                    / Math.max(1, out.shape()[1]) * out.element();
            long first = s.take(out.bytes());
            long second = s.take(out.bytes());
            long column = s.take(columns);
            s.cublas();
            s.results();
            s.give(column);
            s.give(second);
            s.give(first);
        });
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

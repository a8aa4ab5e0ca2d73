package io.vramlab.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Pooling, padding and resizing of images: what their kernels read packed, and a copy is made of where it lies otherwise
 * (recorded by {@code record_operations.py}; docs/footprint.md, "Packed copies").
 */
final class PoolingRules {

    private PoolingRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        for (String name : List.of("avg_pool2d_backward", "avg_pool3d_backward", "max_pool2d_with_indices_backward",
                "max_pool3d_with_indices_backward")) {
            rules.put("aten." + name, PoolingRules::asTheInput);
        }
        for (String name : List.of("_adaptive_avg_pool2d_backward", "_adaptive_avg_pool3d_backward")) {
            rules.put("aten." + name, (o, s) -> {
                s.results();
                s.passing(o.form(0).isContiguous() || o.form(1).isChannelsLast() ? 0 : o.form(0).bytes());
            });
        }
        for (String name : List.of("reflection_pad1d", "reflection_pad2d", "reflection_pad1d_backward",
                "reflection_pad2d_backward", "upsample_bicubic2d_backward", "_upsample_bilinear2d_aa_backward",
                "_upsample_bicubic2d_aa_backward")) {
            rules.put("aten." + name, (o, s) -> {
                s.results();
                s.passing(o.form(0).isContiguous() ? 0 : o.form(0).bytes());
            });
        }
        for (String name : List.of("_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa")) {
            rules.put("aten." + name, PoolingRules::smoothed);
        }
        rules.put("aten.adaptive_max_pool2d", PoolingRules::greatest);
        rules.put("aten.adaptive_max_pool2d_backward", PoolingRules::greatestBackward);
        rules.put("aten.adaptive_max_pool3d_backward", PoolingRules::greatestBackward);
        rules.put("aten.fractional_max_pool2d_backward", (o, s) -> {
            long copied = copy(o.form(0), s);
            s.results();
            s.give(copied);
        });
        rules.put("aten.max_unpool2d", (o, s) -> {
            long values = copy(o.form(0), s);
            long places = copy(o.form(1), s);
            s.results();
            s.give(places);
            s.give(values);
        });
        for (String kind : List.of("nearest1d", "nearest2d", "nearest3d", "linear1d", "bilinear2d",
                "trilinear3d")) {
            rules.put("aten.upsample_" + kind + "_backward", PoolingRules::resized);
        }
        for (String kind : List.of("upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d",
                "_upsample_nearest_exact2d", "_upsample_nearest_exact2d_backward")) {
            rules.put("aten." + kind, PoolingRules::packed);
        }
        rules.put("aten.upsample_bilinear2d", (o, s) -> { // channels that lie side by side with gaps are packed (UpSampleBilinear2d.cu)
            s.results();
            TensorForm in = o.form(0);
            boolean resized = in.count() != Operation.forms(o.result()).getFirst().count();
            s.passing(resized && in.suggestsChannelsLast() && !in.isChannelsLast() && !in.isContiguous()
                    ? in.bytes()
                    : 0);
        });
        rules.put("aten.im2col", PoolingRules::folded);
        rules.put("aten.col2im", PoolingRules::folded);
        rules.put("aten.unfold_backward", (o, s) -> { // the positions along that dimension, where parts overlap
            s.results();
            List<?> sizes = (List<?>) o.argument(1);
            int d = (int) o.number(2, "dim", 0);
            boolean overlap = o.number(4, "step", 1) < o.number(3, "size", 1);
            s.passing(overlap ? Long.BYTES * ((Number) sizes.get(d < 0 ? d + sizes.size() : d)).longValue() : 0);
        });
    }

    /** The result is made as large as the operand, then resized: only what grows is made anew (Im2Col.cu, Col2Im.cu). */
    private static void folded(Operation o, RuleSteps s) {
        long bytes = o.form(0).bytes();
        if (o.made().isEmpty() || o.made().getFirst().bytes() > bytes) {
            long first = s.take(bytes);
            long copied = copy(o.form(0), s);
            s.results();
            s.give(first);
            s.give(copied);
        } else {
            s.result(bytes);
            s.give(copy(o.form(0), s));
        }
    }

    private static long copy(TensorForm form, RuleSteps s) {
        return form.isContiguous() ? 0 : s.take(form.bytes());
    }

    /** The gradient is read in the input's order of memory. */
    private static void asTheInput(Operation o, RuleSteps s) {
        s.results();
        boolean lies = o.form(1).isChannelsLast() ? o.form(0).isSideBySide() : o.form(0).isContiguous();
        s.passing(lies ? 0 : o.form(0).bytes());
    }

    private static void greatest(Operation o, RuleSteps s) {
        s.results();
        if (!o.form(0).isContiguous()) {
            List<Long> copies = new ArrayList<>();
            Operation.forms(o.result()).forEach(f -> copies.add(s.take(f.bytes())));
            copies.add(s.take(o.form(0).bytes()));
            s.give(copies);
        }
    }

    private static void greatestBackward(Operation o, RuleSteps s) {
        s.results();
        List<Long> copies = new ArrayList<>(List.of(copy(o.form(0), s)));
        copies.add(copy(o.form(2), s));
        copies.add(copy(o.form(1), s));
        s.give(copies);
    }

    /** With channels side by side the result too is made packed at first. */
    private static void smoothed(Operation o, RuleSteps s) {
        s.results();
        if (!o.form(0).isContiguous()) {
            TensorForm out = Operation.forms(o.result()).getFirst();
            s.passing(out.isContiguous() ? 0 : out.bytes(), o.form(0).bytes());
        }
    }

    /** Between equal sizes the gradient is copied as it lies. */
    private static void resized(Operation o, RuleSteps s) {
        TensorForm out = Operation.forms(o.result()).getFirst();
        if (out.count() == o.form(0).count()) {
            s.results();
        } else {
            packed(o, s);
        }
    }

    /** Gradients, and what the nearest neighbour is read from, are read as they lie or with channels side by side. */
    private static void packed(Operation o, RuleSteps s) {
        s.results();
        TensorForm in = o.form(0);
        if (!in.isContiguous() && !in.isSideBySide()) {
            s.passing(in.bytes());
        }
    }
}

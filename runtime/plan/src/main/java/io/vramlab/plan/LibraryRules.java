package io.vramlab.plan;

import java.util.List;
import java.util.Map;

/** What cuDNN and the attention kernels take; sizes that a library chooses are estimates and told as such. */
final class LibraryRules {

    private LibraryRules() {
    }

    static void add(Map<String, Rule> rules) {
        rules.put("aten.convolution", LibraryRules::convolution);
        rules.put("aten.convolution_backward", LibraryRules::convolutionBackward);
        for (String name : List.of("cudnn_batch_norm", "cudnn_batch_norm_backward", "_cudnn_rnn", "_cudnn_rnn_backward",
                "_scaled_dot_product_cudnn_attention", "_scaled_dot_product_cudnn_attention_backward",
                "_scaled_dot_product_flash_attention", "_scaled_dot_product_flash_attention_backward")) {
            rules.put("aten." + name, (o, s) -> {
                s.results();
                s.estimated();
            });
        }
        rules.put("aten._scaled_dot_product_efficient_attention", (o, s) -> s.results());
        rules.put("aten._scaled_dot_product_efficient_attention_backward", LibraryRules::efficientBackward);
    }

    private static void convolution(Operation o, Steps s) {
        s.results();
        s.estimated();
    }

    /** The input's gradient, the weight's, then the bias's, a sum over all dimensions but the channels. */
    private static void convolutionBackward(Operation o, Steps s) {
        s.results();
        s.estimated();
        Form gradient = o.form(0);
        if (o.argument(10) instanceof List<?> mask && Boolean.TRUE.equals(mask.get(2))) {
            boolean[] reduced = new boolean[gradient.rank()];
            java.util.Arrays.fill(reduced, true);
            reduced[1] = false;
            s.reduction(gradient, reduced, Math.max(Float.BYTES, gradient.element()));
        }
    }

    /** The row sums of gradient times result. */
    private static void efficientBackward(Operation o, Steps s) {
        s.results();
        Form q = o.form(1);
        s.passing(q.shape()[0] * q.shape()[1] * q.shape()[2] * Float.BYTES);
    }
}

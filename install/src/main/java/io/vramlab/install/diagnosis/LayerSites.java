package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.regex.Pattern;

import io.vramlab.install.story.Lives;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;

/** What PyTorch's own layers made: a convolution, a normalization, an activation function. None of these writes an attention's scores. */
final class LayerSites {

    private static final Pattern MODULE = Pattern
            .compile(
                    "torch[/\\\\]nn[/\\\\]modules[/\\\\](conv|batchnorm|normalization|instancenorm|linear|pooling|upsampling"
                            + "|padding|rnn|sparse)\\.py$");
    private static final Pattern FUNCTION = Pattern
            .compile(
                    "(leaky_)?relu6?_?|gelu|silu|elu|celu|selu|hardswish|mish|(batch|layer|group|instance|rms)_norm|linear"
                            + "|interpolate|.*_pool[123]d.*");

    private LayerSites() {
    }

    /** Whether such layers made half of some blocks and more. */
    static boolean made(Lives lives, int[] blocks) {
        return blocks.length > 0
                && 2 * Arrays.stream(blocks).filter(block -> isOne(lives.site(block))).count() >= blocks.length;
    }

    private static boolean isOne(int site) {
        // the innermost that tells: an attention calls linear layers, and none calls an attention
        return CallSites.frames(site).stream().limit(3).anyMatch(LayerSites::isOne);
    }

    private static boolean isOne(Frame frame) {
        return MODULE.matcher(frame.file()).find()
                || frame.file().replace('\\', '/').endsWith("torch/nn/functional.py")
                        && FUNCTION.matcher(frame.method()).matches();
    }
}

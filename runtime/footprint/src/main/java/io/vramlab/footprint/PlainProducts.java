package io.vramlab.footprint;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Arrays;

/**
 * Products of matrices: convolutions of kernels of one element, without steps, padding and groups, channels in planes. Two
 * kinds of engines compute them. cuDNN's own take what it answers; those on cuBLAS are not offered to who asks without a GPU,
 * and take a few hundred bytes at most, and of a weight's gradient a float32 copy for each image, which are added up
 * afterwards. Whose turn it is, is learnt from recordings ({@code src/fit/plain.py}): 97 in 100 are the one or the other.
 */
final class PlainProducts {

    /** A leaf for what cuDNN's own engines compute; others are the bytes that cuBLAS takes besides. */
    private static final String CUDNN = "cudnn";
    private static final int LARGE = 1100;

    private PlainProducts() {
    }

    static long bytes(Convolution c, Answer answer, DeviceProperties device) {
        double[] sizes = ConvolutionWorkspace.features(c);
        double[] features = Arrays.copyOf(sizes, sizes.length + 2);
        features[sizes.length] = answer.engine();
        features[sizes.length + 1] = answer.bytes() > LARGE ? 1 : 0;
        String leaf = ConvolutionTrees.parts("cublas " + c.pass().ordinal() + " " + ConvolutionWorkspace.element(c),
                features);
        return leaf.equals(CUDNN) ? StreamedTiles.bytes(c, answer, device) : byCublas(c) + Long.parseLong(leaf);
    }

    /** What engines on cuBLAS take, but for a few hundred bytes. */
    static long byCublas(Convolution c) {
        return c.pass() == Pass.WEIGHT ? c.batch() * c.weights() * Float.BYTES : 0;
    }
}

package io.vramlab.footprint;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Map;
import java.util.Optional;

/**
 * Answers for which cuDNN was offered all engines that it has on a GPU, those on cuBLAS too ({@code install/vramlab_cublas.py}): which
 * engine computes a product is then no guess: 5,640 of 5,726 such answers about an H100 were that of the GPU, 85 took nothing either. What cuBLAS takes
 * besides is: nothing by the first of its ways, a few hundred bytes or partial sums by the others.
 */
final class OfferedEngines {

    /** In the place of a setting of cuDNN's; see install/vramlab_cudnn.py. */
    private static final int ALL_ENGINES = 100;
    /** Engines on cuBLAS alone: their numbers in cuDNN 9.19, and of their setting, which of cuBLAS's ways it is. */
    private static final Map<Pass, Integer> CUBLAS = Map.of(Pass.FORWARD, 58, Pass.INPUT, 63, Pass.WEIGHT, 62);
    private static final int WAY = 25;
    private static final long MOST_SUMS = 132L * 128 * 128 * Float.BYTES;

    private OfferedEngines() {
    }

    /** Whether the answer is one of those. */
    static boolean all(Optional<Answer> answer) {
        return answer.isPresent() && answer.get().choices().containsKey(ALL_ENGINES);
    }

    static long bytes(Convolution c, Answer answer, DeviceProperties device) {
        if (!isCublas(c, answer)) {
            return ConvolutionWorkspace.hasGroupOfEach(c)
                    ? answer.bytes()
                    : StreamedTiles.bytes(c, answer, device);
        }
        long way = answer.choices().getOrDefault(WAY, 0L);
        if (way == 0 || !ConvolutionWorkspace.isProduct(c)) {
            return answer.bytes();
        }
        return c.channelsLast() ? ChannelsLastProducts.byCublas(c, way) : PlainProducts.byCublas(c, way);
    }

    /** Nothing less is known to be taken than what is answered. */
    static long least(Convolution c, Answer answer, DeviceProperties device) {
        return Math.min(answer.bytes(), bytes(c, answer, device));
    }

    /** Sums may be cut otherwise, those of tiles that share them or of cuBLAS's. */
    static long most(Convolution c, Answer answer, DeviceProperties device) {
        long sums = c.pass() == Pass.WEIGHT || isCublas(c, answer) ? MOST_SUMS : 0;
        return Math.max(bytes(c, answer, device), answer.bytes() + sums);
    }

    private static boolean isCublas(Convolution c, Answer answer) {
        return answer.engine() == CUBLAS.get(c.pass());
    }
}

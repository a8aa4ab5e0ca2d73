package io.vramlab.kernel.judge;

import java.util.List;
import java.util.Random;

/** Choices that one seed decides. */
final class Dice {

    private final Random random;

    Dice(long seed) {
        // neighbouring seeds of Random begin alike
        random = new Random(seed * 0x9E3779B97F4A7C15L ^ 0x5DEECE66DL);
    }

    /** One of 0 to {@code below} - 1. */
    int upTo(int below) {
        return random.nextInt(below);
    }

    /** True so many times in a hundred. */
    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    @SafeVarargs
    final <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}

package io.vramlab.plan;

import java.util.Arrays;
import java.util.Random;

/**
 * How much each of several experts is given where their router's scores decide: evenly, or as unevenly as was seen. In the first steps
 * of three programs on an H100, with eight experts each, shares were 0.4 to 1.9 times the even part in two, and in the deeper layers of
 * the third a few experts were given every token: docs/plan.md, "What is estimated, and what is left out".
 */
enum Shares {
    /** As the recorder took them. */
    EVEN,
    /** The first expert is given twice the even part, the last one nothing. */
    FALLING,
    /** The other way round. */
    RISING,
    /** Drawn for each layer and step by itself: a third more or less, in the mean. */
    APART_1, APART_2, APART_3, APART_4,
    /** The same, three times as much or as little in the mean. */
    FAR_APART_1, FAR_APART_2,
    /** The first ones are given all. */
    FIRST,
    /** The last ones are. */
    LAST;

    private static final double APART = 0.3;
    private static final double FAR_APART = 1.1;

    /**
     * How many times the even part an expert is given; over all experts the mean is 1, and none has more than each token.
     *
     * @param where
     *            tells the layer and the step
     */
    double of(PlanEvent.SharedOut told, String where) {
        int experts = told.experts();
        double[] weights = new double[experts];
        Random random = new Random(31L * where.hashCode() + ordinal());
        for (int i = 0; i < experts; i++) {
            double rank = experts == 1 ? 0 : 1 - 2.0 * i / (experts - 1);
            weights[i] = switch (this) {
                case EVEN -> 1;
                case FALLING -> 1 + rank;
                case RISING -> 1 - rank;
                case APART_1, APART_2, APART_3, APART_4 -> Math.exp(APART * random.nextGaussian());
                case FAR_APART_1, FAR_APART_2 -> Math.exp(FAR_APART * random.nextGaussian());
                case FIRST -> i < told.picks() ? 1 : 0;
                case LAST -> i >= experts - told.picks() ? 1 : 0;
            };
        }
        return Math.min((double) experts / told.picks(),
                weights[told.expert()] * experts / Arrays.stream(weights).sum());
    }
}

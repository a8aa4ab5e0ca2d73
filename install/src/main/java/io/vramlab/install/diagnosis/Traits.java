package io.vramlab.install.diagnosis;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a history shows in figures, none of which names a cause: parts of what was needed, counts on a scale of their own, yes and no as
 * 1 and 0. {@link Weights} says what they speak for.
 */
final class Traits {

    private static final double LIMIT = 2;
    /** Eight doublings are one. */
    private static final double DOUBLINGS = 8;

    private final Map<String, Double> all = new LinkedHashMap<>();

    private Traits() {
    }

    /** Those of a history, the same names in the same order but that histories without stacks have more. */
    static Map<String, Double> of(Evidence e) {
        Traits traits = new Traits();
        TraitsOfUse.add(traits, e);
        TraitsOfTurns.add(traits, e);
        TraitsOfSizes.add(traits, e);
        TraitsOfLines.add(traits, e);
        TraitsOfPhases.add(traits, e);
        TraitsOfPasses.add(traits, e);
        TraitsOfFailures.add(traits, e);
        TraitsOfHoles.add(traits, e);
        TraitsOfModels.add(traits, e);
        traits.put("rebound", Rebound.former(e).stream().mapToDouble(e::needs).sum());
        if (!e.hasStacks()) {
            traits.all.putAll(ofOrderAndTime(e));
        }
        return traits.all;
    }

    /** What order, periods and times tell: with stacks these add nothing to what lines and phases tell. */
    static Map<String, Double> ofOrderAndTime(Evidence e) {
        Traits traits = new Traits();
        TraitsOfClock.add(traits, e);
        TraitsOfReversals.add(traits, e);
        TraitsOfOrder.add(traits, e);
        TraitsOfPeriod.add(traits, e);
        return traits.all;
    }

    void put(String name, double value) {
        all.put(name, Double.isFinite(value) ? Math.clamp(value, -LIMIT, LIMIT) : 0);
    }

    void put(String name, boolean value) {
        all.put(name, value ? 1.0 : 0.0);
    }

    /** A count, of which ten more matter less the more there are. */
    void count(String name, double count) {
        put(name, Math.log1p(Math.max(0, count)) / Math.log(2) / DOUBLINGS);
    }

    /** A part of what may be nothing at all. */
    static double part(double bytes, double of) {
        return bytes / Math.max(1, of);
    }
}

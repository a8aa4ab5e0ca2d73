package io.vramlab.magics.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The search for the largest size that fits: doubling, then halving, then a few more points for the curve.
 *
 * @param trials
 *            every size that was tried, in order of size
 * @param largest
 *            the largest that fits; one below the range if none does
 */
public record Fit(List<Trial> trials, int largest) {

    private static final int CURVE_POINTS = 10;
    private static final int TELLING = 8;

    /**
     * Searches.
     *
     * @param code
     *            what a size means; memory must not fall as it grows
     * @param from
     *            the smallest size of interest
     * @param to
     *            the largest
     * @param profile
     *            the GPU, see {@link io.vramlab.device.DeviceProfile#of}
     */
    public static Fit search(IntFunction<?> code, int from, int to, String profile) {
        Map<Integer, Trial> trials = new TreeMap<>();
        int fits = from - 1;
        int fails = to == Integer.MAX_VALUE ? to : to + 1;
        for (int size = from; fails > fits + 1;) {
            Trial trial = trials.computeIfAbsent(size, s -> Trial.of(code, s, profile));
            if (trial.fits()) {
                fits = size;
            } else {
                fails = size;
            }
            boolean doubling = fails > to;
            size = doubling ? (int) Math.min(to, Math.max(size + 1L, 2L * size)) : (int) (((long) fits + fails) / 2);
        }
        int end = Math.max(from, fits);
        for (int point = 1; point < CURVE_POINTS; point++) {
            int size = (int) (from + (long) (end - from) * point / CURVE_POINTS);
            trials.computeIfAbsent(size, s -> Trial.of(code, s, profile));
        }
        return new Fit(List.copyOf(trials.values()), fits);
    }

    /** The trials that tell the curve: some that fit, evenly over their number, the largest, and the first that does not. */
    public List<Trial> telling() {
        List<Trial> fitting = trials.stream().filter(Trial::fits).toList();
        List<Trial> telling = new ArrayList<>();
        int parts = Math.min(TELLING, fitting.size()) - 1;
        for (int part = 0; part <= parts; part++) {
            telling.add(fitting.get(parts == 0 ? 0 : (fitting.size() - 1) * part / parts));
        }
        trials.stream().filter(t -> !t.fits()).findFirst().ifPresent(telling::add);
        return telling;
    }
}

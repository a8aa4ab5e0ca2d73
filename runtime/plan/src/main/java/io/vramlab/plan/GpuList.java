package io.vramlab.plan;

import io.vramlab.memory.Sizes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** On which GPUs a program fits, for people: the smallest first, GPUs of the same verdict on one line, those of about the same memory together. */
final class GpuList {

    private static final Comparator<Plan> BY_MEMORY = Comparator
            .comparingLong((Plan plan) -> plan.device().totalBytes()).thenComparing(plan -> plan.device().name());
    private static final double GIB = 1L << 30;
    /** Cards that are sold with as much report up to so much more than the least of them. */
    private static final double ALIKE = 1.15;

    private GpuList() {
    }

    /**
     * A line for each verdict, after one that names the smallest GPU; one line where it fits on all.
     *
     * @param own
     *            the plans for the GPU that was asked for; one under default settings counts, too
     */
    static List<String> lines(List<Plan> own, List<Plan> others) {
        List<Plan> sorted = others.stream().sorted(BY_MEMORY).toList();
        Map<String, List<Plan>> alike = new LinkedHashMap<>();
        sorted.forEach(plan -> alike.computeIfAbsent(plan.verdict().text(), text -> new ArrayList<>()).add(plan));
        List<Plan> known = Stream
                .concat(own.stream().filter(plan -> plan.settings().isEmpty()), sorted.stream())
                .sorted(BY_MEMORY).toList();
        Function<Plan, String> named = plan -> (others.contains(plan) ? "" : "the one asked for, ")
                + plan.device().name() + " with " + gibibytes(plan);
        List<String> lines = new ArrayList<>();
        if (alike.size() == 1 && sorted.getFirst().verdict() == FitVerdict.FITS) {
            lines.add("On other GPUs, default settings: fits on each of the " + sorted.size()
                    + " that are known, of which " + sorted.getFirst().device().name() + " with "
                    + gibibytes(sorted.getFirst()) + " is the smallest.");
            return lines;
        }
        lines.add("On other GPUs, default settings; " + first(known, Plan::fits)
                .map(plan -> "the smallest that it fits on is " + named.apply(plan))
                .or(() -> first(known, plan -> plan.verdict() == FitVerdict.INCOMPLETE)
                        .map(plan -> untilItsEnd(plan, named.apply(plan))))
                .orElse("it fits on none that is known") + ":");
        alike.forEach((verdict, plans) -> lines.add("  " + verdict + ": " + names(plans)));
        return lines;
    }

    private static Optional<Plan> first(List<Plan> sorted, Predicate<Plan> which) {
        return sorted.stream().filter(which).findFirst();
    }

    private static String untilItsEnd(Plan plan, String gpu) {
        return "whether it fits is not known, since the recording ends before the program does; until then it reserved up to "
                + Sizes.both(plan.highestReserved()) + ", for which the smallest with room is " + gpu;
    }

    private static String names(List<Plan> sorted) {
        StringBuilder names = new StringBuilder();
        long least = 0;
        for (Plan plan : sorted) {
            long bytes = plan.device().totalBytes();
            boolean more = bytes > least * ALIKE;
            names.append(names.isEmpty() ? "" : more ? "; " : ", ").append(plan.device().name());
            if (more) {
                least = bytes;
                names.append(" (").append(gibibytes(plan)).append(')');
            }
        }
        return names.toString();
    }

    private static String gibibytes(Plan plan) {
        return String.format(Locale.ROOT, "%.2f GiB", plan.device().totalBytes() / GIB);
    }
}

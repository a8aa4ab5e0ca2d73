package io.vramlab.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Counts what was compared, per figure, and keeps the first differences in full. */
public final class ComparisonReport {

    private static final int FIRST = 12;

    private final String unit;
    private final Map<String, long[]> figures = new LinkedHashMap<>();
    private final List<String> differences = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> apart = new ArrayList<>();
    private final String why;
    private long count;
    private long different;

    /**
     * @param unit
     *            what is counted, for instance "statements"
     */
    ComparisonReport(String unit) {
        this(unit, "");
    }

    /**
     * @param unit
     *            what is counted, for instance "statements"
     * @param why
     *            what is said of things set apart, after their number
     */
    ComparisonReport(String unit, String why) {
        this.unit = unit;
        this.why = why;
    }

    void count() {
        count++;
    }

    /** Compares one figure; returns whether it was equal. */
    boolean compare(String figure, boolean equal) {
        long[] f = figures.computeIfAbsent(figure, k -> new long[2]);
        f[0] += equal ? 1 : 0;
        f[1]++;
        return equal;
    }

    /** Keeps a difference, if it is among the first. */
    void differ(String text) {
        different++;
        if (differences.size() < FIRST) {
            differences.add(text);
        }
    }

    /** Keeps something that was judged otherwise than the rest: neither equal nor different, on a line of its own. */
    void setApart(String name) {
        apart.add(name);
    }

    /** What was judged otherwise than the rest, and is in no other count. */
    public List<String> apart() {
        return List.copyOf(apart);
    }

    /** Keeps a remark that is no difference. */
    void note(String text) {
        notes.add(text);
    }

    /** How many were compared. */
    public long compared() {
        return count;
    }

    /** How many had at least one figure that differed. */
    public long differing() {
        return different;
    }

    /** How many of the compared values of a figure were equal. */
    public long equal(String figure) {
        return figures.getOrDefault(figure, new long[2])[0];
    }

    /** How many values of a figure were compared. */
    public long total(String figure) {
        return figures.getOrDefault(figure, new long[2])[1];
    }

    /** The first differences, one text each. */
    public List<String> differences() {
        return List.copyOf(differences);
    }

    /** One line of counts, for instance {@code 7,988 statements: allocated 7,988 equal of 7,988; …}. */
    public String summary() {
        StringJoiner line = new StringJoiner("; ", String.format("%,d %s: ", count, unit), "");
        figures.forEach((name, f) -> line.add(String.format("%s %,d of %,d equal", name, f[0], f[1])));
        return line.toString();
    }

    /** The summary, what was set apart, the remarks and the first differences, a line each. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(summary());
        if (!apart.isEmpty()) {
            text.append(String.format("%n    set apart: %,d, %s: %s", apart.size(), why, String.join(", ", apart)));
        }
        notes.forEach(n -> text.append("\n    note: ").append(n));
        differences.forEach(d -> text.append("\n    ").append(d));
        if (different > differences.size()) {
            text.append(String.format("%n    … and %,d more", different - differences.size()));
        }
        return text.toString();
    }
}

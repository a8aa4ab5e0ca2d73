package io.vramlab.magics.claim;

import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.tensor.LiveTensors;
import io.vramlab.memory.Cuda;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;

/**
 * The moments of an example: {@code var marks = Marks.start()}, then {@code marks.set("forward")} after each step. Figures
 * are relative to nothing: an example should begin with no tensor alive, as the recordings did. What an example before it
 * has dropped and left to the collector, a module's parameters for one, is collected first.
 */
public final class Marks {

    private static final Map<String, Compared> COMPARED = Collections.synchronizedMap(new LinkedHashMap<>());

    private final List<Mark> marks = new ArrayList<>();
    private final String example;
    private String name;

    private Marks(String example) {
        this.example = example;
        this.name = example;
    }

    /**
     * How an example compares with its recording.
     *
     * @param moments how many marks either has
     * @param equal how many are equal in all figures
     * @param differing the figures in which the others differ
     */
    record Compared(int moments, int equal, Set<String> differing) {
    }

    /** The examples that were compared with their recordings, by name, the last comparison of each. */
    static Map<String, Compared> compared() {
        synchronized (COMPARED) {
            return new LinkedHashMap<>(COMPARED);
        }
    }

    /** Collects what was dropped, empties the cache, resets the peaks, and sets the mark "start". */
    public static Marks start() {
        return start("");
    }

    /**
     * The same for an example that PyTorch ran too.
     *
     * @param example
     *            the recording's name; empty where there is none
     */
    public static Marks start(String example) {
        if (Cuda.memoryAllocated() > 0) {
            System.gc();
            LiveTensors.drain();
        }
        Cuda.emptyCache();
        Cuda.resetPeakMemoryStats();
        Marks marks = new Marks(example);
        marks.set("start");
        return marks;
    }

    /**
     * What PyTorch recorded for this example, to be asked what the example is asked; without marks where there is no
     * recording.
     */
    public Marks recorded() {
        Marks theirs = new Marks("");
        if (isRecorded()) {
            theirs.marks.addAll(expected(example));
        }
        return theirs;
    }

    /** True when PyTorch ran this example too. */
    public boolean isRecorded() {
        return !example.isEmpty();
    }

    /** The same with a name to be called by in pictures. */
    public Marks named(String words) {
        name = words;
        return this;
    }

    /** What it is called in pictures. */
    String name() {
        return name;
    }

    /** Notes what the allocator holds now. */
    public Mark set(String label) {
        Mark mark = Mark.of(label, Cuda.memoryStats());
        marks.add(mark);
        return mark;
    }

    /** All marks in order. */
    public List<Mark> all() {
        return List.copyOf(marks);
    }

    /**
     * The last mark of that label.
     *
     * @throws NoSuchElementException
     *             naming the labels there are
     */
    public Mark at(String label) {
        return marks.stream().filter(m -> m.label().equals(label)).reduce((first, last) -> last)
                .orElseThrow(() -> new NoSuchElementException("No mark was set with the label " + label
                        + ". Set were: " + String.join(", ", marks.stream().map(Mark::label).toList()) + "."));
    }

    /** By how many bytes more is allocated at one mark than at an earlier one. */
    public long growth(String from, String to) {
        return at(to).allocated() - at(from).allocated();
    }

    /** The highest peak of all marks, in bytes. */
    public long peak() {
        return marks.stream().mapToLong(Mark::peak).max().orElse(0);
    }

    /** {@link #equal(String)} to the recording of its own name. */
    public boolean equal() {
        return equal(example);
    }

    /** True when every recorded mark (but the last, "end") was measured with the same label and figures, in order. */
    public boolean equal(String example) {
        List<Mark> expected = expected(example);
        int moments = Math.max(marks.size(), expected.size());
        int same = moments - Math.abs(marks.size() - expected.size());
        Set<String> differing = new TreeSet<>();
        if (same < moments) {
            differing.add("number of moments");
        }
        for (int i = 0; i < Math.min(marks.size(), expected.size()); i++) {
            if (!marks.get(i).equals(expected.get(i))) {
                same--;
                List<String> names = marks.get(i).differences(expected.get(i));
                differing.addAll(names.isEmpty() ? List.of("label") : names);
            }
        }
        COMPARED.put(example, new Compared(moments, same, differing));
        return same == moments;
    }

    /** {@link #beside(String)} the recording of its own name. */
    public ReportTable beside() {
        return beside(example);
    }

    /** The marks beside PyTorch's, row by row. */
    public ReportTable beside(String example) {
        equal(example);
        List<Mark> expected = expected(example);
        RowBuilder rows = new RowBuilder().text("after")
                .number("allocated", "PyTorch's allocated", "peak", "PyTorch's peak",
                        "reserved", "PyTorch's reserved")
                .text("all 8 figures");
        for (int i = 0; i < Math.max(marks.size(), expected.size()); i++) {
            Mark ours = i < marks.size() ? marks.get(i) : null;
            Mark theirs = i < expected.size() ? expected.get(i) : null;
            boolean same = ours != null && ours.equals(theirs);
            rows.row(ours != null ? ours.label() : theirs.label(), ours == null ? null : ours.allocated(),
                    theirs == null ? null : theirs.allocated(), ours == null ? null : ours.peak(),
                    theirs == null ? null : theirs.peak(), ours == null ? null : ours.reserved(),
                    theirs == null ? null : theirs.reserved(), same ? "equal" : told(ours, theirs));
        }
        return rows.report("Measured here, and recorded with PyTorch 2.11 on an H200: " + example)
                .note(compared().get(example).equal() + " of " + Math.max(marks.size(), expected.size())
                        + " moments are equal in all eight figures: allocated, peak, reserved, requested, active, "
                        + "inactive split, allocations, segments.");
    }

    /** How many of its moments are equal to PyTorch's in all figures, in words. */
    String told() {
        equal();
        Compared of = COMPARED.get(example);
        return of.equal() + " of " + of.moments() + " moments in all 8 figures"
                + (of.differing().isEmpty() ? "" : "; the others in all but " + String.join(", ", of.differing()));
    }

    private static String told(Mark ours, Mark theirs) {
        if (ours == null || theirs == null) {
            return ours == null ? "not measured" : "not recorded";
        }
        List<String> names = ours.differences(theirs);
        return names.isEmpty() ? "another label: " + theirs.label() : "all but " + String.join(", ", names);
    }

    private static List<Mark> expected(String example) {
        List<Mark> recorded = Recorded.marks(example);
        int last = recorded.size() - 1;
        return recorded.get(last).label().equals("end") ? recorded.subList(0, last) : recorded;
    }
}

package io.vramlab.install.notebook;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What a notebook showed when it was saved against what it shows now. */
public final class Comparison {

    private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]+");
    private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]{5,8}\\b");
    private static final Pattern TIME = Pattern.compile("\\b\\d[\\d,]*(\\.\\d+)? ?(ns|us|µs|ms|s|seconds)\\b");
    private static final Pattern GPU = Pattern
            .compile("GPU \\d+ \\(NVIDIA [^)]*\\)|Simulated \\S+|NVIDIA( [A-Z]*\\d[\\w-]*)+");
    private static final Pattern KIND = Pattern.compile("\\b(simulated|cuda)  +");
    private static final Pattern ALIGNMENT = Pattern.compile("  +|-{3,}");
    private static final Pattern FAULT_DETAIL = Pattern.compile("(CUDA error: [^(]+)\\(.*?\\)\\. ");
    private static final Pattern RECOVERY = Pattern.compile("([Tt]o go on, ).*");
    private static final Pattern TRAILING_SPACE = Pattern.compile("[ \\t]+(?=\\R|$)");

    private Comparison() {
    }

    /**
     * A place where the two differ.
     *
     * @param cell the code cell's number, from 1
     * @param what what kind of difference it is, in words
     * @param recorded what the saved notebook has there
     * @param now what the run has there
     */
    public record Difference(int cell, String what, String recorded, String now) {
    }

    /**
     * Compares one cell's outputs.
     *
     * @param cell the cell as it was saved
     * @param now what it shows now
     * @return the differences, in order; empty when a reader would see the same
     */
    public static List<Difference> of(Notebook.CodeCell cell, List<Output> now) {
        return of(cell, now, false);
    }

    /**
     * Compares one cell's outputs.
     *
     * @param otherGpu whether another GPU ran it than the notebook names: names and kinds of GPUs are then not compared
     * @return the differences, in order; empty when a reader would see the same figures
     */
    public static List<Difference> of(Notebook.CodeCell cell, List<Output> now, boolean otherGpu) {
        List<Difference> differences = new ArrayList<>();
        List<Output> recorded = cell.outputs();
        boolean failed = recorded.stream().anyMatch(Output::isError);
        boolean fails = now.stream().anyMatch(Output::isError);
        if (failed && !fails) {
            differences.add(new Difference(cell.number(), "the recorded failure no longer occurs", describe(recorded),
                    describe(now)));
            return differences;
        }
        for (int i = 0; i < Math.max(recorded.size(), now.size()); i++) {
            Output before = i < recorded.size() ? recorded.get(i) : null;
            Output after = i < now.size() ? now.get(i) : null;
            if (before == null) {
                differences.add(new Difference(cell.number(), "an output that was not recorded", "", after.text()));
            } else if (after == null) {
                differences.add(new Difference(cell.number(), "a recorded output is missing", before.text(), ""));
            } else {
                compare(cell.number(), before, after, otherGpu, differences);
            }
        }
        return differences;
    }

    private static void compare(int cell, Output before, Output after, boolean otherGpu,
            List<Difference> differences) {
        if (!before.kind().equals(after.kind())) {
            differences.add(new Difference(cell, "another kind of output", before.kind() + ": " + before.text(),
                    after.kind() + ": " + after.text()));
        } else if (!before.name().equals(after.name())) {
            differences.add(new Difference(cell, before.isError() ? "another error" : "another form of output",
                    before.name(), after.name()));
        } else {
            String then = otherGpu ? ofAnyGpu(lasting(before.text())) : lasting(before.text());
            String now = otherGpu ? ofAnyGpu(lasting(after.text())) : lasting(after.text());
            if (!then.equals(now)) {
                differences.add(firstLine(cell, then, now));
            }
        }
    }

    private static Difference firstLine(int cell, String before, String after) {
        List<String> recorded = before.lines().toList();
        List<String> now = after.lines().toList();
        int line = 0;
        while (line < recorded.size() && line < now.size() && recorded.get(line).equals(now.get(line))) {
            line++;
        }
        return new Difference(cell, "another text from line " + (line + 1) + " on",
                line < recorded.size() ? recorded.get(line) : "(end)",
                line < now.size() ? now.get(line) : "(end)");
    }

    private static String describe(List<Output> outputs) {
        return outputs.stream().filter(Output::isError).findFirst().map(error -> error.name() + ": " + error.text())
                .orElse("no error");
    }

    /**
     * A text without the names and kinds of GPUs and the alignment that hangs on them, and without what only a simulated
     * one knows of a fault and of the way back.
     */
    static String ofAnyGpu(String text) {
        String kept = FAULT_DETAIL.matcher(text).replaceAll("$1(…). ");
        kept = RECOVERY.matcher(kept).replaceAll("$1…");
        kept = KIND.matcher(GPU.matcher(kept).replaceAll("(the GPU)")).replaceAll("(kind)  ");
        return TRAILING_SPACE.matcher(ALIGNMENT.matcher(kept).replaceAll("  ")).replaceAll("");
    }

    /** A text without what differs from run to run: times, addresses, object identities, and blanks at line ends. */
    static String lasting(String text) {
        String kept = ADDRESS.matcher(text).replaceAll("0x…");
        kept = IDENTITY.matcher(kept).replaceAll("@…");
        kept = TIME.matcher(kept).replaceAll("… s");
        return TRAILING_SPACE.matcher(kept).replaceAll("").strip();
    }
}

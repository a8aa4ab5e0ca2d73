package io.vramlab.install.notebook;

import java.util.ArrayList;
import java.util.List;

import io.vramlab.magics.bug.RecordedPart;

/** What a notebook showed when it was saved against what it shows now. */
public final class Comparison {

    private final boolean sameDevice;
    private final Lasting lasting;

    /** What runs it now. */
    public enum Where {
        /** The GPUs that it was saved with. */
        RECORDED,
        /** Real GPUs in place of simulated ones of the same capacity: names, kinds and pictures are not compared. */
        STAND_IN,
        /** GPUs of any capacity: what messages tell of the device's size and free memory is not compared either. */
        ANOTHER
    }

    /** A comparison with a run on some GPUs; pictures show addresses, so they are compared on the recorded ones only. */
    public Comparison(Where where) {
        this.sameDevice = where == Where.RECORDED;
        this.lasting = new Lasting(where);
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
    public List<Difference> of(NotebookFile.CodeCell cell, List<Output> now) {
        List<Difference> differences = new ArrayList<>();
        List<Output> recorded = seen(cell.outputs());
        now = seen(now);
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
                compare(cell.number(), before, after, differences);
            }
        }
        return differences;
    }

    /** A bar that was shown while something took long, on a slow machine alone, is empty when it has ended. */
    private static List<Output> seen(List<Output> outputs) {
        return outputs.stream().filter(o -> !(o.kind().equals("data") && o.text().isBlank() && o.more().isEmpty()))
                .toList();
    }

    private void compare(int cell, Output before, Output after, List<Difference> differences) {
        if (!before.kind().equals(after.kind())) {
            differences.add(new Difference(cell, "another kind of output", before.kind() + ": " + before.text(),
                    after.kind() + ": " + after.text()));
        } else if (!before.name().equals(after.name())) {
            differences.add(new Difference(cell, before.isError() ? "another error" : "another form of output",
                    before.name(), after.name()));
        } else if (isOlderForm(before, after)) {
            // the same figures in tables of another form
        } else if (!lasting.text(before.text()).equals(lasting.text(after.text()))) {
            differences.add(firstLine(cell, "text", lasting.text(before.text()), lasting.text(after.text())));
        } else {
            before.more().keySet().stream().sorted().forEach(
                    form -> form(cell, form, before.more().get(form), after.more().get(form), differences));
        }
    }

    /** Whether the tables differ in form alone, in what readers see too. */
    private boolean isOlderForm(Output before, Output after) {
        String page = before.more().get("text/html");
        return !lasting.text(before.text()).equals(lasting.text(after.text()))
                && TableForm.of(before.text()).tellsTheSame(TableForm.of(after.text()), lasting::text)
                && (page == null || TableForm.shows(lasting.page(page), before.text()));
    }

    /** What was the same in plain text may still have been edited in the form that readers see. */
    private void form(int cell, String form, String before, String after, List<Difference> differences) {
        switch (form) {
            case "text/html" -> {
                if (!TableForm.withoutSizes(lasting.page(before))
                        .equals(TableForm.withoutSizes(lasting.page(after)))) {
                    differences.add(firstLine(cell, "table", lasting.page(before), lasting.page(after)));
                } else if (sameDevice && !lasting.pictures(before).equals(lasting.pictures(after))) {
                    differences.add(new Difference(cell, "another picture", "", ""));
                }
            }
            case Output.TRACEBACK -> {
                if (!lasting.text(before).equals(lasting.text(after))) {
                    differences.add(firstLine(cell, "traceback", lasting.text(before), lasting.text(after)));
                }
            }
            case RecordedPart.TYPE -> HistoryComparison.of(before, after)
                    .ifPresent(what -> differences.add(new Difference(cell, what, "", "")));
            default -> {
                if (sameDevice && !lasting.text(before).equals(lasting.text(after))) {
                    differences.add(firstLine(cell, form, lasting.text(before), lasting.text(after)));
                }
            }
        }
    }

    private static Difference firstLine(int cell, String kind, String before, String after) {
        List<String> recorded = before.lines().toList();
        List<String> now = after.lines().toList();
        int line = 0;
        while (line < recorded.size() && line < now.size() && recorded.get(line).equals(now.get(line))) {
            line++;
        }
        return new Difference(cell, "another " + kind + " from line " + (line + 1) + " on",
                line < recorded.size() ? recorded.get(line) : "(end)",
                line < now.size() ? now.get(line) : "(end)");
    }

    private static String describe(List<Output> outputs) {
        return outputs.stream().filter(Output::isError).findFirst().map(error -> error.name() + ": " + error.text())
                .orElse("no error");
    }
}

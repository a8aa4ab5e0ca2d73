package io.vramlab.magics.claim;

import io.vramlab.magics.picture.Axis;
import io.vramlab.magics.picture.Paint;
import io.vramlab.magics.picture.Palette;
import io.vramlab.magics.picture.Picture;
import io.vramlab.magics.picture.Scene;
import io.vramlab.magics.picture.SceneShape.Anchor;
import io.vramlab.magics.picture.SceneShape.Box;
import io.vramlab.magics.picture.SceneShape.Label;
import io.vramlab.magics.picture.SceneShape.Line;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.text.Sparkline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Pictures of runs beside each other, with what PyTorch recorded of the same programs. */
public final class Draw {

    private static final int WIDTH = Picture.WIDTH;
    private static final int LEFT = 84;
    private static final int RIGHT = WIDTH - 20;
    private static final int TOP = 32;
    private static final int BOTTOM = 212;
    private static final int BAR = 22;
    private static final int GAP = 12;
    private static final int DOT = 5;
    private static final int LABELS = 9;
    private static final int SPARKS = 40;
    private static final int NARROW = 36;
    private static final int LETTERS = 14;
    private static final Paint THEIRS = Paint.plain("#000000");

    private Draw() {
    }

    /**
     * What is allocated after each moment: a line for each run, and a dot for each moment that PyTorch recorded.
     *
     * @param title
     *            what the picture is of
     * @param runs
     *            at most as many as there are colours
     */
    public static ReportTable held(String title, Marks... runs) {
        Axis axis = Axis.upTo(
                Arrays.stream(runs).flatMap(run -> run.all().stream()).mapToLong(Mark::allocated).max().orElse(0),
                BOTTOM - TOP);
        int moments = Arrays.stream(runs).mapToInt(run -> run.all().size()).max().orElse(1);
        Scene scene = new Scene(WIDTH, BOTTOM + 40 + 18 * runs.length);
        scene.add(new Label(12, 18, title, 13, Anchor.START, true));
        for (long tick = 0; tick <= axis.top(); tick += axis.step()) {
            double y = BOTTOM - axis.height(tick);
            scene.add(Line.straight(LEFT, y, RIGHT, y, "#cccccc"));
            scene.add(new Label(LEFT - 6, y + 4, axis.label(tick), 11, Anchor.END, false));
        }
        List<String> told = new ArrayList<>();
        for (int i = 0; i < runs.length; i++) {
            List<Mark> marks = runs[i].all();
            double[] xs = new double[marks.size()];
            double[] ys = new double[marks.size()];
            for (int m = 0; m < xs.length; m++) {
                xs[m] = x(m, moments);
                ys[m] = BOTTOM - axis.height(marks.get(m).allocated());
            }
            Paint paint = Palette.group(i);
            scene.add(new Line(xs, ys, paint.color(), 2, i > 0));
            dots(scene, runs[i], marks, moments, axis);
            double legend = BOTTOM + 36 + 18.0 * i;
            scene.add(new Line(new double[]{LEFT, LEFT + 24}, new double[]{legend, legend}, paint.color(), 2, i > 0));
            scene.add(Label.at(LEFT + 30, BOTTOM + 40 + 18 * i, legend(runs[i])));
            told.add(runs[i].name() + " ends with " + ReadableSizes.text(marks.getLast().allocated()) + ", "
                    + ReadableSizes.text(runs[i].peak()) + " at its peak");
        }
        if (Arrays.stream(runs).anyMatch(Marks::isRecorded)) {
            scene.add(new Label(RIGHT, BOTTOM + 40, "dots: what PyTorch 2.11 recorded on an H200", 11, Anchor.END,
                    false));
        }
        moments(scene, longest(runs), moments);
        return report(new Picture(scene, title + ": " + String.join("; ", told), sparks(runs)), runs);
    }

    /** A line goes from moment to moment; a peak that lies between two is told beside it. */
    private static String legend(Marks run) {
        long drawn = run.all().stream().mapToLong(Mark::allocated).max().orElse(0);
        return run.name() + (run.peak() > drawn
                ? "; peak " + ReadableSizes.text(run.peak()) + ", between two moments"
                : "");
    }

    private static Marks longest(Marks... runs) {
        return Arrays.stream(runs).max((a, b) -> Integer.compare(a.all().size(), b.all().size())).orElseThrow();
    }

    private static void dots(Scene scene, Marks run, List<Mark> marks, int moments, Axis axis) {
        List<Mark> theirs = run.recorded().all();
        for (int m = 0; m < Math.min(theirs.size(), marks.size()); m++) {
            scene.add(new Box(x(m, moments) - DOT / 2.0, BOTTOM - axis.height(theirs.get(m).allocated()) - DOT / 2.0,
                    DOT, DOT,
                    THEIRS, marks.get(m).label() + ": " + ReadableSizes.text(marks.get(m).allocated()) + ", PyTorch: "
                            + ReadableSizes.text(theirs.get(m).allocated())));
        }
    }

    /** As many moments are named as there is room for. */
    private static void moments(Scene scene, Marks run, int moments) {
        int each = Math.max(1, (moments + LABELS - 1) / LABELS);
        int last = run.all().size() - 1;
        for (int m = 0; m <= last; m += each) {
            boolean atTheEnd = RIGHT - x(m, moments) < NARROW;
            if (atTheEnd && m > 0 && x(m, moments) - x(m - each, moments) < 3 * NARROW) {
                continue;
            }
            String label = run.all().get(m).label();
            scene.add(new Label(x(m, moments), BOTTOM + 16,
                    label.length() > LETTERS ? label.substring(0, LETTERS - 1) + "…" : label, 10,
                    m == 0 ? Anchor.START : atTheEnd ? Anchor.END : Anchor.MIDDLE, false));
        }
    }

    private static String sparks(Marks... runs) {
        return Arrays.stream(runs)
                .map(run -> Sparkline.of(run.all().stream().mapToLong(Mark::allocated).toArray(), SPARKS) + " "
                        + run.name())
                .collect(Collectors.joining("\n"));
    }

    /** The highest peak of each run as a bar, and a stroke where PyTorch's was. */
    public static ReportTable peaks(String title, Marks... runs) {
        return report(bars(title, "allocated at the peak", Marks::peak, runs), runs);
    }

    /** What is allocated at one moment of each run as a bar, and a stroke where it was in PyTorch. */
    public static ReportTable at(String title, String moment, Marks... runs) {
        ToLongFunction<Marks> figure = run -> run.at(moment).allocated();
        boolean compared = Arrays.stream(runs).anyMatch(Marks::isRecorded);
        RowBuilder rows = new RowBuilder().text("run").number("after " + moment + " bytes");
        if (compared) {
            rows.number("PyTorch's bytes");
        }
        for (Marks run : runs) {
            List<Object> cells = new ArrayList<>(List.of(run.name(), figure.applyAsLong(run)));
            if (compared) {
                cells.add(run.isRecorded() ? figure.applyAsLong(run.recorded()) : null);
            }
            rows.row(cells.toArray());
        }
        return rows.report("In figures").picture(bars(title, "after " + moment, figure, runs), false);
    }

    private static Picture bars(String title, String what, ToLongFunction<Marks> figure,
            Marks... runs) {
        long most = Math.max(1, Arrays.stream(runs).mapToLong(figure).max().orElse(0));
        Scene scene = new Scene(WIDTH, TOP + runs.length * (BAR + GAP) + 26);
        scene.add(new Label(12, 18, title, 13, Anchor.START, true));
        List<String> told = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        boolean recorded = false;
        int left = 200;
        double wide = RIGHT - 90.0 - left;
        for (int i = 0; i < runs.length; i++) {
            long ours = figure.applyAsLong(runs[i]);
            int y = TOP + i * (BAR + GAP);
            scene.add(new Label(left - 8, y + 15, runs[i].name(), 12, Anchor.END, false));
            scene.add(new Box(left, y, wide * ours / most, BAR, Palette.group(0),
                    runs[i].name() + ": " + ReadableSizes.text(ours)));
            if (runs[i].isRecorded()) {
                recorded = true;
                double x = left + wide * figure.applyAsLong(runs[i].recorded()) / most;
                scene.add(Line.straight(x, y - 4, x, y + BAR + 4, THEIRS.color()));
            }
            scene.add(new Label(left + wide * ours / most + 8, y + 15, ReadableSizes.text(ours), 12, Anchor.START,
                    false));
            told.add(runs[i].name() + " " + ReadableSizes.text(ours));
            text.append(i == 0 ? "" : "\n").append("█".repeat((int) Math.max(1, SPARKS * ours / most))).append(' ')
                    .append(runs[i].name());
        }
        scene.add(Label.at(left, TOP + runs.length * (BAR + GAP) + 12,
                "bar: " + what + (recorded ? "; black stroke: PyTorch 2.11's on an H200" : "")));
        return new Picture(scene, title + ": " + String.join("; ", told), text.toString());
    }

    private static ReportTable report(Picture picture, Marks... runs) {
        boolean compared = Arrays.stream(runs).anyMatch(Marks::isRecorded);
        RowBuilder rows = new RowBuilder().text("run").number("final bytes", "peak bytes");
        if (compared) {
            rows.number("PyTorch's peak bytes").text("equal to PyTorch's");
        }
        for (Marks run : runs) {
            List<Object> cells = new ArrayList<>(List.of(run.name(), run.all().getLast().allocated(), run.peak()));
            if (compared) {
                cells.add(run.isRecorded() ? run.recorded().peak() : null);
                cells.add(run.isRecorded() ? run.told() : "");
            }
            rows.row(cells.toArray());
        }
        return rows.report("In figures").picture(picture, false);
    }

    private static double x(int moment, int moments) {
        return LEFT + (moments == 1 ? 0 : moment / (double) (moments - 1)) * (RIGHT - LEFT);
    }

}

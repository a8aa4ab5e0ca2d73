package io.vramlab.magics.timeline;

import io.vramlab.magics.picture.Axis;
import io.vramlab.magics.picture.Paint;
import io.vramlab.magics.picture.Palette;
import io.vramlab.magics.picture.Picture;
import io.vramlab.magics.picture.Scene;
import io.vramlab.magics.picture.SceneShape;
import io.vramlab.magics.picture.SceneShape.Anchor;
import io.vramlab.magics.picture.SceneShape.Box;
import io.vramlab.magics.picture.SceneShape.Label;
import io.vramlab.magics.picture.SceneShape.Line;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.text.Sparkline;
import io.vramlab.magics.track.EventLog;
import io.vramlab.magics.track.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Allocated, reserved and requested bytes over events or time, with cells as bands. */
public final class TimelinePicture {

    private static final int WIDTH = Picture.WIDTH;
    private static final int LEFT = 78;
    private static final int RIGHT = 14;
    private static final int TOP = 52;
    private static final int PLOT = 210;
    private static final int COLUMNS = 400;
    /** Of the title's letters so many fit across. */
    private static final int ACROSS = 92;

    /**
     * What is drawn.
     *
     * @param title
     *            for instance {@code cuda:0}
     * @param from
     *            number of the first event
     * @param to
     *            number of the first event that is left out
     * @param byTime
     *            true for a time axis, false for one step per event
     * @param bands
     *            cells and marks, in order
     * @param limit
     *            the most that may be reserved, in bytes
     * @param group
     *            the group of a block for stacked areas, or null
     * @param paint
     *            the paint of a group
     */
    public record Request(String title, long from, long to, boolean byTime, List<Region> bands, long limit,
            Function<EventLog.Live, String> group, Function<String, Paint> paint) {
    }

    private final Request request;
    private final Curve curve;
    private final Axis axis;
    private final Scene scene;

    private TimelinePicture(EventLog log, Request request) {
        this.request = request;
        this.curve = Curve.of(log, request.from(), request.to(), COLUMNS, request.byTime(), request.group());
        long most = Math.max(curve.peak, Arrays.stream(curve.reserved).max().orElse(0));
        boolean limitNear = request.limit() > 0 && request.limit() <= 1.6 * most;
        this.axis = Axis.upTo(Math.max(limitNear ? request.limit() : most, 1), PLOT);
        int groups = request.group() == null ? 3 : curve.groups.size();
        this.scene = new Scene(WIDTH, TOP + PLOT + 30 + 18 * ((groups + 2) / 3));
    }

    /** Draws. */
    public static Picture draw(EventLog log, Request request) {
        return new TimelinePicture(log, request).draw();
    }

    private Picture draw() {
        String words = words();
        title(words);
        bands();
        grid();
        List<Map.Entry<String, Paint>> legend = new ArrayList<>();
        if (request.group() == null) {
            stack(new long[curve.columns], curve.allocated, Palette.group(4));
            line(curve.reserved, "#000000", false);
            line(curve.requested, "#d55e00", true);
            legend.add(Map.entry("allocated", Palette.group(4)));
            legend.add(Map.entry("reserved (line)", Paint.plain("#000000")));
            legend.add(Map.entry("requested (broken line)", Paint.plain("#d55e00")));
        } else {
            groups(legend);
            line(curve.reserved, "#000000", false);
        }
        marks();
        drawLegend(legend);
        long now = curve.end.allocated();
        String text = Sparkline.of(curve.allocated, 60) + "\nallocated " + ReadableSizes.text(now) + " now, "
                + ReadableSizes.text(curve.peak) + " at the peak; reserved " + ReadableSizes.text(curve.end.reserved());
        return new Picture(scene, words, request.title() + " " + text);
    }

    /** Where the words are too many for one line, the last of them stand below. */
    private void title(String words) {
        int end = words.length() <= ACROSS ? -1 : words.lastIndexOf(", ", ACROSS);
        scene.add(new Label(12, 18, end < 0 ? words : words.substring(0, end), 13, Anchor.START, true));
        if (end >= 0) {
            scene.add(new Label(12, 34, words.substring(end + 2), 11, Anchor.START, true));
        }
    }

    private String words() {
        String where = request.bands().stream()
                .filter(b -> b.from() < curve.peakIndex && curve.peakIndex <= b.to()).map(b -> " in " + b.label())
                .reduce((a, b) -> b).orElse("");
        long failures = curve.failures.size();
        return request.title() + ": peak " + ReadableSizes.text(curve.peak) + where + ", now "
                + ReadableSizes.text(curve.end.allocated()) + " allocated of "
                + ReadableSizes.text(curve.end.reserved()) + " reserved"
                + (failures == 0 ? "" : ", out of memory " + (failures == 1 ? "once" : failures + " times"));
    }

    private double x(double share) {
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    private double y(long bytes) {
        return TOP + PLOT - axis.height(bytes);
    }

    private void bands() {
        boolean shaded = false;
        for (Region band : request.bands()) {
            double left = x(curve.x(band.from()));
            double right = x(curve.x(band.to()));
            if (right - left < 0.2) {
                continue;
            }
            scene.add(new Box(left, TOP, right - left, PLOT, Paint.plain(shaded ? "#ffffff" : "#f0f0f0"), null));
            shaded = !shaded;
            if (right - left > 7.0 * band.label().length()) {
                scene.add(new Label((left + right) / 2, TOP - 4, band.label(), 10, Anchor.MIDDLE, false));
            }
        }
    }

    private void grid() {
        for (long tick = 0; tick <= axis.top(); tick += axis.step()) {
            scene.add(Line.straight(LEFT, y(tick), WIDTH - RIGHT, y(tick), "#cccccc"));
            scene.add(new Label(LEFT - 6, y(tick) + 4, axis.label(tick), 11, Anchor.END, false));
        }
        scene.add(new Label(WIDTH - RIGHT, TOP + PLOT + 14, request.byTime() ? "time →" : "events →", 10, Anchor.END,
                false));
    }

    private void groups(List<Map.Entry<String, Paint>> legend) {
        List<Map.Entry<String, long[]>> order = new ArrayList<>(curve.groups.entrySet());
        order.sort((a, b) -> Long.compare(Arrays.stream(b.getValue()).max().orElse(0),
                Arrays.stream(a.getValue()).max().orElse(0)));
        long[] floor = new long[curve.columns];
        for (int g = 0; g < order.size(); g++) {
            boolean own = g < Palette.size() - 1;
            Paint paint = own ? request.paint().apply(order.get(g).getKey()) : Palette.OTHER;
            long[] top = floor.clone();
            for (int c = 0; c < top.length; c++) {
                top[c] += order.get(g).getValue()[c];
            }
            stack(floor, top, paint);
            if (own) {
                legend.add(Map.entry(order.get(g).getKey(), paint));
            } else if (g == Palette.size() - 1) {
                legend.add(Map.entry(ReadableSizes.count(order.size() - g, "other"), paint));
            }
            floor = top;
        }
    }

    private double[] corners() {
        double[] xs = new double[2 * curve.columns];
        for (int c = 0; c < curve.columns; c++) {
            xs[2 * c] = x((double) c / curve.columns);
            xs[2 * c + 1] = x((double) (c + 1) / curve.columns);
        }
        return xs;
    }

    private double[] heights(long[] values) {
        double[] ys = new double[2 * values.length];
        for (int c = 0; c < values.length; c++) {
            ys[2 * c] = y(values[c]);
            ys[2 * c + 1] = ys[2 * c];
        }
        return ys;
    }

    private void stack(long[] floor, long[] top, Paint paint) {
        scene.add(Steps.area(corners(), heights(top), heights(floor), paint));
    }

    private void line(long[] values, String color, boolean dashed) {
        scene.add(Steps.line(corners(), heights(values), color, dashed));
    }

    private void marks() {
        if (request.limit() > 0 && request.limit() <= axis.top()) {
            double y = y(request.limit());
            scene.add(new Line(new double[]{LEFT, WIDTH - RIGHT}, new double[]{y, y}, "#a00000", 1.5, true));
            scene.add(new Label(LEFT + 4, y + 13, "limit " + ReadableSizes.text(request.limit()), 11, Anchor.START,
                    true));
        }
        for (Curve.Failure failure : curve.failures) {
            double x = x(failure.x());
            scene.add(new Line(new double[]{x, x}, new double[]{TOP, TOP + PLOT}, "#a00000", 2, false));
            scene.add(new Label(x - 4, TOP + PLOT / 2.0, "out of memory", 10, Anchor.END, true));
        }
        if (curve.peak > 0) {
            double x = x(curve.peakX);
            double y = y(curve.peak);
            scene.add(new Box(x - 3, y - 3, 6, 6, Paint.plain("#a00000"), "peak " + ReadableSizes.both(curve.peak)));
            boolean near = x > WIDTH / 2.0;
            scene.add(new Label(near ? x - 8 : x + 8, Math.max(y - 6, TOP + 10),
                    "peak " + ReadableSizes.text(curve.peak), 11,
                    near ? Anchor.END : Anchor.START, true));
        }
    }

    private void drawLegend(List<Map.Entry<String, Paint>> legend) {
        for (int i = 0; i < legend.size(); i++) {
            double left = LEFT + 222 * (i % 3);
            double top = TOP + PLOT + 22 + 18.0 * (i / 3);
            scene.add(new Box(left, top, 18, 12, legend.get(i).getValue(), null));
            String label = legend.get(i).getKey();
            scene.add(Label.at(left + 24, top + 10, label.length() > 30 ? label.substring(0, 29) + "…" : label));
        }
    }

    /** Leaves out the points of level stretches, of which most curves consist. */
    private static final class Steps {

        static SceneShape area(double[] xs, double[] tops, double[] floors, Paint paint) {
            int[] kept = kept(tops, floors);
            return new SceneShape.Area(pick(xs, kept), pick(tops, kept), pick(floors, kept), paint);
        }

        static SceneShape line(double[] xs, double[] ys, String color, boolean dashed) {
            int[] kept = kept(ys, ys);
            return new Line(pick(xs, kept), pick(ys, kept), color, 1.5, dashed);
        }

        private static int[] kept(double[] a, double[] b) {
            List<Integer> kept = new ArrayList<>();
            for (int i = 0; i < a.length; i++) {
                boolean level = i > 0 && i < a.length - 1 && a[i] == a[i - 1] && a[i] == a[i + 1] && b[i] == b[i - 1]
                        && b[i] == b[i + 1];
                if (!level) {
                    kept.add(i);
                }
            }
            return kept.stream().mapToInt(Integer::intValue).toArray();
        }

        private static double[] pick(double[] from, int[] indices) {
            return Arrays.stream(indices).mapToDouble(i -> from[i]).toArray();
        }
    }
}

package io.vramlab.install.report;

import java.util.Arrays;

import io.vramlab.install.story.Story;
import io.vramlab.magics.picture.Paint;
import io.vramlab.magics.picture.Palette;
import io.vramlab.magics.picture.Picture;
import io.vramlab.magics.picture.Scene;
import io.vramlab.magics.picture.SceneShape;
import io.vramlab.memory.Sizes;

/** In use and reserved over the events of a history, with the requests that failed. */
final class StoryPicture {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 260;
    private static final int LEFT = 84;
    private static final int TOP = 34;
    private static final int PLOT = 190;
    private static final int COLUMNS = 400;
    private static final int TICKS = 4;

    private StoryPicture() {
    }

    /** Draws; each column shows the most within it. */
    static Picture of(Story story, String title) {
        int count = story.events().size();
        int columns = Math.max(1, Math.min(COLUMNS, count));
        long[] live = new long[columns];
        long[] reserved = new long[columns];
        for (int i = 0; i < count; i++) {
            int column = (int) ((long) i * columns / count);
            live[column] = Math.max(live[column], story.live(i));
            reserved[column] = Math.max(reserved[column], story.reserved(i));
        }
        long top = Math.max(1, Math.max(Arrays.stream(reserved).max().orElse(1), story.live(story.peak())));
        Scene scene = new Scene(WIDTH, HEIGHT);
        String words = title + ": at most " + Sizes.text(story.live(story.peak())) + " in use, "
                + Sizes.text(story.mostReserved(count - 1)) + " reserved, "
                + failed(story.failures().size());
        scene.add(new SceneShape.Label(12, 18, words, 13, SceneShape.Anchor.START, true));
        for (int tick = 0; tick <= TICKS; tick++) {
            double y = TOP + PLOT - (double) PLOT * tick / TICKS;
            scene.add(SceneShape.Line.straight(LEFT, y, WIDTH - 14, y, "#cccccc"));
            scene.add(new SceneShape.Label(LEFT - 6, y + 4, Sizes.text(top / TICKS * tick), 11, SceneShape.Anchor.END,
                    false));
        }
        double[] xs = new double[2 * columns];
        double[] base = new double[2 * columns];
        Arrays.fill(base, TOP + PLOT);
        for (int c = 0; c < columns; c++) {
            xs[2 * c] = LEFT + (double) (WIDTH - LEFT - 14) * c / columns;
            xs[2 * c + 1] = LEFT + (double) (WIDTH - LEFT - 14) * (c + 1) / columns;
        }
        scene.add(new SceneShape.Area(xs, heights(live, top), base, Palette.group(0)));
        scene.add(new SceneShape.Line(xs, heights(reserved, top), "#000000", 1.5, false));
        for (int failure : story.failures()) {
            double x = LEFT + (double) (WIDTH - LEFT - 14) * failure / count;
            scene.add(new SceneShape.Line(new double[]{x, x}, new double[]{TOP, TOP + PLOT}, "#a00000", 2, false));
        }
        scene.add(new SceneShape.Box(LEFT, TOP + PLOT + 16, 12, 12, Palette.group(0), null));
        scene.add(SceneShape.Label.at(LEFT + 18, TOP + PLOT + 26, "in use (requested bytes)"));
        scene.add(new SceneShape.Box(LEFT + 200, TOP + PLOT + 21, 12, 2, Paint.plain("#000000"), null));
        scene.add(SceneShape.Label.at(LEFT + 218, TOP + PLOT + 26, "reserved"));
        scene.add(new SceneShape.Box(LEFT + 300, TOP + PLOT + 16, 2, 12, Paint.plain("#a00000"), null));
        scene.add(SceneShape.Label.at(LEFT + 308, TOP + PLOT + 26, "out of memory"));
        scene.add(new SceneShape.Label(WIDTH - 14, TOP + PLOT + 26, "events →", 10, SceneShape.Anchor.END, false));
        return new Picture(scene, words, words);
    }

    private static String failed(int requests) {
        return switch (requests) {
            case 0 -> "no request failed";
            case 1 -> "1 request failed";
            default -> Sizes.exact(requests) + " requests failed";
        };
    }

    private static double[] heights(long[] values, long top) {
        double[] ys = new double[2 * values.length];
        for (int c = 0; c < values.length; c++) {
            ys[2 * c] = TOP + PLOT - (double) PLOT * values[c] / top;
            ys[2 * c + 1] = ys[2 * c];
        }
        return ys;
    }
}

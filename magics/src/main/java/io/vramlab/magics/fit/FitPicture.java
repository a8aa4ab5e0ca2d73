package io.vramlab.magics.fit;

import io.vramlab.magics.picture.Paint;
import io.vramlab.magics.picture.Palette;
import io.vramlab.magics.picture.Picture;
import io.vramlab.magics.picture.Scene;
import io.vramlab.magics.picture.SceneShape.Anchor;
import io.vramlab.magics.picture.SceneShape.Box;
import io.vramlab.magics.picture.SceneShape.Label;
import io.vramlab.magics.picture.SceneShape.Line;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.text.Sparkline;
import java.util.List;

/** Peak memory over size, with the device's capacity. */
public final class FitPicture {

    private static final int WIDTH = Picture.WIDTH;
    private static final int HEIGHT = 280;
    private static final int LEFT = 84;
    private static final int TOP = 40;
    private static final int BOTTOM = 236;
    private static final int RIGHT = WIDTH - 20;

    private FitPicture() {
    }

    /** Draws. */
    public static Picture draw(String words, String name, Fit fit, long capacity) {
        List<Trial> fitting = fit.trials().stream().filter(Trial::fits).toList();
        long most = Math.max(capacity, 1);
        int last = fit.trials().get(fit.trials().size() - 1).size();
        int first = fit.trials().get(0).size();
        Scene scene = new Scene(WIDTH, HEIGHT);
        scene.add(new Label(12, 18, words, 13, Anchor.START, true));
        for (int tick = 0; tick <= 4; tick++) {
            double y = y(most * tick / 4, most);
            scene.add(Line.straight(LEFT, y, RIGHT, y, "#cccccc"));
            scene.add(new Label(LEFT - 6, y + 4, tick == 0 ? "0" : ReadableSizes.text(most * tick / 4), 11, Anchor.END,
                    false));
        }
        scene.add(
                new Line(new double[]{LEFT, RIGHT}, new double[]{y(most, most), y(most, most)}, "#a00000", 1.5, true));
        if (!fitting.isEmpty()) {
            double[] xs = fitting.stream().mapToDouble(t -> x(t.size(), first, last)).toArray();
            scene.add(
                    new Line(xs, fitting.stream().mapToDouble(t -> y(t.reservedPeak(), most)).toArray(), "#000000", 1.5,
                            false));
            scene.add(
                    new Line(xs, fitting.stream().mapToDouble(t -> y(t.allocatedPeak(), most)).toArray(), "#0072b2", 2,
                            true));
        }
        for (Trial trial : fit.trials()) {
            double x = x(trial.size(), first, last);
            double y = y(trial.fits() ? Math.min(most, trial.reservedPeak()) : most, most);
            Paint paint = trial.fits() ? Palette.group(0) : Paint.plain("#a00000");
            scene.add(new Box(x - 3, y - 3, 6, 6, paint,
                    name + " = " + ReadableSizes.exact(trial.size()) + (trial.fits()
                            ? " fits, reserved "
                            : " does not fit, reserved ") + ReadableSizes.text(trial.reservedPeak())));
        }
        scene.add(new Label(LEFT, BOTTOM + 16, name + " = " + ReadableSizes.exact(first), 11, Anchor.START, false));
        scene.add(new Label(RIGHT, BOTTOM + 16, ReadableSizes.exact(last), 11, Anchor.END, false));
        scene.add(Label.at(LEFT, BOTTOM + 34,
                "line: reserved peak; broken line: allocated peak; red: does not fit, capacity"));
        long[] curve = fitting.stream().mapToLong(Trial::reservedPeak).toArray();
        return new Picture(scene, words, Sparkline.of(curve, 40) + " reserved peak by " + name);
    }

    private static double x(int size, int first, int last) {
        return LEFT + (last == first ? 0.5 : (size - first) / (double) (last - first)) * (RIGHT - LEFT);
    }

    private static double y(long bytes, long most) {
        return BOTTOM - (BOTTOM - TOP) * (double) bytes / most;
    }
}

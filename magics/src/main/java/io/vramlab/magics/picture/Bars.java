package io.vramlab.magics.picture;

import io.vramlab.magics.picture.SceneShape.Anchor;
import io.vramlab.magics.picture.SceneShape.Box;
import io.vramlab.magics.picture.SceneShape.Label;
import io.vramlab.magics.text.ReadableSizes;
import java.util.ArrayList;
import java.util.List;

/** Amounts of memory beside each other, a bar for each. */
public final class Bars {

    private static final int NAMES = 216;
    private static final int FIGURES = 90;
    private static final int TOP = 32;
    private static final int HEIGHT = 22;
    private static final int GAP = 12;
    private static final int WORDS = 40;

    /**
     * One of them.
     *
     * @param name
     *            what takes it
     * @param bytes
     *            how much
     * @param paint
     *            what a kind of tensor has in other pictures too
     */
    public record Bar(String name, long bytes, Paint paint) {
    }

    private Bars() {
    }

    /** Draws them in this order. */
    public static Picture draw(String title, List<Bar> bars) {
        long most = Math.max(1, bars.stream().mapToLong(Bar::bytes).max().orElse(0));
        double wide = Picture.WIDTH - 20.0 - FIGURES - NAMES;
        Scene scene = new Scene(Picture.WIDTH, TOP + bars.size() * (HEIGHT + GAP));
        scene.add(new Label(12, 18, title, 13, Anchor.START, true));
        List<String> told = new ArrayList<>();
        List<String> text = new ArrayList<>();
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            String size = ReadableSizes.text(bar.bytes());
            int y = TOP + i * (HEIGHT + GAP);
            double length = wide * bar.bytes() / most;
            scene.add(new Label(NAMES - 8, y + 15, bar.name(), 12, Anchor.END, false));
            scene.add(new Box(NAMES, y, length, HEIGHT, bar.paint(), bar.name() + ": " + size));
            scene.add(new Label(NAMES + length + 8, y + 15, size, 12, Anchor.START, false));
            told.add(bar.name() + " " + size);
            text.add("█".repeat((int) Math.max(1, WORDS * bar.bytes() / most)) + " " + bar.name());
        }
        return new Picture(scene, title + ": " + String.join("; ", told), String.join("\n", text));
    }
}

package io.vramlab.magics.picture;

import java.util.ArrayList;
import java.util.List;

/** A picture as a list of shapes, drawn in order on a white card. */
public final class Scene {

    private final int width;
    private final int height;
    private final List<SceneShape> shapes = new ArrayList<>();

    /** An empty card of this size in pixels. */
    public Scene(int width, int height) {
        this.width = width;
        this.height = height;
    }

    /** Draws a shape over what is there. */
    public Scene add(SceneShape shape) {
        shapes.add(shape);
        return this;
    }

    /** Pixels across. */
    public int width() {
        return width;
    }

    /** Pixels down. */
    public int height() {
        return height;
    }

    /** The shapes in drawing order. */
    public List<SceneShape> shapes() {
        return List.copyOf(shapes);
    }
}

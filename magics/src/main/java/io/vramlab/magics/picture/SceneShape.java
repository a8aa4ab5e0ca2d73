package io.vramlab.magics.picture;

/** A thing in a scene. Coordinates are pixels from the top left corner. */
public sealed interface SceneShape {

    /**
     * A rectangle.
     *
     * @param title
     *            what the pointer tells over it, or null
     */
    record Box(double x, double y, double width, double height, Paint paint, String title) implements SceneShape {
    }

    /**
     * An area below a curve of steps: from {@code (xs[0], base)} along the points and back.
     *
     * @param tops
     *            the upper edge at each x
     * @param bottoms
     *            the lower edge at each x
     */
    record Area(double[] xs, double[] tops, double[] bottoms, Paint paint) implements SceneShape {
    }

    /**
     * A line through points.
     *
     * @param dashed
     *            true for a broken line
     */
    record Line(double[] xs, double[] ys, String color, double width, boolean dashed) implements SceneShape {

        /** A straight line. */
        public static Line straight(double x1, double y1, double x2, double y2, String color) {
            return new Line(new double[]{x1, x2}, new double[]{y1, y2}, color, 1, false);
        }
    }

    /** A line of text. */
    record Label(double x, double y, String text, int size, Anchor anchor, boolean bold) implements SceneShape {

        /** Small text that begins at a point on its base line. */
        public static Label at(double x, double y, String text) {
            return new Label(x, y, text, 11, Anchor.START, false);
        }

        /** Small bold text names a point among curves: it stands out from them by a white rim. */
        boolean isOverCurves() {
            return bold && size <= 11;
        }
    }

    /** Which part of a label lies at its x. */
    enum Anchor {
        /** Its left end. */
        START,
        /** Its middle. */
        MIDDLE,
        /** Its right end. */
        END
    }
}

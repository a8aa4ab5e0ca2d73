package io.vramlab.magics.picture;

import io.vramlab.kernel.spi.text.Html;
import io.vramlab.kernel.spi.text.Visible;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes a scene as SVG: no script, no style sheet, nothing from outside. */
final class Svg {

    private final StringBuilder out = new StringBuilder();
    private final Map<Paint, String> patterns = new LinkedHashMap<>();
    private Paint open;
    private double openHeight;
    private double penX;
    private double penY;

    private Svg() {
    }

    static String of(Scene scene) {
        Svg svg = new Svg();
        svg.out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"").append(scene.width())
                .append("\" height=\"")
                .append(scene.height()).append("\" viewBox=\"0 0 ").append(scene.width()).append(' ')
                .append(scene.height()).append("\" font-family=\"sans-serif\"><rect width=\"100%\" height=\"100%\" ")
                .append("rx=\"6\" fill=\"#ffffff\"/>");
        for (SceneShape shape : scene.shapes()) {
            if (!(shape instanceof SceneShape.Box)) {
                svg.closeBoxes();
            }
            switch (shape) {
                case SceneShape.Box box -> svg.box(box);
                case SceneShape.Area area -> svg.area(area);
                case SceneShape.Line line -> svg.line(line);
                case SceneShape.Label label -> svg.label(label);
            }
        }
        svg.closeBoxes();
        return svg.out.append(svg.definitions()).append("</svg>").toString();
    }

    /**
     * Boxes of one paint share one path, and those side by side are strokes of one broken line: a map of thousands of
     * blocks stays small.
     */
    private void box(SceneShape.Box box) {
        if (!box.paint().equals(open) || box.height() != openHeight) {
            closeBoxes();
            out.append("<path stroke=\"").append(fill(box.paint())).append("\" stroke-width=\"")
                    .append(number(box.height()))
                    .append("\" d=\"");
            open = box.paint();
            openHeight = box.height();
            penY = Double.NaN;
        }
        double x = tenths(box.x());
        double y = tenths(box.y() + box.height() / 2);
        double end = tenths(box.x() + box.width());
        if (y == penY) {
            out.append('m').append(number(x - penX)).append(" 0");
        } else {
            out.append('M').append(number(x)).append(' ').append(number(y));
        }
        out.append('h').append(number(end - x));
        penX = end;
        penY = y;
    }

    private static double tenths(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private void closeBoxes() {
        if (open != null) {
            out.append("\"/>");
            open = null;
        }
    }

    private void area(SceneShape.Area area) {
        out.append("<path fill=\"").append(fill(area.paint())).append("\" d=\"");
        for (int i = 0; i < area.xs().length; i++) {
            out.append(i == 0 ? 'M' : 'L').append(number(area.xs()[i])).append(' ').append(number(area.tops()[i]));
        }
        for (int i = area.xs().length - 1; i >= 0; i--) {
            out.append('L').append(number(area.xs()[i])).append(' ').append(number(area.bottoms()[i]));
        }
        out.append("z\"/>");
    }

    private void line(SceneShape.Line line) {
        out.append("<path fill=\"none\" stroke=\"").append(line.color()).append("\" stroke-width=\"")
                .append(number(line.width())).append(line.dashed() ? "\" stroke-dasharray=\"5 3" : "")
                .append("\" d=\"");
        for (int i = 0; i < line.xs().length; i++) {
            out.append(i == 0 ? 'M' : 'L').append(number(line.xs()[i])).append(' ').append(number(line.ys()[i]));
        }
        out.append("\"/>");
    }

    private void label(SceneShape.Label label) {
        out.append("<text x=\"").append(number(label.x())).append("\" y=\"").append(number(label.y()))
                .append("\" font-size=\"").append(label.size()).append("\" fill=\"#222222\"");
        switch (label.anchor()) {
            case START -> {
            }
            case MIDDLE -> out.append(" text-anchor=\"middle\"");
            case END -> out.append(" text-anchor=\"end\"");
        }
        if (label.isOverCurves()) {
            out.append(" stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\"");
        }
        out.append(label.bold() ? " font-weight=\"bold\">" : ">").append(Html.escape(Visible.text(label.text())))
                .append("</text>");
    }

    private String fill(Paint paint) {
        if (paint.hatch() == Hatch.NONE) {
            return paint.color();
        }
        return "url(#" + patterns.computeIfAbsent(paint, p -> "p" + patterns.size()) + ")";
    }

    private String definitions() {
        StringBuilder defs = new StringBuilder("<defs>");
        patterns.forEach((paint, id) -> defs.append("<pattern id=\"").append(id)
                .append("\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path fill=\"")
                .append(paint.color())
                .append("\" d=\"M0 0h6v6h-6z\"/><path stroke=\"").append(paint.ink()).append("\" d=\"")
                .append(paint.hatch().path()).append("\"/></pattern>"));
        return patterns.isEmpty() ? "" : defs.append("</defs>").toString();
    }

    private static String number(double value) {
        double rounded = tenths(value);
        return rounded == Math.rint(rounded)
                ? Long.toString((long) rounded)
                : String.format(Locale.ROOT, "%.1f", rounded);
    }
}

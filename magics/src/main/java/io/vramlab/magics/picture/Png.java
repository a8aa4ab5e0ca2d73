package io.vramlab.magics.picture;

import io.vramlab.kernel.spi.text.Visible;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.TexturePaint;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/** Draws a scene as PNG at twice its size, for places that show no SVG. */
final class Png {

    private static final int SCALE = 2;

    private final Graphics2D canvas;

    private Png(Graphics2D canvas) {
        this.canvas = canvas;
    }

    static byte[] of(Scene scene) {
        BufferedImage image = new BufferedImage(scene.width() * SCALE, scene.height() * SCALE,
                BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        try {
            canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            canvas.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            canvas.scale(SCALE, SCALE);
            canvas.setColor(Color.WHITE);
            canvas.fillRect(0, 0, scene.width(), scene.height());
            new Png(canvas).draw(scene);
        } finally {
            canvas.dispose();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private void draw(Scene scene) {
        for (SceneShape shape : scene.shapes()) {
            switch (shape) {
                case SceneShape.Box box -> {
                    paint(box.paint());
                    canvas.fill(new Rectangle2D.Double(box.x(), box.y(), box.width(), box.height()));
                }
                case SceneShape.Area area -> {
                    paint(area.paint());
                    canvas.fill(outline(area));
                }
                case SceneShape.Line line -> line(line);
                case SceneShape.Label label -> label(label);
            }
        }
    }

    private static Path2D outline(SceneShape.Area area) {
        Path2D path = new Path2D.Double();
        path.moveTo(area.xs()[0], area.tops()[0]);
        for (int i = 1; i < area.xs().length; i++) {
            path.lineTo(area.xs()[i], area.tops()[i]);
        }
        for (int i = area.xs().length - 1; i >= 0; i--) {
            path.lineTo(area.xs()[i], area.bottoms()[i]);
        }
        path.closePath();
        return path;
    }

    private void line(SceneShape.Line line) {
        canvas.setPaint(Color.decode(line.color()));
        float[] dashes = line.dashed() ? new float[]{5, 3} : null;
        canvas.setStroke(
                new BasicStroke((float) line.width(), BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, dashes, 0));
        Path2D path = new Path2D.Double();
        path.moveTo(line.xs()[0], line.ys()[0]);
        for (int i = 1; i < line.xs().length; i++) {
            path.lineTo(line.xs()[i], line.ys()[i]);
        }
        canvas.draw(path);
    }

    private void label(SceneShape.Label label) {
        canvas.setFont(new Font(Font.SANS_SERIF, label.bold() ? Font.BOLD : Font.PLAIN, label.size()));
        canvas.setPaint(Color.decode("#222222"));
        String text = Visible.text(label.text());
        double width = canvas.getFontMetrics().stringWidth(text);
        double x = switch (label.anchor()) {
            case START -> label.x();
            case MIDDLE -> label.x() - width / 2;
            case END -> label.x() - width;
        };
        if (label.isOverCurves()) {
            canvas.setPaint(Color.WHITE);
            for (int side = 0; side < 4; side++) {
                canvas.drawString(text, (float) x + side % 2 * 2 - 1, (float) label.y() + side / 2 * 2 - 1);
            }
            canvas.setPaint(Color.decode("#222222"));
        }
        canvas.drawString(text, (float) x, (float) label.y());
    }

    private void paint(Paint paint) {
        if (paint.hatch() == Hatch.NONE) {
            canvas.setPaint(Color.decode(paint.color()));
            return;
        }
        int size = 6 * SCALE;
        BufferedImage tile = new BufferedImage(size, size, BufferedImage.TYPE_INT_RGB);
        Graphics2D strokes = tile.createGraphics();
        strokes.setPaint(Color.decode(paint.color()));
        strokes.fillRect(0, 0, size, size);
        strokes.scale(SCALE, SCALE);
        strokes.setPaint(Color.decode(paint.ink()));
        for (String stroke : paint.hatch().path().substring(1).split("M")) {
            String[] ends = stroke.split("[L ]");
            strokes.drawLine(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]), Integer.parseInt(ends[2]),
                    Integer.parseInt(ends[3]));
        }
        strokes.dispose();
        canvas.setPaint(new TexturePaint(tile, new Rectangle2D.Double(0, 0, 6, 6)));
    }
}

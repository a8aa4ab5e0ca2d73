package io.vramlab.magics.picture;

import io.vramlab.kernel.spi.text.Html;
import io.vramlab.kernel.spi.text.Visible;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/**
 * A scene with what it says in words.
 *
 * @param scene
 *            what is drawn
 * @param alt
 *            the result in one sentence, for those who cannot see it
 * @param text
 *            its twin in plain text
 */
public record Picture(Scene scene, String alt, String text) {

    /** Pixels across: what JupyterLab's column has room for beside its file browser on a small screen. */
    public static final int WIDTH = 760;

    /** More would not be found with a pointer, and the notebook would grow with them. */
    private static final int MOST_TITLES = 200;

    /** The SVG text. */
    public String svg() {
        return Svg.of(scene);
    }

    /** An {@code <img>} of the SVG that shrinks with its column, and over it what the pointer tells. */
    public String html() {
        String svg = svg();
        return image("svg+xml", Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8)));
    }

    /** An {@code <img>} of the PNG, with the same over it. */
    public String pngHtml() {
        return image("png", pngBase64());
    }

    /** The PNG as a MIME bundle wants it. */
    public String pngBase64() {
        return Base64.getEncoder().encodeToString(Png.of(scene));
    }

    private String image(String format, String data) {
        StringBuilder out = new StringBuilder("<div style=\"position:relative;max-width:").append(scene.width())
                .append("px\"><img src=\"data:image/").append(format).append(";base64,").append(data)
                .append("\" width=\"").append(scene.width()).append("\" alt=\"")
                .append(Html.escape(Visible.text(alt))).append("\" style=\"width:100%;height:auto;max-width:100%\">");
        scene.shapes().stream().filter(s -> s instanceof SceneShape.Box b && b.title() != null).limit(MOST_TITLES)
                .forEach(shape -> title((SceneShape.Box) shape, out));
        return out.append("</div>").toString();
    }

    /**
     * Transparent, in percent of the picture so that it shrinks with it. An image map would not, and JupyterLab takes the
     * name of a map away in a notebook that is not trusted.
     */
    private void title(SceneShape.Box box, StringBuilder out) {
        out.append("<span style=\"position:absolute;left:").append(percent(box.x(), scene.width())).append(";top:")
                .append(percent(box.y(), scene.height())).append(";width:")
                .append(percent(box.width(), scene.width())).append(";height:")
                .append(percent(box.height(), scene.height())).append("\" title=\"")
                .append(Html.escape(Visible.text(box.title()))).append("\"></span>");
    }

    private static String percent(double part, double whole) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * part / whole);
    }
}

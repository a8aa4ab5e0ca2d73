package io.vramlab.magics.picture;

import io.vramlab.magics.text.Html;
import io.vramlab.magics.text.Visible;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32;

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

    /** More would not be found with a pointer, and the notebook would grow with them. */
    private static final int MOST_TITLES = 200;

    /** The SVG text. */
    public String svg() {
        return Svg.of(scene);
    }

    /** An {@code <img>} of the SVG, with an image map that tells the titles. */
    public String html() {
        String svg = svg();
        return image("svg+xml", Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8)));
    }

    /** An {@code <img>} of the PNG, with the same image map. */
    public String pngHtml() {
        return image("png", pngBase64());
    }

    /** The PNG as a MIME bundle wants it. */
    public String pngBase64() {
        return Base64.getEncoder().encodeToString(Png.of(scene));
    }

    private String image(String format, String data) {
        StringBuilder areas = new StringBuilder();
        int titles = 0;
        for (Shape shape : scene.shapes()) {
            if (shape instanceof Shape.Box box && box.title() != null && titles < MOST_TITLES) {
                area(box, areas);
                titles++;
            }
        }
        CRC32 sum = new CRC32();
        sum.update(data.getBytes(StandardCharsets.US_ASCII));
        String name = "m" + Long.toHexString(sum.getValue());
        StringBuilder out = new StringBuilder("<img src=\"data:image/").append(format).append(";base64,").append(data)
                .append("\" width=\"").append(scene.width()).append("\" height=\"").append(scene.height())
                .append("\" alt=\"").append(Html.escape(Visible.text(alt))).append('"');
        if (titles == 0) {
            return out.append(" style=\"max-width:none\">").toString();
        }
        return out.append(" usemap=\"#").append(name).append("\" style=\"max-width:none\"><map name=\"").append(name)
                .append("\">").append(areas).append("</map>").toString();
    }

    private static void area(Shape.Box box, StringBuilder areas) {
        areas.append("<area shape=\"rect\" coords=\"").append(Math.round(box.x())).append(',')
                .append(Math.round(box.y()))
                .append(',').append(Math.round(box.x() + box.width())).append(',')
                .append(Math.round(box.y() + box.height())).append("\" title=\"")
                .append(Html.escape(Visible.text(box.title()))).append("\">");
    }
}

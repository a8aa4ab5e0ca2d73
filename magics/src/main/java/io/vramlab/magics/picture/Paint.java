package io.vramlab.magics.picture;

/**
 * How an area is filled.
 *
 * @param color
 *            {@code #rrggbb}
 * @param hatch
 *            the pattern over it
 */
public record Paint(String color, Hatch hatch) {

    /** A plain colour. */
    public static Paint plain(String color) {
        return new Paint(color, Hatch.NONE);
    }

    /** The strokes' colour: dark on bright colours and white on dark ones. */
    String ink() {
        int rgb = Integer.parseInt(color.substring(1), 16);
        int brightness = 299 * (rgb >> 16) + 587 * (rgb >> 8 & 255) + 114 * (rgb & 255);
        return brightness > 128_000 ? "#555555" : "#ffffff";
    }
}

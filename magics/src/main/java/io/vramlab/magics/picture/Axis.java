package io.vramlab.magics.picture;

import io.vramlab.magics.text.ReadableSizes;

/**
 * An upright scale of bytes with round ticks.
 *
 * @param top
 *            bytes at the upper end
 * @param step
 *            bytes from one tick to the next
 * @param pixels
 *            from 0 to the upper end
 */
public record Axis(long top, long step, double pixels) {

    /** A scale on which so many bytes have room, with at most six ticks above 0. */
    public static Axis upTo(long most, double pixels) {
        long step = 512;
        while (most / step >= 6) {
            step *= 2;
        }
        long top = Math.max(step, (most + step - 1) / step * step);
        return new Axis(top, step, pixels);
    }

    /** Pixels above 0. */
    public double height(long bytes) {
        return pixels * bytes / top;
    }

    /** What stands at a tick. */
    public String label(long bytes) {
        if (bytes == 0) {
            return "0";
        }
        String text = ReadableSizes.text(bytes);
        return text.replace(".00 ", " ");
    }
}

package io.vramlab.magics.timeline;

import io.vramlab.magics.text.ReadableSizes;

/** An upright scale of bytes with round ticks. */
record Axis(long top, long step, double pixels) {

    static Axis upTo(long most, double pixels) {
        long step = 512;
        while (most / step >= 6) {
            step *= 2;
        }
        long top = Math.max(step, (most + step - 1) / step * step);
        return new Axis(top, step, pixels);
    }

    double height(long bytes) {
        return pixels * bytes / top;
    }

    String label(long bytes) {
        if (bytes == 0) {
            return "0";
        }
        String text = ReadableSizes.text(bytes);
        return text.replace(".00 ", " ");
    }
}

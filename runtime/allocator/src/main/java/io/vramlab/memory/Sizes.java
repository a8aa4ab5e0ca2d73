package io.vramlab.memory;

import io.vramlab.device.ByteSize;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Byte counts as text. */
public final class Sizes {

    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private Sizes() {
    }

    /**
     * {@return a size as PyTorch's messages print it: {@code 512 bytes}, {@code 20.00 MiB}}
     *
     * <p>
     * Two decimals, the unit's bound inclusive ("1024.00 MiB" is exactly 1 GiB), rounded half to even on the exact
     * quotient as C++ streams do.
     *
     * @param bytes
     *            the size
     */
    public static String text(final long bytes) {
        if (bytes <= KIB) {
            return bytes + " bytes";
        }
        if (bytes <= MIB) {
            return scaled(bytes, KIB) + " KiB";
        }
        return bytes <= GIB ? scaled(bytes, MIB) + " MiB" : scaled(bytes, GIB) + " GiB";
    }

    /**
     * {@return a size in MiB and bytes, for VramLab's own messages: "1.50 MiB (1,572,864 bytes)"; a small one as {@link ByteSize#text}
     *         has it}
     *
     * @param bytes
     *            the size
     */
    public static String both(final long bytes) {
        return ByteSize.text(bytes);
    }

    /**
     * {@return all digits of a number, in groups of three: "1,572,864"}
     *
     * @param number
     *            of bytes, events, blocks or anything else
     */
    public static String exact(final long number) {
        return ByteSize.exact(number);
    }

    private static String scaled(final long bytes, final long unit) {
        return new BigDecimal((double) bytes / unit).setScale(2, RoundingMode.HALF_EVEN).toPlainString();
    }
}

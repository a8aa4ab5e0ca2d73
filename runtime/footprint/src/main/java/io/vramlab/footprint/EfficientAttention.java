package io.vramlab.footprint;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;

/**
 * What the memory-efficient attention kernels take besides their results (cuda/attention.cu, cuda/attention_backward.cu and
 * mem_eff_attention of 2.11; docs/footprint.md, "Attention"). The kernels of compute capability 8.0 and newer; where a block's
 * shared memory is smaller than an A100's, PyTorch may take smaller tiles for float32 and heads over 64.
 */
public final class EfficientAttention {

    private static final long LOGARITHM_STEP = 32;
    private static final long MASK_STEP = 8;
    private static final long MASK_GRADIENT_STEP = 16;
    private static final long LOCK = 16;
    private static final long WIDE = 128;
    private static final long MOST_SPLIT_HEADS = 200;
    private static final long ENOUGH_BLOCKS = 256;

    /** A kernel of backward: rows and columns of its tiles, and whether gradients of keys and values wait outside. */
    private record Tiles(long rows, long columns, boolean accumulates) {
    }

    private EfficientAttention() {
    }

    /** How many logarithms of sums a head has: one per query, and some to fill up. */
    public static long logarithms(long queries) {
        return up(queries, LOGARITHM_STEP);
    }

    /** Whether the kernels can read a mask of these strides as it lies. */
    public static boolean isMaskAligned(long[] strides) {
        for (int d = 0; d < strides.length - 1; d++) {
            if (strides[d] % MASK_STEP != 0) {
                return false;
            }
        }
        return strides[strides.length - 1] == 1;
    }

    /** By how much the rows of a mask that is not are padded. */
    public static long maskPadding(long keys) {
        return MASK_STEP - keys % MASK_STEP;
    }

    /** The last size in memory of a mask's gradient. */
    public static long maskGradientWidth(long keys) {
        return up(keys, MASK_GRADIENT_STEP);
    }

    /** The float32 copy of the result of forward, for wide heads in lower precision. */
    public static Footprint forward(long[] query, long valueHead, DType dtype) {
        return dtype.bytes() < Float.BYTES && Math.max(query[3], valueHead) > WIDE
                ? new Footprint.Steps().pass(query[0] * query[1] * query[2] * valueHead * Float.BYTES).done()
                : Footprint.NOTHING;
    }

    /** Whether backward's kernel sums gradient times result itself, or PyTorch does it before. */
    public static boolean sumsItself(DeviceProperties device, DType dtype) {
        return dtype.bytes() < Float.BYTES && device.major() * 10 + device.minor() != 70;
    }

    /**
     * The buffer of backward, in which blocks add their gradients.
     *
     * @param query
     *            shape [n, heads, l, d]
     * @param value
     *            shape [n, heads, s, e]
     */
    public static long workspace(DeviceProperties device, long[] query, long[] value, DType dtype, boolean dropout) {
        long keys = value[2];
        long heads = query[0] * query[1];
        long widest = Math.max(query[3], value[3]);
        Tiles tiles = dtype.bytes() < Float.BYTES ? half(device, widest, dropout) : whole(widest);
        long rowBlocks = (query[2] + tiles.rows - 1) / tiles.rows;
        long columnBlocks = (query[3] + tiles.columns - 1) / tiles.columns;
        long bytes = rowBlocks * columnBlocks * (tiles.rows * tiles.columns * Float.BYTES + LOCK);
        if (tiles.accumulates) {
            long splits = splits(heads, keys, tiles);
            bytes += splits * tiles.columns * Float.BYTES
                    * (up(query[3], tiles.rows) + up(value[3], tiles.rows));
        }
        return heads * bytes;
    }

    /** How many blocks share a head's keys, where each needs room of its own. */
    private static long splits(long heads, long keys, Tiles tiles) {
        long all = (keys + tiles.columns - 1) / tiles.columns;
        boolean busy = heads >= ENOUGH_BLOCKS && keys <= 2 * tiles.columns;
        return Math.max(1, Math.min(busy ? 1 : all, MOST_SPLIT_HEADS / heads));
    }

    /** cutlassB.h, dispatch_cutlassB_f32_sm80. */
    private static Tiles whole(long widest) {
        return widest <= 64 ? new Tiles(64, 64, false) : new Tiles(128, 64, false);
    }

    /** cutlassB.h, dispatch_cutlassB_f16_sm80. */
    private static Tiles half(DeviceProperties device, long widest, boolean dropout) {
        if (widest <= 64) {
            return new Tiles(64, 64, false);
        }
        if (widest <= 96 && !dropout && device.major() == 8 && device.minor() >= 6) {
            return new Tiles(128, 64, false);
        }
        return widest <= WIDE ? new Tiles(128, 128, false) : new Tiles(128, 64, true);
    }

    private static long up(long n, long step) {
        return (n + step - 1) / step * step;
    }
}

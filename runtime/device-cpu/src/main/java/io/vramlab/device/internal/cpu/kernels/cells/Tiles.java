package io.vramlab.device.internal.cpu.kernels.cells;

/**
 * One thread's working arrays. Kernels allocate no device memory; these few kibibytes of Java arrays are kept per
 * thread so that a small operation allocates next to nothing.
 */
public final class Tiles {

    /** Elements per tile: three float tiles and their sources stay in a 32 KiB first-level cache. */
    public static final int TILE = 1024;

    private static final ThreadLocal<Tiles> CURRENT = ThreadLocal.withInitial(Tiles::new);

    /** Up to three inputs and, last, the output. */
    public final float[][] floats = new float[4][TILE];
    /** For conversions on the way between memory and a tile. */
    final float[] line = new float[TILE];
    /** As {@link #line}, for float16. */
    final short[] shorts = new short[TILE];
    private double[][] doubles;
    private long[][] longs;

    private Tiles() {
    }

    /** This thread's. */
    public static Tiles mine() {
        return CURRENT.get();
    }

    /** As {@link #floats}, in double. */
    public double[][] doubles() {
        if (doubles == null) {
            doubles = new double[4][TILE];
        }
        return doubles;
    }

    /** As {@link #floats}, in long. */
    public long[][] longs() {
        if (longs == null) {
            longs = new long[4][TILE];
        }
        return longs;
    }
}

package io.vramlab.device.internal.cpu.kernels.gemm;

import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;
import io.vramlab.device.internal.cpu.kernels.math.VectorModule;

/**
 * The innermost piece of a matrix product: a small tile of c, {@link #ROWS} rows of {@link #columns} elements, kept in
 * registers while k runs. Every element is summed over k from first to last with fused multiply-adds, whatever surrounds
 * the tile and whichever implementation runs, so all give the same bits.
 */
public interface MicroKernel {

    /** Rows of a tile: with two vectors a row, 12 sums, which hide the latency of multiply-add. */
    int ROWS = 6;

    /** Columns of a tile. */
    int columns();

    /**
     * {@code c += a b} for one tile.
     *
     * @param k
     *            length of the sums
     * @param a
     *            packed: for each k, {@link #ROWS} elements, from {@code aAt} on
     * @param b
     *            packed: for each k, {@link #columns} elements, from {@code bAt} on
     * @param c
     *            the tile's first element is at {@code cAt}, its rows are {@code cStride} apart
     */
    void run(int k, float[] a, int aAt, float[] b, int bAt, float[] c, int cAt, int cStride);

    /** Loads the vector classes when it is first asked. */
    final class Vectors {
        private static final MicroKernel INSTANCE = new VectorMicroKernel();

        private Vectors() {
        }
    }

    /** With vectors where the JVM has them, else plain loops. */
    static MicroKernel best() {
        return VectorModule.present() ? Vectors.INSTANCE : new PlainMicroKernel();
    }
}

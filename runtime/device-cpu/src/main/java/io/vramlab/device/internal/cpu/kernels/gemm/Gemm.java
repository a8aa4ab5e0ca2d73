package io.vramlab.device.internal.cpu.kernels.gemm;

import io.vramlab.device.Interruptible;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.Tiles;
import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * {@code c = alpha a b + beta c} in float, blocked for the caches: b is packed into panels as wide as the
 * {@link MicroKernel}'s tile and a into panels as high, so that any strides and dtypes come in and the innermost loop
 * sees only contiguous floats. Sums over k run block by block in order, in float; alpha, beta and rounding to c's dtype
 * come once, at the end.
 */
public final class Gemm {

    /** Length of the sums of one block: a panel of b (32 columns) then fills most of a first-level cache. */
    private static final int BLOCK_K = 256;
    /** Rows and columns of c in one task: with its panels, within the second-level cache and a share of the third. */
    private static final int BLOCK_M = 252;
    private static final int BLOCK_N = 1024;
    /** Tiles of c between two looks for an interrupt: until the JVM has compiled it, vector code takes 10 ms for one. */
    private static final int TILES = 16;
    private static final int SMALLEST_SPLIT = 1 << 18;
    /** Multiplications after which vector code is worth the half second that a JVM takes to compile it. */
    private static final long WARM = 20_000_000;

    private final MicroKernel small = new PlainMicroKernel();
    private final Supplier<MicroKernel> large;
    private volatile long done;

    /** Uses plain loops until there has been enough work for this kernel, which is asked for each time. */
    public Gemm(Supplier<MicroKernel> kernel) {
        this.large = kernel;
    }

    /** One thread's packed panels and sums, grown as needed. */
    private static final class Buffers {

        private static final ThreadLocal<Buffers> CURRENT = ThreadLocal.withInitial(Buffers::new);

        private float[] a = new float[0];
        private float[] b = new float[0];
        private float[] c = new float[0];
        private float[] line = new float[BLOCK_K * MicroKernel.ROWS];

        private void grow(int aSize, int bSize, int cSize, int lineSize) {
            a = a.length < aSize ? new float[aSize] : a;
            b = b.length < bSize ? new float[bSize] : b;
            c = c.length < cSize ? new float[cSize] : c;
            line = line.length < lineSize ? new float[lineSize] : line;
        }
    }

    /** One product of a batch. */
    public record Product(Matrix c, Matrix a, Matrix b) {
    }

    /** The products of a batch, by number. */
    public interface Batch {
        /** The product with this number. */
        Product get(long number);
    }

    /** All products of a batch of the same sizes, over both cores. */
    public void multiply(long batch, int m, int n, int k, Batch products, float alpha, float beta) {
        // racing threads may lose some count, and the choice does not show in the bits
        done = done + batch * m * n * k;
        MicroKernel kernel = done > WARM ? large.get() : small;
        int tile = kernel.columns();
        // a narrow product wastes most of a tile's columns; its transpose does not
        boolean turned = n < tile / 2 && m > n;
        int rows = turned ? n : m;
        int columns = turned ? m : n;
        boolean small = 2L * batch * m * n * k < 2 * SMALLEST_SPLIT;
        int width = width(columns, tile, batch == 1 && !small && rows <= BLOCK_M);
        int blocksN = (columns + width - 1) / width;
        int blocksM = (rows + BLOCK_M - 1) / BLOCK_M;
        long tasks = batch * blocksN * blocksM;
        Parallel.range(tasks, small ? tasks : 1, (from, to) -> {
            for (long t = from; t < to; t++) {
                long rest = t % (blocksN * blocksM);
                int j = (int) (rest / blocksM) * width;
                int i = (int) (rest % blocksM) * BLOCK_M;
                Product p = products.get(t / (blocksN * blocksM));
                Product q = turned ? new Product(p.c.transposed(), p.b.transposed(), p.a.transposed()) : p;
                block(kernel, q, i, Math.min(BLOCK_M, rows - i), j, Math.min(width, columns - j), k, alpha, beta);
            }
        });
    }

    private static int width(int columns, int tile, boolean halve) {
        int wanted = halve ? Math.min(BLOCK_N, (columns + 1) / 2) : Math.min(BLOCK_N, columns);
        return Math.max(tile, (wanted + tile - 1) / tile * tile);
    }

    private static void block(MicroKernel kernel, Product p, int i0, int m, int j0, int n, int k, float alpha,
            float beta) {
        int rows = MicroKernel.ROWS;
        int tile = kernel.columns();
        int panelsM = (m + rows - 1) / rows;
        int panelsN = (n + tile - 1) / tile;
        int stride = panelsN * tile;
        int depth = Math.min(k, BLOCK_K);
        Buffers buffers = Buffers.CURRENT.get();
        buffers.grow(panelsM * rows * depth, stride * depth, panelsM * rows * stride,
                Math.max(stride, Math.max(panelsM * rows, depth * rows)));
        float[] sums = buffers.c;
        Arrays.fill(sums, 0, panelsM * rows * stride, 0);
        for (int l = 0; l < k; l += BLOCK_K) {
            int kc = Math.min(BLOCK_K, k - l);
            if (l > 0) {
                Interruptible.check();
            }
            packB(p.b, l, kc, j0, n, tile, buffers);
            packA(p.a, i0, m, l, kc, buffers);
            for (int jp = 0; jp < panelsN; jp++) {
                for (int ip = 0; ip < panelsM; ip++) {
                    if ((jp * panelsM + ip) % TILES == TILES - 1) {
                        Interruptible.check();
                    }
                    kernel.run(kc, buffers.a, ip * rows * kc, buffers.b, jp * tile * kc, sums,
                            ip * rows * stride + jp * tile, stride);
                }
            }
        }
        store(p.c, i0, m, j0, n, stride, buffers, alpha, beta);
    }

    private static void packB(Matrix b, int l0, int kc, int j0, int n, int tile, Buffers buffers) {
        float[] line = buffers.line;
        float[] packed = buffers.b;
        if (b.columnStride() == 1 || b.rowStride() != 1) {
            int whole = (n + tile - 1) / tile * tile;
            Arrays.fill(line, n, whole, 0);
            for (int l = 0; l < kc; l++) {
                b.readRow(l0 + l, j0, line, 0, n);
                for (int j = 0; j < whole; j += tile) {
                    System.arraycopy(line, j, packed, j * kc + l * tile, tile);
                }
            }
            return;
        }
        for (int j = 0; j < n; j++) {
            b.readColumn(l0, j0 + j, line, 0, kc);
            int at = j / tile * tile * kc + j % tile;
            for (int l = 0; l < kc; l++) {
                packed[at + l * tile] = line[l];
            }
        }
        for (int j = n; j % tile != 0; j++) {
            int at = j / tile * tile * kc + j % tile;
            for (int l = 0; l < kc; l++) {
                packed[at + l * tile] = 0;
            }
        }
    }

    private static void packA(Matrix a, int i0, int m, int l0, int kc, Buffers buffers) {
        int rows = MicroKernel.ROWS;
        float[] line = buffers.line;
        float[] packed = buffers.a;
        if (a.columnStride() == 1 || a.rowStride() != 1) {
            for (int i = 0; i < m; i += rows) {
                int n = Math.min(rows, m - i);
                for (int r = 0; r < n; r++) {
                    a.readRow(i0 + i + r, l0, line, r * kc, kc);
                }
                Arrays.fill(line, n * kc, rows * kc, 0);
                weave(line, packed, i * kc, kc);
            }
            return;
        }
        int whole = (m + rows - 1) / rows * rows;
        Arrays.fill(line, m, whole, 0);
        for (int l = 0; l < kc; l++) {
            a.readColumn(i0, l0 + l, line, 0, m);
            for (int i = 0; i < whole; i += rows) {
                System.arraycopy(line, i, packed, i * kc + l * rows, rows);
            }
        }
    }

    /** Six rows one after another become six elements per column. */
    private static void weave(float[] line, float[] packed, int at, int kc) {
        for (int l = 0; l < kc; l++) {
            int to = at + l * MicroKernel.ROWS;
            packed[to] = line[l];
            packed[to + 1] = line[l + kc];
            packed[to + 2] = line[l + 2 * kc];
            packed[to + 3] = line[l + 3 * kc];
            packed[to + 4] = line[l + 4 * kc];
            packed[to + 5] = line[l + 5 * kc];
        }
    }

    private static void store(Matrix c, int i0, int m, int j0, int n, int stride, Buffers buffers, float alpha,
            float beta) {
        float[] sums = buffers.c;
        float[] line = buffers.line;
        for (int i = 0; i < m; i++) {
            int at = i * stride;
            if (beta != 0) {
                c.readRow(i0 + i, j0, line, 0, n);
                for (int j = 0; j < n; j++) {
                    line[j] = alpha * sums[at + j] + beta * line[j];
                }
                c.writeRow(i0 + i, j0, line, 0, n);
            } else {
                for (int j = 0; alpha != 1 && j < n; j++) {
                    sums[at + j] *= alpha;
                }
                c.writeRow(i0 + i, j0, sums, at, n);
            }
        }
    }
}

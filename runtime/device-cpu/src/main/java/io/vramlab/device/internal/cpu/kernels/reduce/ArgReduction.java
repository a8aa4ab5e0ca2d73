package io.vramlab.device.internal.cpu.kernels.reduce;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.Tiles;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.Elementwise;

/**
 * Largest or smallest with its index along the reduced dimensions: the first one where several are equal, and the first
 * NaN where there is any.
 */
public final class ArgReduction {

    private final HostAccess host;

    public ArgReduction(HostAccess host) {
        this.host = host;
    }

    /** Writes the indices and, unless null, the values. */
    public void run(boolean largest, Operand values, Operand indices, Operand in, Axes axes) {
        View at = View.of(host, indices);
        View value = values == null ? null : View.of(host, values);
        View from = View.permuted(host, in, axes.keptFirst());
        long length = axes.inputsPerOutput();
        if (at.count == 0 || length == 0) {
            return;
        }
        boolean integers = !in.dtype().isFloatingPoint();
        Parallel.range(axes.outputs(), Math.max(1, Elementwise.GRAIN / length), (a, b) -> {
            for (long i = a; i < b; i++) {
                long best = integers
                        ? bestLong(largest, from, i * length, length)
                        : best(largest, from, i * length, length);
                at.set(i, best);
                if (value != null && integers) {
                    value.set(i, from.getLong(i * length + best));
                } else if (value != null) {
                    value.set(i, from.getDouble(i * length + best));
                }
            }
        });
    }

    private static long best(boolean largest, View from, long start, long length) {
        double[] tile = Tiles.mine().doubles()[0];
        double best = Double.NaN;
        long index = 0;
        for (long at = 0; at < length; at += Tiles.TILE) {
            int n = (int) Math.min(Tiles.TILE, length - at);
            from.read(start + at, n, tile);
            for (int i = 0; i < n; i++) {
                double v = tile[i];
                if (v != v) {
                    return at + i;
                }
                if (at + i == 0 || (largest ? v > best : v < best)) {
                    best = v;
                    index = at + i;
                }
            }
        }
        return index;
    }

    private static long bestLong(boolean largest, View from, long start, long length) {
        long[] tile = Tiles.mine().longs()[0];
        long best = 0;
        long index = 0;
        for (long at = 0; at < length; at += Tiles.TILE) {
            int n = (int) Math.min(Tiles.TILE, length - at);
            from.read(start + at, n, tile);
            for (int i = 0; i < n; i++) {
                if (at + i == 0 || (largest ? tile[i] > best : tile[i] < best)) {
                    best = tile[i];
                    index = at + i;
                }
            }
        }
        return index;
    }
}

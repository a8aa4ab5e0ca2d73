package io.vramlab.device.internal.cpu.kernels.elementwise;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.Tiles;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import java.util.Arrays;

/** Values that follow from the position alone: ranges, and triangles of matrices. */
public final class Sequences {

    private final HostAccess host;

    public Sequences(HostAccess host) {
        this.host = host;
    }

    public void arange(Operand out, double start, double step) {
        View to = View.of(host, out);
        boolean floating = out.dtype().isFloatingPoint() || start != (long) start || step != (long) step;
        Parallel.range(to.count, Elementwise.GRAIN, (a, b) -> {
            double[] d = Tiles.mine().doubles()[3];
            long[] l = Tiles.mine().longs()[3];
            for (long at = a; at < b; at += Tiles.TILE) {
                int n = (int) Math.min(Tiles.TILE, b - at);
                for (int i = 0; i < n; i++) {
                    d[i] = start + (at + i) * step;
                    l[i] = (long) start + (at + i) * (long) step;
                }
                if (floating) {
                    to.write(at, n, d);
                } else {
                    to.write(at, n, l);
                }
            }
        });
    }

    public void triangle(Operand out, Operand in, boolean upper, long diagonal) {
        OperandRows to = OperandRows.last(host, out);
        OperandRows from = OperandRows.last(host, in);
        int height = Math.toIntExact(out.shape()[out.shape().length - 2]);
        int width = to.length();
        boolean integers = !out.dtype().isFloatingPoint();
        Parallel.range(to.rows(), to.grain(), (a, b) -> {
            double[] d = new double[width];
            long[] l = new long[width];
            for (long r = a; r < b; r++) {
                long edge = r % height + diagonal;
                int zeroFrom = upper ? 0 : (int) Math.clamp(edge + 1, 0, width);
                int zeroTo = upper ? (int) Math.clamp(edge, 0, width) : width;
                if (integers) {
                    from.view().read(r * width, width, l);
                    Arrays.fill(l, zeroFrom, zeroTo, 0);
                    to.view().write(r * width, width, l);
                } else {
                    from.read(r, d);
                    Arrays.fill(d, zeroFrom, zeroTo, 0);
                    to.write(r, d);
                }
            }
        });
    }
}

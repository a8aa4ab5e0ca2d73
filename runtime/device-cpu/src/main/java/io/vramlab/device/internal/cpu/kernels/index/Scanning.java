package io.vramlab.device.internal.cpu.kernels.index;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.device.ScanOp;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;

/** Sums, products and extremes so far, along one dimension. Float types carry in double and round each result once. */
public final class Scanning {

    private final HostAccess host;

    public Scanning(HostAccess host) {
        this.host = host;
    }

    public void scan(ScanOp op, Operand out, Operand indices, Operand in, int dim) {
        if (out.count() == 0) {
            return;
        }
        OperandRows to = OperandRows.along(host, out, dim);
        OperandRows from = OperandRows.along(host, in, dim);
        View at = indices == null ? null : OperandRows.along(host, indices, dim).view();
        boolean whole = !out.dtype().isFloatingPoint();
        Parallel.range(to.rows(), to.grain(), (a, b) -> {
            for (long r = a; r < b; r++) {
                if (whole) {
                    longs(op, to, at, from, r);
                } else {
                    doubles(op, to, at, from, r);
                }
            }
        });
    }

    private static void doubles(ScanOp op, OperandRows to, View at, OperandRows from, long row) {
        int n = to.length();
        double[] values = new double[n];
        long[] places = new long[at == null ? 0 : n];
        from.read(row, values);
        for (int i = 1; i < n; i++) {
            Interruptible.check(i);
            double before = values[i - 1];
            double now = values[i];
            boolean stays = switch (op) {
                case MAX -> !(now != now || now >= before);
                case MIN -> !(now != now || now <= before);
                default -> false;
            };
            values[i] = switch (op) {
                case SUM -> before + now;
                case PROD -> before * now;
                case LOG_SUM_EXP -> logSumExp(before, now);
                case MAX, MIN -> stays ? before : now;
            };
            if (at != null) {
                places[i] = stays ? places[i - 1] : i;
            }
        }
        to.write(row, values);
        if (at != null) {
            at.write(row * n, n, places);
        }
    }

    private static double logSumExp(double a, double b) {
        double most = Math.max(a, b);
        return Double.isInfinite(most) ? most : most + Math.log1p(Math.exp(-Math.abs(a - b)));
    }

    private static void longs(ScanOp op, OperandRows to, View at, OperandRows from, long row) {
        int n = to.length();
        long[] values = new long[n];
        long[] places = new long[at == null ? 0 : n];
        from.view().read(row * n, n, values);
        for (int i = 1; i < n; i++) {
            Interruptible.check(i);
            boolean stays = op == ScanOp.MAX && values[i] < values[i - 1]
                    || op == ScanOp.MIN && values[i] > values[i - 1];
            values[i] = op == ScanOp.SUM
                    ? values[i - 1] + values[i]
                    : op == ScanOp.PROD ? values[i - 1] * values[i] : stays ? values[i - 1] : values[i];
            if (at != null) {
                places[i] = stays ? places[i - 1] : i;
            }
        }
        to.view().write(row * n, n, values);
        if (at != null) {
            at.write(row * n, n, places);
        }
    }
}

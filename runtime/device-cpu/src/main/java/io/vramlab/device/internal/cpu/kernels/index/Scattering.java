package io.vramlab.device.internal.cpu.kernels.index;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.device.ScatterOp;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;

/** Brings elements to where an index says along one dimension, in the order of the index. */
public final class Scattering {

    private final HostAccess host;

    public Scattering(HostAccess host) {
        this.host = host;
    }

    public void scatter(ScatterOp op, Operand out, int dim, Operand index, Operand in, double value) {
        if (index.count() == 0) {
            return;
        }
        long size = out.shape().length == 0 ? 1 : out.shape()[dim];
        if (Indices.checked(host, index, size, "scatter") == null) {
            return;
        }
        long[] reached = index.shape().clone();
        if (reached.length > 0) {
            reached[dim] = size;
        }
        OperandRows to = OperandRows.along(host, new Operand(out.address(), out.dtype(), reached, out.strides()), dim);
        OperandRows order = OperandRows.along(host, index, dim);
        View at = order.view();
        View from = in == null
                ? null
                : OperandRows.along(host, new Operand(in.address(), in.dtype(), index.shape(), in.strides()), dim)
                        .view();
        int n = order.length();
        boolean whole = !out.dtype().isFloatingPoint();
        Parallel.range(order.rows(), order.grain(), (a, b) -> {
            long[] places = new long[n];
            for (long r = a; r < b; r++) {
                at.read(r * n, n, places);
                for (int i = 0; i < n; i++) {
                    Interruptible.check(i);
                    long cell = r * to.length() + places[i];
                    if (from == null) {
                        fill(op, whole, to.view(), cell, value);
                    } else {
                        put(op, whole, to.view(), cell, from, r * n + i);
                    }
                }
            }
        });
    }

    /** {@code to[j] = op(to[j], from[i])}, in long or in double. */
    static void put(ScatterOp op, boolean whole, View to, long j, View from, long i) {
        if (whole) {
            to.set(j, combine(op, op == ScatterOp.SET ? 0 : to.getLong(j), from.getLong(i)));
        } else {
            to.set(j, combine(op, op == ScatterOp.SET ? 0 : to.getDouble(j), from.getDouble(i)));
        }
    }

    private static void fill(ScatterOp op, boolean whole, View to, long j, double value) {
        if (whole) {
            to.set(j, combine(op, op == ScatterOp.SET ? 0 : to.getLong(j), (long) value));
        } else {
            to.set(j, combine(op, op == ScatterOp.SET ? 0 : to.getDouble(j), value));
        }
    }

    private static long combine(ScatterOp op, long was, long now) {
        return switch (op) {
            case SET -> now;
            case ADD -> was + now;
            case PROD -> was * now;
            case MAX -> Math.max(was, now);
            case MIN -> Math.min(was, now);
        };
    }

    private static double combine(ScatterOp op, double was, double now) {
        return switch (op) {
            case SET -> now;
            case ADD -> was + now;
            case PROD -> was * now;
            case MAX -> Math.max(was, now);
            case MIN -> Math.min(was, now);
        };
    }
}

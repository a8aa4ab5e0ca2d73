package io.vramlab.device.internal.cpu.kernels.elementwise;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.View;

/** An operand cut into rows along one dimension: element {@code i} of row {@code r} is number {@code r * length + i}. */
public record OperandRows(View view, long rows, int length) {

    /** Rows along {@code dim}; a scalar is one row of one. */
    public static OperandRows along(HostAccess host, Operand operand, int dim) {
        int rank = operand.shape().length;
        if (rank == 0) {
            return new OperandRows(View.of(host, operand), 1, 1);
        }
        int[] order = new int[rank];
        int at = 0;
        for (int d = 0; d < rank; d++) {
            if (d != dim) {
                order[at++] = d;
            }
        }
        order[at] = dim;
        View view = View.permuted(host, operand, order);
        int length = Math.toIntExact(operand.shape()[dim]);
        return new OperandRows(view, length == 0 ? 0 : view.count / length, length);
    }

    /** Rows along the last dimension. */
    public static OperandRows last(HostAccess host, Operand operand) {
        return along(host, operand, operand.shape().length - 1);
    }

    /** Rows that make a second thread worth its price. */
    public long grain() {
        return Math.max(1, Elementwise.GRAIN / 4 / Math.max(1, length));
    }

    public void read(long row, float[] to) {
        view.read(row * length, length, to);
    }

    public void read(long row, double[] to) {
        view.read(row * length, length, to);
    }

    public void write(long row, float[] from) {
        view.write(row * length, length, from);
    }

    public void write(long row, double[] from) {
        view.write(row * length, length, from);
    }
}

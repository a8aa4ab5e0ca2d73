package io.vramlab.device.internal.cpu.kernels.reduce;

import io.vramlab.device.Operand;

/** Which dimensions of an input a reduction keeps, and the order that puts the kept ones first or last. */
public record Axes(int[] keptFirst, int[] keptLast, long outputs, long inputsPerOutput, boolean columns) {

    /** The reduction of {@code in} to {@code out}, which has size 1 in every reduced dimension. */
    public static Axes of(Operand out, Operand in) {
        int rank = in.shape().length;
        boolean[] reduced = new boolean[rank];
        for (int d = 0; d < rank; d++) {
            reduced[d] = out.shape()[d] != in.shape()[d];
        }
        return of(in, reduced);
    }

    /** The reduction over one dimension. */
    public static Axes of(Operand in, int dim) {
        boolean[] reduced = new boolean[in.shape().length];
        if (reduced.length > 0) {
            reduced[dim] = true;
        }
        return of(in, reduced);
    }

    private static Axes of(Operand in, boolean[] reduced) {
        int rank = reduced.length;
        int[] keptFirst = new int[rank];
        int[] keptLast = new int[rank];
        long outputs = 1;
        long inputs = 1;
        int kept = 0;
        for (int d = 0; d < rank; d++) {
            if (reduced[d]) {
                inputs *= in.shape()[d];
            } else {
                outputs *= in.shape()[d];
                kept++;
            }
        }
        int a = 0;
        int b = kept;
        boolean columns = false;
        for (int d = 0; d < rank; d++) {
            int place = reduced[d] ? b++ : a++;
            keptFirst[place] = d;
            keptLast[reduced[d] ? place - kept : place + rank - kept] = d;
            if (in.shape()[d] > 1 && in.strides()[d] == 1) {
                columns = !reduced[d];
            }
        }
        return new Axes(keptFirst, keptLast, outputs, inputs, columns && outputs > 1 && inputs > 1);
    }
}

package io.vramlab.device.internal.cpu.kernels.index;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.Cells;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The k largest or smallest of each row, sorted. NaN counts as the largest, as in PyTorch; of equal elements the first
 * comes first.
 */
public final class Sorting {

    private static final int INDEX_BITS = 32;

    private final HostAccess host;

    public Sorting(HostAccess host) {
        this.host = host;
    }

    public void topk(Operand values, Operand indices, Operand in, boolean largest) {
        if (values.count() == 0) {
            return;
        }
        OperandRows to = OperandRows.last(host, values);
        View at = View.of(host, indices);
        OperandRows from = OperandRows.last(host, in);
        int k = to.length();
        Parallel.range(from.rows(), Math.max(1, from.grain() / 16), (a, b) -> {
            for (long r = a; r < b; r++) {
                long[] order = in.dtype().bytes() == Long.BYTES ? wide(from, r, largest) : narrow(from, r, largest);
                at.write(r * k, k, order);
                for (int i = 0; i < k; i++) {
                    Cells.copy(from.view(), r * from.length() + order[i], to.view(), r * k + i);
                }
            }
        });
    }

    /** Elements of up to 32 bits: sorted as longs, key above, index below. */
    private static long[] narrow(OperandRows from, long row, boolean largest) {
        int n = from.length();
        long[] order = new long[n];
        if (from.view().dtype.isFloatingPoint()) {
            float[] values = new float[n];
            from.read(row, values);
            for (int i = 0; i < n; i++) {
                Interruptible.check(i);
                order[i] = ordered(Float.floatToIntBits(values[i] + 0f));
            }
        } else {
            from.view().read(row * n, n, order);
        }
        for (int i = 0; i < n; i++) {
            Interruptible.check(i);
            order[i] = (largest ? ~order[i] : order[i]) << INDEX_BITS | i;
        }
        LongSort.ascending(order);
        for (int i = 0; i < n; i++) {
            order[i] &= 0xffffffffL;
        }
        return order;
    }

    private static long ordered(int bits) {
        return bits < 0 ? bits ^ 0x7fffffff : bits;
    }

    /** Elements of 64 bits: indices sorted by them. */
    private static long[] wide(OperandRows from, long row, boolean largest) {
        int n = from.length();
        long[] keys = new long[n];
        if (from.view().dtype.isFloatingPoint()) {
            double[] values = new double[n];
            from.read(row, values);
            for (int i = 0; i < n; i++) {
                long bits = Double.doubleToLongBits(values[i] + 0d);
                keys[i] = bits < 0 ? bits ^ Long.MAX_VALUE : bits;
            }
        } else {
            from.view().read(row * n, n, keys);
        }
        Integer[] order = new Integer[n];
        Arrays.setAll(order, i -> i);
        int[] compared = new int[1];
        Comparator<Integer> ascending = (i, j) -> {
            Interruptible.check(compared[0]++);
            return Long.compare(keys[i], keys[j]);
        };
        Arrays.sort(order, largest ? ascending.reversed() : ascending);
        return Arrays.stream(order).mapToLong(Integer::longValue).toArray();
    }
}

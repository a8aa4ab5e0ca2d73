package io.vramlab.tensor.internal.values;

import io.vramlab.tensor.internal.core.TensorImpl;
import java.util.Arrays;

/** All elements on the host, whatever the strides, without memory of the device. */
public final class HostValues {

    private HostValues() {
    }

    public static double[] doubles(TensorImpl a) {
        Peek all = new Peek(a, places(a));
        double[] out = new double[all.count()];
        Arrays.setAll(out, i -> all.isReal() ? all.real(i) : all.whole(i));
        return out;
    }

    public static long[] longs(TensorImpl a) {
        Peek all = new Peek(a, places(a));
        long[] out = new long[all.count()];
        Arrays.setAll(out, all::whole);
        return out;
    }

    /** Where the elements lie, from the first, in row-major order. */
    private static long[] places(TensorImpl a) {
        long[] at = new long[Math.toIntExact(a.count())];
        long[] index = new long[a.rank()];
        long place = 0;
        for (int i = 0; i < at.length; i++) {
            at[i] = place;
            for (int d = index.length - 1; d >= 0; d--) {
                place += a.strides()[d];
                if (++index[d] < a.shape()[d]) {
                    break;
                }
                place -= a.shape()[d] * a.strides()[d];
                index[d] = 0;
            }
        }
        return at;
    }
}

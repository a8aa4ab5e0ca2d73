package io.vramlab.device.internal.cpu.kernels.index;

import io.vramlab.device.DeviceFault;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.device.ScatterOp;
import io.vramlab.device.internal.cpu.kernels.cells.Cells;
import io.vramlab.device.internal.cpu.kernels.cells.View;

/** Elements found through several indices at once, one for each dimension that is indexed. */
public final class ManyIndices {

    private final HostAccess host;

    public ManyIndices(HostAccess host) {
        this.host = host;
    }

    public void indexGet(Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides) {
        long[] shift = shifts(indices, sizes, strides);
        if (shift == null || out.count() == 0) {
            return;
        }
        View to = View.of(host, out);
        View from = spread(in, sizes, strides);
        View base = places(in);
        for (long i = 0; i < to.count; i++) {
            Interruptible.check(i);
            Cells.copy(from, base.offset(i) + shift[(int) i], to, i);
        }
    }

    public void indexPut(ScatterOp op, Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides) {
        long[] shift = shifts(indices, sizes, strides);
        if (shift == null || in.count() == 0) {
            return;
        }
        View to = spread(out, sizes, strides);
        View base = places(out);
        View from = View.of(host, in);
        boolean whole = !out.dtype().isFloatingPoint();
        for (long i = 0; i < from.count; i++) {
            Interruptible.check(i);
            Scattering.put(op, whole, to, base.offset(i) + shift[(int) i], from, i);
        }
    }

    /** How far each element's indices move it, or null after a fault was told. */
    private long[] shifts(Operand[] indices, long[] sizes, long[] strides) {
        long[] shift = new long[Math.toIntExact(indices[0].count())];
        for (int k = 0; k < indices.length; k++) {
            View at = View.of(host, indices[k]);
            for (int i = 0; i < shift.length; i++) {
                long place = at.getLong(i);
                if (place < -sizes[k] || place >= sizes[k]) {
                    host.fault(DeviceFault.DEVICE_SIDE_ASSERT, "index " + place
                            + " is out of bounds for a dimension of size " + sizes[k]);
                    return null;
                }
                shift[i] += (place < 0 ? place + sizes[k] : place) * strides[k];
            }
        }
        return shift;
    }

    /** Where the elements lie that no index moves. */
    private View places(Operand o) {
        return View.of(host, o);
    }

    /** All the memory that elements may be moved to, as a row of single elements. */
    private View spread(Operand o, long[] sizes, long[] strides) {
        long span = 1;
        for (int d = 0; d < o.shape().length; d++) {
            span += (o.shape()[d] - 1) * o.strides()[d];
        }
        for (int k = 0; k < sizes.length; k++) {
            span += (sizes[k] - 1) * strides[k];
        }
        long[] row = {span};
        return View.of(host, new Operand(o.address(), o.dtype(), row, new long[]{1}));
    }
}

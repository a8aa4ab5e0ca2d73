package io.vramlab.tensor.internal.core;

import io.vramlab.device.DType;

/** Which dtype an operation on several gives, by PyTorch's rules (torch.result_type). */
public final class Promotion {

    private Promotion() {
    }

    private static int category(DType t) {
        return t.isFloatingPoint() ? 2 : t == DType.BOOL ? 0 : 1;
    }

    /** Tensors with dimensions count before scalars: a scalar changes the dtype only by a higher category. */
    public static DType of(TensorImpl a, TensorImpl b) {
        if (a.dtype() == b.dtype()) {
            return a.dtype();
        }
        if (a.rank() == 0 != (b.rank() == 0)) {
            DType wide = a.rank() == 0 ? b.dtype() : a.dtype();
            DType scalar = a.rank() == 0 ? a.dtype() : b.dtype();
            return category(scalar) > category(wide) ? scalar : wide;
        }
        return of(a.dtype(), b.dtype());
    }

    /** A Java number beside a tensor: whole numbers keep integers, others make them float32. */
    public static DType withScalar(DType a, double value, boolean whole) {
        if (a.isFloatingPoint()) {
            return a;
        }
        if (!whole) {
            return DType.FLOAT32;
        }
        return a == DType.BOOL ? DType.INT64 : a;
    }

    public static DType of(DType a, DType b) {
        if (a == b || b == DType.BOOL) {
            return a;
        }
        if (a == DType.BOOL) {
            return b;
        }
        if (a.isFloatingPoint() != b.isFloatingPoint()) {
            return a.isFloatingPoint() ? a : b;
        }
        if (a.isFloatingPoint()) {
            return a.bytes() == b.bytes() ? DType.FLOAT32 : a.bytes() > b.bytes() ? a : b;
        }
        return a.bytes() > b.bytes() ? a : b;
    }

    /** What functions like exp and division give: integers become float32. */
    public static DType floating(DType a) {
        return a.isFloatingPoint() ? a : DType.FLOAT32;
    }
}

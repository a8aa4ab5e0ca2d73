package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import java.util.EnumSet;
import java.util.Set;

/** In what type a kernel computes; each has kernels of its own, told apart by the last letter of their names. */
enum ComputeType {
    /** float: float32, float16 and bfloat16. */
    F,
    /** double: float64, and what integers have no form of. */
    D,
    /** long: integers and truth values. */
    L;

    private static final Set<ElementOp> ON_INTEGERS = EnumSet.of(ElementOp.COPY, ElementOp.FILL, ElementOp.ADD,
            ElementOp.SUB, ElementOp.MUL, ElementOp.DIV, ElementOp.ADD_SCALAR, ElementOp.MUL_SCALAR,
            ElementOp.DIV_SCALAR, ElementOp.RSUB_SCALAR, ElementOp.RDIV_SCALAR, ElementOp.RECIPROCAL,
            ElementOp.POW_SCALAR, ElementOp.POW, ElementOp.MAXIMUM, ElementOp.MINIMUM, ElementOp.NEG, ElementOp.ABS,
            ElementOp.SIGN, ElementOp.FLOOR, ElementOp.CEIL, ElementOp.ROUND, ElementOp.RELU, ElementOp.CLAMP,
            ElementOp.WHERE, ElementOp.MASKED_FILL, ElementOp.ADDCMUL, ElementOp.ADDCDIV, ElementOp.RELU_BACKWARD,
            ElementOp.SQUARED_ERROR, ElementOp.ABSOLUTE_ERROR, ElementOp.EQ, ElementOp.NE, ElementOp.LT, ElementOp.LE,
            ElementOp.GT, ElementOp.GE, ElementOp.EQ_SCALAR, ElementOp.NE_SCALAR, ElementOp.LT_SCALAR,
            ElementOp.LE_SCALAR, ElementOp.GT_SCALAR, ElementOp.GE_SCALAR, ElementOp.AND, ElementOp.OR, ElementOp.NOT,
            ElementOp.NOT_FINITE, ElementOp.BIT_AND, ElementOp.BIT_OR, ElementOp.BIT_XOR, ElementOp.BIT_NOT,
            ElementOp.TRUNC_DIVIDE, ElementOp.FMAX, ElementOp.FMIN, ElementOp.CLAMP_TENSOR, ElementOp.HEAVISIDE,
            ElementOp.SIGN_BIT);

    /** A kernel's name in this type. */
    String of(String kernel) {
        return kernel + "_" + (this == F ? 'f' : this == D ? 'd' : 'l');
    }

    /** The type for results of a dtype. */
    static ComputeType of(DType dtype) {
        return dtype == DType.FLOAT64 ? D : dtype.isFloatingPoint() ? F : L;
    }

    /** The type for an element operation: the output's, or where that is bool the widest of the inputs'. */
    static ComputeType of(ElementOp op, double[] scalars, DType out, Operand[] inputs) {
        ComputeType type = of(out);
        if (out == DType.BOOL) {
            for (Operand input : inputs) {
                ComputeType t = of(input.dtype());
                type = t == D || type == D ? D : t == F || type == F ? F : L;
            }
        }
        if (type == L && (!ON_INTEGERS.contains(op) || fractional(scalars))) {
            return D;
        }
        return type;
    }

    private static boolean fractional(double[] scalars) {
        for (double s : scalars) {
            if (s != (long) s) {
                return true;
            }
        }
        return false;
    }
}

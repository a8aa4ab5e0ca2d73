package io.vramlab.device;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Arrays;

/** What a kernel can be asked for with, where nothing is computed. */
public final class KernelArguments {

    private KernelArguments() {
    }

    /** An argument that no other position has, where the type has so many values. */
    private static Object argument(Class<?> type, int position) {
        if (type == ElementOp.class) {
            return ElementOp.ADD;
        }
        if (type == ReduceOp.class) {
            return ReduceOp.SUM;
        }
        if (type == ScanOp.class) {
            return ScanOp.SUM;
        }
        if (type == ScatterOp.class) {
            return ScatterOp.SET;
        }
        if (type == RandomOp.class) {
            return RandomOp.UNIFORM;
        }
        if (type == Operand[].class) {
            Operand[] all = new Operand[position];
            Arrays.setAll(all, i -> (Operand) argument(Operand.class, i));
            return all;
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), position);
        }
        if (type == long.class) {
            return 100L + position;
        }
        if (type == int.class) {
            return 100 + position;
        }
        if (type == double.class) {
            return 100.5 + position;
        }
        if (type == boolean.class) {
            return position % 2 == 0;
        }
        if (type == Kernels.Window.class) {
            return new Kernels.Window(position, 1, 1, 1, 0, 0, 1, 1, 1);
        }
        if (type == Kernels.Attention.class) {
            return new Kernels.Attention(position, false, 0, 0, 0);
        }
        return new Operand(position, DType.FLOAT32, new long[0], new long[0]);
    }

    public static Object[] of(Method kernel) {
        Object[] args = new Object[kernel.getParameterCount()];
        for (int i = 0; i < args.length; i++) {
            args[i] = argument(kernel.getParameterTypes()[i], i);
        }
        return args;
    }
}

package io.vramlab.kernel.internal.eval;

import java.lang.reflect.Method;
import java.util.function.IntConsumer;

/** Stands in the code of cells where {@code System.exit} stood: ending the kernel would lose every variable. */
public final class ExitRequest {

    private static volatile IntConsumer handler = status -> {
        throw new IllegalStateException("no kernel is running");
    };

    private ExitRequest() {
    }

    /** Sets who decides; it returns only if the kernel shall not end. */
    static void handler(IntConsumer decides) {
        handler = decides;
    }

    /** In place of {@link System#exit}. */
    public static void asked(int status) {
        handler.accept(status);
    }

    /** In place of {@link Runtime#exit} and {@link Runtime#halt}. */
    public static void asked(Runtime runtime, int status) {
        handler.accept(status);
    }

    /** Before a method is called by reflection: asks if it would end the kernel. */
    public static void reflected(Method method, Object[] arguments) {
        if (method != null
                && (method.getDeclaringClass() == System.class || method.getDeclaringClass() == Runtime.class)
                && (method.getName().equals("exit") || method.getName().equals("halt")) && arguments != null
                && arguments.length == 1 && arguments[0] instanceof Integer status) {
            handler.accept(status);
            throw new ExitRefusedError(status);
        }
    }
}

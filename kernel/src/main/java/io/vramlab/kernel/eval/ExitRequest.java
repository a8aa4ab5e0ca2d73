package io.vramlab.kernel.eval;

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
}

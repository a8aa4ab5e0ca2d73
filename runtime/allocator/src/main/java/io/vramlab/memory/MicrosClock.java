package io.vramlab.memory;

/** Microseconds since 1970 that never go back and cost one read of the processor's clock. */
final class MicrosClock {

    private static final long NANO_ORIGIN = System.nanoTime();
    private static final long MICROS_ORIGIN = System.currentTimeMillis() * 1000;

    private MicrosClock() {
    }

    static long now() {
        return MICROS_ORIGIN + (System.nanoTime() - NANO_ORIGIN) / 1000;
    }
}

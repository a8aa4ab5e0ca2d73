package io.vramlab.kernel;

import java.io.IOException;
import java.net.ServerSocket;

/**
 * Ports for kernels under test. Each of the JVMs that run tests at once has a range of its own, below what the system gives
 * to connections, and goes round in it: between the look whether one is free and a kernel's use nobody else takes it.
 */
final class TestPorts {

    private static final int FIRST = 12_000;
    private static final int RANGE = 1_000;
    private static final int RANGES = 20;

    /** Listens at a range's first port as long as this JVM lives: the range is taken. */
    private static ServerSocket guard;
    private static int given;

    private TestPorts() {
    }

    /** A port where nothing listens, and which no other test has been given lately. */
    static synchronized int next() {
        if (guard == null) {
            guard = guard();
        }
        for (int tries = 0; tries < RANGE; tries++) {
            int port = guard.getLocalPort() + 1 + given++ % (RANGE - 1);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (IOException taken) {
                // somebody else's: the next one
                continue;
            }
        }
        throw new AssertionError("no port after " + guard.getLocalPort() + " is free");
    }

    private static ServerSocket guard() {
        IOException last = null;
        for (int range = 0; range < RANGES; range++) {
            try {
                return new ServerSocket(FIRST + range * RANGE);
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw new AssertionError("all ranges of ports are taken", last);
    }
}

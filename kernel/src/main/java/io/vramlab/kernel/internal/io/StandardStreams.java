package io.vramlab.kernel.internal.io;

import java.io.InputStream;

/**
 * {@code System.out}, {@code err} and {@code in} of a notebook. A cell may close or replace them, or hold the monitor of
 * one of them for ever; each cell gets new ones. Those of earlier cells go on printing for who has kept them.
 */
public final class StandardStreams {

    private final CellOutput output;
    private final InputStream in;

    /** Streams that print to one and read from the other. */
    public StandardStreams(CellOutput output, CellInput input) {
        this.output = output;
        this.in = input.stream();
    }

    /** Makes them the system's. */
    public void install() {
        System.setOut(output.stream("stdout"));
        System.setErr(output.stream("stderr"));
        // the same one: it may hold the rest of a line
        System.setIn(in);
    }
}

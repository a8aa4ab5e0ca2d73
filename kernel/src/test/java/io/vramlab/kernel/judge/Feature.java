package io.vramlab.kernel.judge;

/** A part of the language that sequences are made of. */
interface Feature {

    /** Adds some declarations, and code that uses them. */
    void write(Draft draft);
}

package io.vramlab.conformance.models;

import java.util.Set;
import java.util.TreeSet;

/** Expressions of functions.txt that differ from the recording in some mode: one that begins to agree must leave the list. */
final class DifferingFunctions {

    /** Another sequence of allocations. */
    static final Set<String> MEMORY = new TreeSet<>();

    /** Other values. */
    static final Set<String> VALUES = new TreeSet<>();

    private DifferingFunctions() {
    }
}

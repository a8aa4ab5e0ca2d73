package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;

/** Places in the containers whose members are numbered. */
final class Numbering {

    private Numbering() {
    }

    /** The place a number means, negative ones counted from the end, if it is one of so many. */
    static int place(int i, int size, int places, String method) {
        int at = i < 0 ? i + size : i;
        if (at < 0 || at >= places) {
            throw new IndexOutOfBoundsException(
                    method + "(" + i + ") was asked of a container of " + size + " modules. "
                            + (places == 0
                                    ? "It is empty: append one first."
                                    : "Give a number from " + -size + " to " + (places - 1) + "."));
        }
        return at;
    }

    /** What a container takes in: it leads to it from now on. */
    static void takes(Module container, Module module, String name) {
        if (module == null) {
            throw new IllegalArgumentException(
                    "null was given to a " + name + " as a module, and it runs or lists what it has. "
                            + "Leave it out, or give new Identity().");
        }
        Lifetimes.takes(container, module);
    }
}

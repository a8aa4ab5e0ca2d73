package io.vramlab.install;

/** A command cannot do what it was asked to; the user sees the three sentences and no stack trace. */
final class CommandFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String found;

    /**
     * With the three parts of every message.
     *
     * @param asked what was asked for
     * @param found what is true instead
     * @param remedy what the user can do
     */
    CommandFailure(String asked, String found, String remedy) {
        super(asked + "\n" + found + "\n" + remedy);
        this.found = found;
    }

    /** What is true instead of what was asked for. */
    String found() {
        return found;
    }
}

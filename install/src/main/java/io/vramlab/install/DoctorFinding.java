package io.vramlab.install;

/**
 * One thing that the doctor looked for.
 *
 * @param what what was looked for
 * @param state whether it is there, and if not, whether that matters
 * @param detail what was found
 * @param remedy what to do; empty when nothing needs doing
 */
record DoctorFinding(String what, State state, String detail, String remedy) {

    /** How a finding is to be taken. */
    enum State {
        /** It is there. */
        FOUND("ok"),
        /** It is not there, and only some work needs it. */
        ABSENT("--"),
        /** It is not there, and nothing works without it. */
        MISSING("!!");

        private final String mark;

        State(String mark) {
            this.mark = mark;
        }
    }

    static DoctorFinding found(String what, String detail) {
        return new DoctorFinding(what, State.FOUND, detail, "");
    }

    static DoctorFinding absent(String what, String detail, String remedy) {
        return new DoctorFinding(what, State.ABSENT, detail, remedy);
    }

    static DoctorFinding missing(String what, String detail, String remedy) {
        return new DoctorFinding(what, State.MISSING, detail, remedy);
    }

    /** One or two lines. */
    String text() {
        String line = "%s  %-10s %s".formatted(state.mark, what, detail);
        return remedy.isEmpty() ? line : line + System.lineSeparator() + " ".repeat(15) + remedy;
    }
}

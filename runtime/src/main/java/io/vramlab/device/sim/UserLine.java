package io.vramlab.device.sim;

import java.util.Optional;

/**
 * The notebook line that runs now. Cells are compiled under file names of the form {@code In [7]}; a simulated kernel runs
 * on its caller's thread, so the line that launched it is on the stack.
 */
final class UserLine {

    private static final String CELL = "In [";

    private UserLine() {
    }

    /** For instance {@code " at In [7]:3"}; empty outside notebooks. */
    static String current() {
        Optional<StackWalker.StackFrame> frame = StackWalker.getInstance().walk(
                s -> s.filter(f -> f.getFileName() != null && f.getFileName().startsWith(CELL)).findFirst());
        return frame.map(f -> " at " + f.getFileName() + ":" + f.getLineNumber()).orElse("");
    }
}

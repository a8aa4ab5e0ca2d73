package io.vramlab.kernel;

import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.cell.CellRun;
import io.vramlab.kernel.internal.cell.CellThread;
import io.vramlab.kernel.internal.eval.Interpreter;
import io.vramlab.kernel.internal.eval.accelerated.JShellInsides;
import java.util.List;
import java.util.Optional;

/** A few cells, run without a kernel, to see what of this JVM's JShell and compiler can be used. */
public final class EngineTrial {

    private static final List<String> CELLS = List.of("1 + 1",
            "int twice(int n) { return 2 * n; }\nint four = twice(2);",
            "String four = \"\" + twice(2);", "twice(four.length())");

    private EngineTrial() {
    }

    /**
     * Why cells run without the accelerator on this JVM; empty when they run with it.
     *
     * @throws Exception
     *             if cells do not run at all
     */
    public static Optional<String> withoutAccelerator() throws Exception {
        try (Interpreter java = new Interpreter(Imports.all(), note -> {
        }, status -> {
        }, JShellInsides::open)) {
            for (int i = 0; i < CELLS.size(); i++) {
                CellRun run = new CellRun(i + 1, new JsonObject(), List.of(), true, false);
                try (CellThread thread = new CellThread(run)) {
                    java.thread(thread);
                    java.evaluate(run.number(), CELLS.get(i), 1);
                    java.endCell(run.number());
                }
            }
            return java.withoutAccelerator();
        }
    }
}

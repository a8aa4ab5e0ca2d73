package io.vramlab.kernel.judge;

import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.cell.CellRun;
import io.vramlab.kernel.internal.cell.CellThread;
import io.vramlab.kernel.internal.eval.CompileException;
import io.vramlab.kernel.internal.eval.Interpreter;
import io.vramlab.kernel.internal.eval.UserCodeException;
import io.vramlab.kernel.internal.eval.Value;
import io.vramlab.kernel.internal.eval.accelerated.JShellInsides;
import io.vramlab.kernel.spi.Variable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A session of our interpreter whose cells run on threads of their own, as the kernel drives it. */
final class Session implements AutoCloseable {

    /** What a cell that does not compile is said to throw, before the message. */
    static final String REFUSED = "CompileError";

    private final Interpreter interpreter;
    private final Captured captured = new Captured();
    private int cells;

    /**
     * A fresh session.
     *
     * @param accelerated
     *            whether it may go around JShell
     */
    Session(boolean accelerated, List<String> imports) {
        interpreter = new Interpreter(imports, note -> {
        }, status -> {
        }, accelerated ? JShellInsides::open : (shell, files, classFiles) -> {
            throw new IllegalAccessException("this one does without");
        });
    }

    /** Runs the next cell. */
    Seen run(String code) {
        int number = ++cells;
        CellRun run = new CellRun(number, new JsonObject(), List.of(), false, false);
        run.begin();
        String shown = null;
        String thrown = null;
        try (CellThread thread = new CellThread(run)) {
            interpreter.thread(thread);
            Value value = interpreter.evaluate(number, code, 1);
            shown = value.present() ? thread.call(() -> Show.value(value.value())) : null;
        } catch (UserCodeException e) {
            thrown = Show.thrown(e.getCause());
        } catch (CompileException e) {
            thrown = REFUSED + ": " + e.getMessage();
        } catch (Exception | Error e) {
            thrown = "the kernel itself: " + e;
        }
        interpreter.endCell(number);
        return new Seen(captured.take(), shown, thrown, variables());
    }

    /** The named variables, with types and values. */
    Map<String, String> variables() {
        Map<String, String> variables = new TreeMap<>();
        for (Variable each : interpreter.variables()) {
            if (!each.name().startsWith("$")) {
                variables.put(each.name(), Show.type(each.type()) + " " + Show.value(each.value()));
            }
        }
        return variables;
    }

    @Override
    public void close() {
        captured.close();
        interpreter.close();
    }
}

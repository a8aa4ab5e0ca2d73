package io.vramlab.kernel.judge;

import com.google.gson.JsonObject;
import io.vramlab.kernel.cell.CellRun;
import io.vramlab.kernel.cell.CellThread;
import io.vramlab.kernel.eval.CompileException;
import io.vramlab.kernel.eval.Interpreter;
import io.vramlab.kernel.eval.UserCodeException;
import io.vramlab.kernel.eval.Value;
import io.vramlab.kernel.spi.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Our interpreter, in this process, on threads of cells, as the kernel drives it. */
final class OurKernel implements Side {

    static final String REFUSED = "CompileError";
    private static final String SWITCH = "vramlab.accelerator";

    private final boolean accelerated;

    /**
     * Our kernel.
     *
     * @param accelerated
     *            whether it may go around JShell
     */
    OurKernel(boolean accelerated) {
        this.accelerated = accelerated;
    }

    /** An interpreter with the accelerator or without. */
    static Interpreter interpreter(boolean accelerated, List<String> imports) {
        String before = System.getProperty(SWITCH);
        try {
            System.setProperty(SWITCH, accelerated ? "on" : "off");
            return new Interpreter(imports, note -> {
            }, status -> {
            });
        } finally {
            if (before == null) {
                System.clearProperty(SWITCH);
            } else {
                System.setProperty(SWITCH, before);
            }
        }
    }

    @Override
    public List<List<Seen>> run(List<CellSequence> sequences) {
        List<List<Seen>> all = new ArrayList<>();
        for (CellSequence sequence : sequences) {
            all.add(run(sequence));
        }
        return all;
    }

    private List<Seen> run(CellSequence sequence) {
        List<Seen> seen = new ArrayList<>();
        try (Captured captured = new Captured(); Interpreter interpreter = interpreter(accelerated, Imports.ALL)) {
            for (Cell cell : sequence.cells()) {
                seen.add(run(interpreter, seen.size() + 1, cell.text(), captured));
            }
        }
        return seen;
    }

    private static Seen run(Interpreter interpreter, int number, String code, Captured captured) {
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
        Map<String, String> variables = new TreeMap<>();
        for (Variable each : interpreter.variables()) {
            if (!each.name().startsWith("$")) {
                variables.put(each.name(), Show.type(each.type()) + " " + Show.value(each.value()));
            }
        }
        return new Seen(captured.take(), shown, thrown, variables);
    }
}

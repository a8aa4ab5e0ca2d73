package io.vramlab.kernel;

import com.google.gson.JsonObject;
import io.github.spencerpark.jupyter.kernel.display.DisplayData;
import io.github.spencerpark.jupyter.kernel.display.mime.MIMEType;
import io.vramlab.kernel.internal.cell.CellRun;
import io.vramlab.kernel.internal.cell.CellThread;
import io.vramlab.kernel.internal.cell.SpareMemory;
import io.vramlab.kernel.internal.display.Renderers;
import io.vramlab.kernel.internal.eval.CellSources;
import io.vramlab.kernel.internal.eval.Interpreter;
import io.vramlab.kernel.internal.eval.ShownError;
import io.vramlab.kernel.internal.eval.UserCodeException;
import io.vramlab.kernel.internal.eval.Value;
import io.vramlab.kernel.internal.heap.FullHeap;
import io.vramlab.kernel.internal.magic.CellPart;
import io.vramlab.kernel.internal.magic.CellScanner;
import io.vramlab.kernel.internal.magic.Magics;
import io.vramlab.kernel.spi.Cell;
import io.vramlab.kernel.spi.Display;
import io.vramlab.kernel.spi.Outcome;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Runs one cell after another. Used by the shell's thread. */
final class CellRunner {

    private static final int TRIES = 20;
    private static final String STILL_FULL = "The Java heap holds no more, and what fills it could not be found: restart the kernel.";
    private static final MIMEType TEXT_PLAIN = MIMEType.parse("text/plain");

    private final CompletableFuture<Interpreter> interpreter;
    private final Magics magics;
    private final LiveSession session;
    private final Renderers renderers;
    private final Publisher publisher;
    private final Listeners listeners;
    private final CellSources sources = new CellSources();
    private String shown;

    CellRunner(CompletableFuture<Interpreter> interpreter, Magics magics, LiveSession session, Renderers renderers,
            Publisher publisher, Listeners listeners) {
        this.interpreter = interpreter;
        this.magics = magics;
        this.session = session;
        this.renderers = renderers;
        this.publisher = publisher;
        this.listeners = listeners;
    }

    /**
     * Runs a cell, publishes its value or error, releases what it replaced and tells the listeners.
     *
     * @param stored
     *            whether it is part of the history
     * @return null if it ran to its end, what ended it otherwise
     */
    ShownError run(CellRun run, CellThread thread, String code, boolean stored) {
        interpreter.exceptionally(e -> null).join();
        Cell cell = new Cell(run.number(), code);
        String former = sources.text(run.number());
        sources.put(run.number(), code);
        if (stored) {
            listeners.cellStarted(cell);
        }
        tellOfThreads(run, "");
        long begin = System.nanoTime();
        Value value = null;
        Throwable error = null;
        shown = null;
        try {
            value = evaluate(run, thread, code);
            if (value.present() && !(value.value() instanceof Display)) { // which is on show
                Object toShow = value.value();
                DisplayData data = thread.call(() -> renderers.render(toShow));
                publisher.result(run, data);
                shown = data.getData(TEXT_PLAIN) instanceof String text ? text : null;
            }
        } catch (Throwable e) {
            error = e;
        }
        String remedy = null;
        if (FullHeap.caused(error)) {
            value = null;
            SpareMemory.release();
            remedy = makeRoom(run, code);
        }
        tellOfThreads(run, code);
        ShownError traceback = error == null ? null : traceback(run, thread, error);
        if (remedy != null) {
            traceback = traceback.explained(remedy);
        }
        if (traceback != null) {
            publisher.error(run, traceback);
            session.lastError(traceback.lines());
        }
        if (stored) {
            if (!interpreter.isCompletedExceptionally()) {
                interpreter.join().endCell(run.number());
            }
            Throwable told = error != null && !FullHeap.isOfACell(error) && error.getCause() != null
                    ? error.getCause()
                    : error;
            listeners.cellFinished(cell,
                    new Outcome(value == null ? null : value.value(), told, System.nanoTime() - begin));
        } else {
            // a run without a number of its own had that of the cell before
            sources.put(run.number(), former);
        }
        return traceback;
    }

    /** An error of a class that a cell declared runs the cell's code to tell what it is: as the cell, so that it can be stopped. */
    private ShownError traceback(CellRun run, CellThread thread, Throwable error) {
        Throwable told = error instanceof UserCodeException ? error.getCause() : error;
        if (run.stopped() || told.getClass().getClassLoader() == CellRunner.class.getClassLoader()) {
            return ShownError.of(error, sources);
        }
        try {
            return thread.call(() -> ShownError.of(error, sources));
        } catch (Throwable e) {
            return ShownError.unasked(told);
        }
    }

    /** What no cell's error tells: a thread that one of them started has met the end of the heap. */
    private void tellOfThreads(CellRun run, String code) {
        if (SpareMemory.isReleased()) {
            System.err.println("A thread that a cell started ran out of memory. " + makeRoom(run, code));
        }
    }

    /** Makes room on the heap for what comes next; what was done, in words. */
    String makeRoom(CellRun run, String code) {
        for (int i = 0; i < TRIES; i++) {
            try {
                return new FullHeap(interpreter.join()).makeRoom(run, code);
            } catch (OutOfMemoryError e) {
                SpareMemory.releaseLast();
                SpareMemory.await();
            }
        }
        return STILL_FULL;
    }

    /** The value that the last cell showed, as text; null if it showed none. */
    String shown() {
        return shown;
    }

    private Value evaluate(CellRun run, CellThread thread, String code) throws Exception {
        Value last = new Value(null, false);
        Interpreter java = interpreter.join();
        java.thread(thread);
        List<CellPart> parts = new CellScanner(code, magics::has, session::typeOf).scan();
        check(run.number(), parts);
        for (CellPart part : parts) {
            last = switch (part) {
                case CellPart.Java each -> java.evaluate(run.number(), each.code(), each.line());
                case CellPart.Use use -> {
                    Object value = thread.call(() -> session.run(use, use == parts.getLast()));
                    yield new Value(value, value != null);
                }
            };
        }
        return last;
    }

    /**
     * Throws if a part cannot run, before any does. What stands below a magic that may declare something can be judged only
     * when that has run.
     */
    private void check(int cell, List<CellPart> parts) throws Exception {
        SortedMap<Integer, String> codes = new TreeMap<>();
        for (CellPart part : parts) {
            if (part instanceof CellPart.Java each) {
                codes.put(each.line(), each.code());
            } else if (part instanceof CellPart.Use use) {
                magics.check(use);
                if (magics.mayDeclare(use)) {
                    break;
                }
            }
        }
        if (parts.size() > 1) {
            interpreter.join().check(cell, codes);
        }
    }

    /** The values of expressions, evaluated one by one after a cell; errors as such. */
    JsonObject expressions(CellRun run, CellThread thread, JsonObject expressions) {
        JsonObject all = new JsonObject();
        String cell = sources.text(run.number());
        expressions.entrySet().forEach(each -> {
            JsonObject answer;
            try {
                Interpreter java = interpreter.join();
                java.thread(thread);
                String code = each.getValue().getAsString();
                // an error shows the expression's line, not the cell's
                sources.put(run.number(), code);
                Object value = java.evaluate(run.number(), code, 1).value();
                answer = Publisher.bundle(thread.call(() -> renderers.render(value)));
                answer.addProperty("status", "ok");
            } catch (Throwable e) {
                answer = Replies.error(traceback(run, thread, e));
            }
            all.add(each.getKey(), answer);
        });
        sources.put(run.number(), cell);
        return all;
    }
}

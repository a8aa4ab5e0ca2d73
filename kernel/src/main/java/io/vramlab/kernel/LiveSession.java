package io.vramlab.kernel;

import io.vramlab.kernel.internal.cell.CellRun;
import io.vramlab.kernel.internal.cell.CellThread;
import io.vramlab.kernel.internal.display.Renderers;
import io.vramlab.kernel.internal.eval.CompileException;
import io.vramlab.kernel.internal.eval.Interpreter;
import io.vramlab.kernel.internal.eval.UserCodeException;
import io.vramlab.kernel.internal.history.Entry;
import io.vramlab.kernel.internal.history.History;
import io.vramlab.kernel.internal.io.CellInput;
import io.vramlab.kernel.internal.magic.CellPart;
import io.vramlab.kernel.internal.magic.CellScanner;
import io.vramlab.kernel.internal.magic.KernelSession;
import io.vramlab.kernel.internal.magic.Magics;
import io.vramlab.kernel.spi.Display;
import io.vramlab.kernel.spi.Holder;
import io.vramlab.kernel.spi.MimeBundle;
import io.vramlab.kernel.spi.NotebookBridge;
import io.vramlab.kernel.spi.SessionParts;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.kernel.spi.Variable;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The running kernel as magics, listeners and cells see it. */
final class LiveSession implements KernelSession, NotebookBridge {

    private final CompletableFuture<Interpreter> interpreter;
    private final Magics magics;
    private final Renderers renderers;
    private final Publisher publisher;
    private final CellInput input;
    private final IntSupplier count;
    private final Supplier<CellThread> thread;
    private final History history;
    private final List<String> added = new CopyOnWriteArrayList<>();
    private final SessionParts parts = new SessionParts();
    private volatile List<String> lastError = List.of();
    private volatile BiFunction<String, Boolean, Optional<MimeBundle>> inspector = (subject, full) -> Optional.empty();

    LiveSession(CompletableFuture<Interpreter> interpreter, Magics magics, Renderers renderers, Publisher publisher,
            CellInput input, IntSupplier count, Supplier<CellThread> thread, History history) {
        this.interpreter = interpreter;
        this.magics = magics;
        this.renderers = renderers;
        this.publisher = publisher;
        this.input = input;
        this.count = count;
        this.thread = thread;
        this.history = history;
    }

    private Interpreter java() {
        return interpreter.join();
    }

    @Override
    public int executionCount() {
        return count.getAsInt();
    }

    @Override
    public List<Variable> variables() {
        return java().variables();
    }

    @Override
    public Optional<Variable> variable(String name) {
        return java().variables().stream().filter(each -> each.name().equals(name)).findFirst();
    }

    @Override
    public boolean drop(String name) {
        return java().drop(name);
    }

    @Override
    public List<Holder> holders() {
        return java().holders();
    }

    @Override
    public List<Holder> staticFields() {
        return java().staticFields();
    }

    /** The type of the variable of that name; null if there is none. */
    String typeOf(String name) {
        return variable(name).map(Variable::type).orElse(null);
    }

    @Override
    public Object evaluate(String code, int firstLine) throws Exception {
        Object last = null;
        List<CellPart> parts = new CellScanner(code, magics::has, this::typeOf).scan();
        for (CellPart part : parts) {
            last = switch (part) {
                case CellPart.Java each -> java(each.code(), firstLine + each.line() - 1);
                case CellPart.Use use -> run(use.from(firstLine), use == parts.getLast());
            };
        }
        return last;
    }

    /**
     * Runs a magic of a cell. What stands above the cell's end and only tells shows it now, since nothing else would.
     *
     * @return its value, null if it has none or it was shown
     */
    Object run(CellPart.Use use, boolean atTheEnd) throws Exception {
        Object value = magics.run(use, this);
        if (value == null || atTheEnd || !magics.onlyTells(use)) {
            return value;
        }
        display(value);
        return null;
    }

    private Object java(String code, int firstLine) throws Exception {
        try {
            CellThread cell = thread.get();
            return cell == null
                    ? java().evaluate(executionCount(), code, firstLine).value()
                    : cell.shielded(() -> java().evaluate(executionCount(), code, firstLine).value());
        } catch (CompileException e) {
            throw new UsageException(e.getMessage());
        } catch (UserCodeException e) {
            switch (e.getCause()) {
                case Exception cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw e;
            }
        }
    }

    @Override
    public void addToClasspath(String path) {
        java().addToClasspath(path);
        added.add(path);
    }

    @Override
    public List<String> addedToClasspath() {
        return List.copyOf(added);
    }

    @Override
    public List<Entry> history() {
        return history.range(0, 0, 0);
    }

    @Override
    public List<String> lastError() {
        return lastError;
    }

    /** Remembers what the user saw of an error. */
    void lastError(List<String> lines) {
        lastError = List.copyOf(lines);
    }

    @Override
    public Optional<MimeBundle> inspect(String subject, boolean full) {
        return inspector.apply(subject, full);
    }

    /** Has questions about names answered by this. */
    void inspector(BiFunction<String, Boolean, Optional<MimeBundle>> answers) {
        inspector = answers;
    }

    @Override
    public Display display(Object value) {
        CellRun run = CellRun.current();
        String id = UUID.randomUUID().toString();
        publisher.display(run, renderers.render(value), id, false);
        return next -> publisher.display(CellRun.current(), renderers.render(next), id, true);
    }

    @Override
    public <T> T part(Class<T> type, Supplier<? extends T> maker) {
        return parts.get(type, maker);
    }

    @Override
    public PrintStream out() {
        return System.out;
    }

    @Override
    public PrintStream err() {
        return System.err;
    }

    @Override
    public Object magic(String name, String arguments) throws Exception {
        return magics.run(new CellPart.Use(name, arguments, null, 1), this);
    }

    @Override
    public void tell(String name, String arguments) throws Exception {
        run(new CellPart.Use(name, arguments, null, 1), false);
    }

    @Override
    public void clearOutput(boolean wait) {
        publisher.clear(CellRun.current(), wait);
    }

    @Override
    public String input(String prompt, boolean password) throws IOException {
        return input.ask(prompt, password);
    }
}

package io.vramlab.magics;

import io.vramlab.kernel.spi.Display;
import io.vramlab.kernel.spi.Holder;
import io.vramlab.kernel.spi.Session;
import io.vramlab.kernel.spi.SessionParts;
import io.vramlab.kernel.spi.Variable;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** A session without a kernel: variables are a map, code is a lambda. */
public final class FakeSession implements Session {

    private final Map<String, Variable> variables = new LinkedHashMap<>();
    private final List<Holder> replaced = new ArrayList<>();
    private final List<Holder> statics = new ArrayList<>();
    private final List<Object> displayed = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    private final SessionParts parts = new SessionParts();
    private Callable<Object> code = () -> null;
    private int cell = 1;

    /** Declares a variable in the current cell. */
    public FakeSession put(String name, String type, Object value) {
        variables.put(name, new Variable(name, type, value, cell));
        return this;
    }

    /** Adds a field of a replaced variable's class that still holds a value. */
    public FakeSession replaced(String name, int cell, Object value) {
        replaced.add(new Holder(name, cell, value, false));
        return this;
    }

    /** Adds a static field of a class declared in a cell. */
    public FakeSession inStaticField(String name, Object value) {
        statics.add(new Holder(name, cell, value, true));
        return this;
    }

    /** The next cell begins. */
    public FakeSession cell(int number) {
        cell = number;
        return this;
    }

    /** What {@link #evaluate} runs. */
    public FakeSession code(Callable<Object> body) {
        code = body;
        return this;
    }

    /** What was shown. */
    public List<Object> displayed() {
        return displayed;
    }

    /** What was printed. */
    public String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Override
    public int executionCount() {
        return cell;
    }

    @Override
    public List<Variable> variables() {
        return List.copyOf(variables.values());
    }

    @Override
    public Optional<Variable> variable(String name) {
        return Optional.ofNullable(variables.get(name));
    }

    @Override
    public boolean drop(String name) {
        return variables.remove(name) != null;
    }

    @Override
    public List<Holder> holders() {
        List<Holder> all = new ArrayList<>(replaced);
        variables.values().stream().filter(v -> v.value() != null)
                .forEach(v -> all.add(new Holder(v.name(), v.cell(), v.value(), true)));
        return all;
    }

    @Override
    public List<Holder> staticFields() {
        return List.copyOf(statics);
    }

    @Override
    public Object evaluate(String source, int firstLine) throws Exception {
        return code.call();
    }

    @Override
    public Display display(Object value) {
        int index = displayed.size();
        displayed.add(value);
        return next -> displayed.set(index, next);
    }

    @Override
    public <T> T part(Class<T> type, Supplier<? extends T> maker) {
        return parts.get(type, maker);
    }

    @Override
    public PrintStream out() {
        return stream;
    }

    @Override
    public PrintStream err() {
        return stream;
    }
}

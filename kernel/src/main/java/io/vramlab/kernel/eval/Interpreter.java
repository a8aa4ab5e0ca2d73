package io.vramlab.kernel.eval;

import io.vramlab.kernel.cell.CellThread;
import io.vramlab.kernel.spi.Holder;
import io.vramlab.kernel.spi.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.SubKind;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.UnresolvedReferenceException;
import jdk.jshell.VarSnippet;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;

/** The Java of a session. Used by one thread at a time; {@link #holders} and {@link #variables} by any. */
public final class Interpreter implements AutoCloseable {

    private static final Pattern INDEX = Pattern.compile("\\$JShell\\$(\\d+)");
    private static final Pattern WRAPPER = Pattern.compile("REPL\\.\\$JShell\\$\\w+");

    private record Origin(Snippet snippet, Piece piece) {
    }

    private final CellLoader loader = new CellLoader(Interpreter.class.getClassLoader());
    private final CellControl control = new CellControl(loader, this::lines, this::adoptFresh);
    private final Holders holders = new Holders();
    private final Map<Integer, Origin> origins = new HashMap<>();
    private final Map<String, Integer> results = new LinkedHashMap<>();
    private final Map<String, Integer> expired = new HashMap<>();
    private final List<String> stranded = new ArrayList<>();
    private final Consumer<String> notes;
    private final JShell shell;
    private final SourceCodeAnalysis analysis;
    private Piece current = new Piece(0, "", 1, 0, false);

    /**
     * A new session.
     *
     * @param imports
     *            import declarations that it begins with
     * @param notes
     *            takes remarks for the user that are no errors
     * @param exit
     *            decides what a cell's {@code System.exit} does; returns if the kernel shall go on
     */
    public Interpreter(List<String> imports, Consumer<String> notes, IntConsumer exit) {
        this.notes = notes;
        ExitRequest.handler(exit);
        shell = JShell.builder().executionEngine(new InProcess(), Map.of()).idGenerator(this::installed)
                .compilerOptions("--add-modules", "jdk.incubator.vector").build();
        analysis = shell.sourceCodeAnalysis();
        for (String each : imports) {
            current = new Piece(0, each, 1, 0, false);
            shell.eval(each);
        }
    }

    private final class InProcess implements ExecutionControlProvider {

        @Override
        public String name() {
            return "vramlab";
        }

        @Override
        public ExecutionControl generate(ExecutionEnv environment, Map<String, String> parameters) {
            return control;
        }
    }

    private String installed(Snippet snippet, int index) {
        origins.put(index, new Origin(snippet, current));
        return Integer.toString(index);
    }

    private Optional<Origin> origin(String className) {
        Matcher matcher = INDEX.matcher(className);
        return matcher.find() ? Optional.ofNullable(origins.get(Integer.valueOf(matcher.group(1)))) : Optional.empty();
    }

    private CellLines lines(String className) {
        return origin(className).map(each -> CellLines.of(each.piece(), analysis.wrapper(each.snippet()))).orElse(null);
    }

    private void adoptFresh() {
        for (String name : loader.takeFresh()) {
            if (WRAPPER.matcher(name).matches()) {
                try {
                    Class<?> generated = Class.forName(name, false, loader);
                    stranded.addAll(holders.adopt(generated, origin(name).map(each -> each.piece().cell()).orElse(0)));
                } catch (ClassNotFoundException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** The class loader of cells' classes and of what {@link #addToClasspath} added. */
    public ClassLoader classLoader() {
        return loader;
    }

    /** Where code runs from now on. */
    public void thread(CellThread thread) {
        thread.contextClassLoader(loader);
        control.thread(thread);
    }

    /**
     * Runs code.
     *
     * @param cell
     *            the n of In [n]
     * @param code
     *            any number of declarations, statements and expressions
     * @param firstLine
     *            the cell line (from 1) on which it begins
     * @return the value of the last expression
     * @throws CompileException
     *             if the compiler refuses a part; parts before it ran, unless it is a syntax error: then nothing ran
     * @throws Exception
     *             what the code threw
     */
    public Value evaluate(int cell, String code, int firstLine) throws Exception {
        Piece outer = current;
        try {
            Value last = Value.NONE;
            for (Piece piece : new Splitter(analysis).split(cell, code, firstLine)) {
                last = evaluate(piece);
            }
            return last;
        } finally {
            current = outer;
        }
    }

    private Value evaluate(Piece piece) throws Exception {
        current = piece;
        control.clear();
        List<SnippetEvent> events = shell.eval(piece.source());
        loader.locate(this::lines);
        adoptFresh();
        Object value = control.value();
        Throwable thrown = control.thrown();
        control.clear();
        stranded.addAll(new Recovery(shell, holders, this::declareAgain).recover(events));
        for (SnippetEvent event : events) {
            settle(event);
        }
        noteStranded(events);
        for (SnippetEvent event : events) {
            if (event.causeSnippet() == null) {
                new Verdict(shell, piece, expired).check(event);
            }
        }
        if (thrown != null) {
            String explanation = !events.isEmpty()
                    && events.getFirst().exception() instanceof UnresolvedReferenceException unresolved
                            ? Unresolved.describe(shell, unresolved.getSnippet())
                            : null;
            throw new UserCodeException(thrown, explanation);
        }
        return events.isEmpty() || !showsValue(events.getLast().snippet(), piece) ? Value.NONE : new Value(value, true);
    }

    private static boolean showsValue(Snippet snippet, Piece piece) {
        boolean expression = snippet.kind() == Snippet.Kind.EXPRESSION
                || snippet.subKind() == SubKind.TEMP_VAR_EXPRESSION_SUBKIND;
        return expression && !piece.source().stripTrailing().endsWith(";");
    }

    private List<SnippetEvent> declareAgain(Snippet former, String source) {
        Piece failed = current;
        Origin origin = origins.get(Integer.valueOf(former.id()));
        current = new Piece(origin.piece().cell(), source, origin.piece().line(), 0, false);
        try {
            List<SnippetEvent> events = shell.eval(source);
            loader.locate(this::lines);
            adoptFresh();
            return events;
        } finally {
            current = failed;
        }
    }

    /** Lets go of what this event made unreachable for the user. */
    private void settle(SnippetEvent event) {
        if (!(event.snippet() instanceof VarSnippet variable)) {
            return;
        }
        if (shell.status(variable).isDefined()) {
            holders.keepNewest(variable.name());
            if (variable.subKind() == SubKind.TEMP_VAR_EXPRESSION_SUBKIND) {
                results.putIfAbsent(variable.name(), current.cell());
            }
        } else if (find(variable.name()).isEmpty()) {
            holders.release(variable.name());
        }
    }

    private void noteStranded(List<SnippetEvent> events) {
        List<String> lost = stranded.stream().distinct().filter(name -> events.stream()
                .anyMatch(event -> event.causeSnippet() != null && event.snippet() instanceof VarSnippet variable
                        && variable.name().equals(name)))
                .toList();
        stranded.clear();
        if (!lost.isEmpty()) {
            String cause = events.stream().map(SnippetEvent::snippet).filter(TypeDeclSnippet.class::isInstance)
                    .map(type -> ((TypeDeclSnippet) type).name()).findFirst().orElse("a type");
            notes.accept(
                    ("%s was declared again: %s held objects of the former %s and cannot be kept. Run the cells that "
                            + "make %s again.%n").formatted(cause, String.join(", ", lost), cause,
                                    lost.size() == 1 ? "it" : "them"));
        }
    }

    /** Ends a cell: unnamed results ({@code $n}) of cells before it are released. */
    public void endCell(int cell) {
        List<String> old = results.entrySet().stream().filter(each -> each.getValue() < cell).map(Map.Entry::getKey)
                .toList();
        for (String name : old) {
            holders.release(name);
            expired.put(name, results.remove(name));
            find(name).filter(variable -> analysis.dependents(variable).isEmpty()).ifPresent(shell::drop);
        }
    }

    private Optional<VarSnippet> find(String name) {
        return shell.variables().filter(each -> each.name().equals(name) && shell.status(each).isDefined()).findFirst();
    }

    /** The variables that code could name now, in order of declaration. */
    public List<Variable> variables() {
        List<Variable> all = new ArrayList<>();
        shell.variables().filter(each -> shell.status(each).isDefined() && !expired.containsKey(each.name()))
                .forEach(each -> all.add(new Variable(each.name(), each.typeName(),
                        holders.value(each.name()).orElse(null), cellOf(each))));
        return all;
    }

    private int cellOf(Snippet snippet) {
        Origin origin = origins.get(Integer.valueOf(snippet.id()));
        return origin == null ? 0 : origin.piece().cell();
    }

    /** Forgets a variable and lets go of its value; false if there is none of that name. */
    public boolean drop(String name) {
        Optional<VarSnippet> variable = find(name);
        variable.ifPresent(each -> {
            shell.drop(each).forEach(this::settle);
            holders.release(name);
        });
        return variable.isPresent();
    }

    /** Every object that a variable's field keeps alive. */
    public List<Holder> holders() {
        return holders.list();
    }

    /** The import declarations in force. */
    public List<String> imports() {
        return shell.imports().map(ImportSnippet::source).toList();
    }

    /** Adds jars or folders, for the compiler and for running code. */
    public void addToClasspath(String path) {
        shell.addToClasspath(path);
    }

    /** JShell's knowledge of source text: completeness, completion, documentation. */
    public SourceCodeAnalysis analysis() {
        return analysis;
    }

    @Override
    public void close() {
        shell.close();
    }
}

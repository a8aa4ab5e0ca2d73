package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.internal.cell.CellThread;
import io.vramlab.kernel.spi.Holder;
import io.vramlab.kernel.spi.Variable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.SubKind;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.spi.SPIResolutionException;

/** The Java of a session. Used by one thread at a time; {@link #holders} and {@link #variables} by any. */
public final class Interpreter implements AutoCloseable {

    private static final Pattern RESULT = Pattern.compile("\\$\\d+\\b");
    private static final Pattern OUTERMOST = Pattern.compile("^REPL\\.\\$[A-Za-z]+\\$\\d+");

    private final Results unnamed = new Results();
    private final Declarations declarations;
    private final StaticFields statics;
    private final CellChecker checker;
    private final Set<DeclarationSnippet> waiting = new LinkedHashSet<>();

    /**
     * A new session.
     *
     * @param imports
     *            import declarations that it begins with
     * @param notes
     *            takes remarks for the user that are no errors
     * @param exit
     *            decides what a cell's {@code System.exit} does; returns if the kernel shall go on
     * @param accelerator
     *            what may make it faster
     */
    public Interpreter(List<String> imports, Consumer<String> notes, IntConsumer exit,
            Accelerator.Factory accelerator) {
        CellWeavers.sessionStarted();
        ExitRequest.handler(exit);
        declarations = new Declarations(imports, unnamed, notes, accelerator);
        statics = new StaticFields(declarations.loader);
        checker = new CellChecker(declarations.importsInForce, declarations::hasUnresolved,
                each -> declarations.loader.snippet(each) != null);
    }

    /** The first cell would pay for loading this much of the compiler; the user is still typing it. */
    public void warmUp() {
        declarations.shortcut.prepare(new Piece(0, "1 + 1", 1, 0, true));
    }

    /**
     * Does one of the things that later cells would have to wait for; each takes some milliseconds.
     *
     * @return false if there is no more to do
     */
    public boolean prepare() {
        return declarations.prepare();
    }

    /** The class loader of cells' classes and of what {@link #addToClasspath} added. */
    public ClassLoader classLoader() {
        return declarations.loader;
    }

    /** Where code runs from now on. */
    public void thread(CellThread thread) {
        thread.contextClassLoader(declarations.loader);
        declarations.control.thread(thread);
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
        Piece outer = declarations.current();
        try {
            if (declarations.precedence.concerns(code)) {
                declarations.tellShell();
                declarations.precedence.admit(code);
            }
            // most cells declare nothing and are one piece for the compiler, however many statements they have
            Piece whole = new Piece(cell, code, firstLine, 0, true);
            Optional<Shortcut.Ready> ready = begin(whole);
            if (ready.isPresent()) {
                return run(ready.get(), whole);
            }
            Splitter.Split split = new Splitter(declarations.shell.sourceCodeAnalysis()).split(cell, code, firstLine);
            List<Piece> pieces = split.pieces();
            if (!split.broken() && isWorthChecking(pieces)) {
                CellChecker.Checked checked = check(pieces, declarations.acceleration.javac().isPresent());
                if (checked.outcome() instanceof CellCompiler.Compiled compiled && !compiled.classes().isEmpty()) {
                    return run(compiled);
                }
                pieces = checked.pieces();
            }
            Value last = Value.NONE;
            declarations.tellShell();
            declarations.precedence.claim(code);
            declarations.precedence.admit(code);
            for (Piece piece : pieces) {
                ready = piece.source().equals(code) ? Optional.empty() : begin(piece);
                if (ready.isEmpty() && !piece.closed().equals(piece.source())) {
                    ready = begin(piece.closedOne());
                }
                last = ready.isPresent() ? run(ready.get(), piece) : evaluateByShell(piece);
            }
            return last;
        } finally {
            declarations.precedence.settle();
            declarations.enter(outer);
        }
    }

    private boolean isWorthChecking(List<Piece> pieces) {
        return declarations.acceleration.javac().isPresent() || pieces.size() > 1
                || pieces.stream().anyMatch(each -> ImportPrecedence.declaresCode(each.source()));
    }

    /**
     * Checks code of which other parts of the cell come before, between and behind, so that nothing of the cell runs when
     * some of it cannot.
     *
     * @param cell
     *            the n of In [n]
     * @param codes
     *            code by the cell line (from 1) on which it begins, in order
     * @throws CompileException
     *             if the compiler would refuse some of it
     */
    public void check(int cell, SortedMap<Integer, String> codes) throws Exception {
        Piece outer = declarations.current();
        try {
            List<Piece> all = new ArrayList<>();
            for (Map.Entry<Integer, String> each : codes.entrySet()) {
                Splitter.Split split = new Splitter(declarations.shell.sourceCodeAnalysis()).split(cell,
                        each.getValue(),
                        each.getKey());
                if (split.broken()) {
                    declarations.enter(split.pieces().getFirst());
                    evaluateByShell(declarations.current());
                }
                split.pieces().forEach(this::nameResults);
                all.addAll(split.pieces());
            }
            if (!all.isEmpty()) {
                declarations.enter(all.getFirst());
                check(all, false);
            }
        } finally {
            declarations.enter(outer);
        }
    }

    /** Compiles pieces of a cell as a whole, so that nothing of it runs when something of it cannot. */
    private CellChecker.Checked check(List<Piece> pieces, boolean fast) throws CompileException {
        CellChecker.Checked checked = new CellChecker.Checked(new CellCompiler.Unknown(), pieces);
        try {
            checked = checker.check(declarations.javac(), pieces,
                    fast ? Optional.of(declarations.acceleration) : Optional.empty());
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            declarations.shortcut.stumbled(e);
        }
        if (checked.outcome() instanceof CellCompiler.Refused refused) {
            throw refusal(refused);
        }
        return checked;
    }

    private CompileException refusal(CellCompiler.Refused refused) {
        declarations.tellShell(); // hints name what cells have declared
        return new CompileException(declarations.current().cell(), refused.mistakes().stream()
                .map(each -> new CompileComplaint(declarations.shell, each.part().piece(), unnamed.expired()).problem(
                        each.from(), each.to(),
                        each.message()))
                .distinct().toList());
    }

    private Value run(CellCompiler.Compiled cell) throws Exception {
        Value last = Value.NONE;
        Map<String, Map<String, byte[]>> classes = byOutermost(cell.classes());
        for (CellCompiler.Step step : cell.steps()) {
            Part part = step.part();
            declarations.enter(part.piece());
            declarations.control.clear();
            last = Value.NONE;
            switch (part.kind()) {
                case IMPORT ->
                    declarations.remember(step, part.names().isEmpty() || !part.plain() ? "" : part.names().getFirst(),
                            Comments.blanked(part.code()).strip().replace('\n', ' '));
                case TYPE, METHOD -> declarations.install(step, classes.get(step.className()));
                case VARIABLE -> {
                    declarations.install(step, classes.get(step.className()));
                    if (part.variables().getFirst().hasInitial()) {
                        runEntry(step.className());
                    }
                }
                case STATEMENT, EXPRESSION -> last = act(step, classes.get(step.className()));
            }
        }
        return last;
    }

    private void runEntry(String className) throws Exception {
        SnippetCode code = declarations.loader.snippet(className).code();
        declarations.control
                .run((code == null ? declarations.loader.loadClass(className) : code.code()).getMethod("do_it$"));
        throwIfThrown();
        declarations.control.clear();
    }

    private Value act(CellCompiler.Step step, Map<String, byte[]> classes) throws Exception {
        Piece piece = step.part().piece();
        Class<?> entry = new PieceLoader(declarations.loader, declarations.loader, classes,
                SnippetLines.same(piece.file()))
                .loadClass(step.className());
        return run(new Shortcut.Ready(
                new FastCompiler.Compiled(step.className(), Map.of(),
                        piece.isEnded() ? null : step.type(), step.named()),
                entry), piece);
    }

    /** Class files by the class of the part that they belong to. */
    private static Map<String, Map<String, byte[]>> byOutermost(Map<String, byte[]> classes) {
        Map<String, Map<String, byte[]>> all = new HashMap<>();
        classes.forEach((name, bytes) -> {
            Matcher outermost = OUTERMOST.matcher(name);
            all.computeIfAbsent(outermost.find() ? outermost.group() : name, each -> new HashMap<>()).put(name, bytes);
        });
        return all;
    }

    private Optional<Shortcut.Ready> begin(Piece piece) {
        declarations.enter(piece);
        declarations.control.clear();
        nameResults(piece);
        return declarations.shortcut.prepare(piece);
    }

    private Value run(Shortcut.Ready ready, Piece piece) throws Exception {
        declarations.control.run(ready.entry().getMethod("do_it$"));
        Object value = declarations.control.value();
        throwIfThrown();
        declarations.control.clear();
        if (ready.compiled().type() == null) {
            return Value.NONE;
        }
        if (!ready.compiled().named()) {
            unnamed.add(new Results.Result(ready.compiled().type(), value, piece.cell()));
        }
        return new Value(value, true);
    }

    private void throwIfThrown() throws UserCodeException {
        Throwable thrown = declarations.control.thrown();
        if (thrown != null) {
            declarations.control.clear();
            throw new UserCodeException(thrown, thrown instanceof SPIResolutionException unresolved
                    ? declarations.declaration(unresolved.id())
                            .map(each -> Unresolved.describe(declarations.shell, each))
                            .orElse(null)
                    : null);
        }
    }

    /** Makes JShell variables of the unnamed results that this code names. */
    private void nameResults(Piece piece) {
        Matcher names = RESULT.matcher(piece.source());
        while (names.find()) {
            Results.Result result = unnamed.take(names.group());
            if (result != null) {
                declare(names.group(), result);
                CellWeavers.drop(result.value());
            }
        }
    }

    private void declare(String name, Results.Result result) {
        if (declarations.declare(name, result.type(), result) || declarations.declare(name, "Object", result)) {
            unnamed.named(name, result.cell());
        }
    }

    private Value evaluateByShell(Piece piece) throws Exception {
        List<SnippetEvent> events = declarations.shellEval(piece);
        Object value = declarations.control.value();
        Throwable thrown = declarations.control.thrown();
        declarations.control.clear();
        declarations.settle(events);
        for (SnippetEvent event : events) {
            if (event.causeSnippet() == null) {
                new CompileComplaint(declarations.shell, piece, unnamed.expired()).check(event);
                if (event.snippet() instanceof DeclarationSnippet declaration) {
                    waiting.add(declaration);
                }
            }
        }
        declarations.control.thrown(thrown);
        throwIfThrown();
        return events.isEmpty() || !showsValue(events.getLast().snippet(), piece) ? Value.NONE : new Value(value, true);
    }

    private boolean showsValue(Snippet snippet, Piece piece) {
        boolean expression = snippet.kind() == Snippet.Kind.EXPRESSION
                || snippet.subKind() == SubKind.TEMP_VAR_EXPRESSION_SUBKIND;
        return expression && !piece.isEnded() && !isStatement(piece);
    }

    /** Whether an expression is a statement too, and so taken for one, as it would be in a method. */
    private boolean isStatement(Piece piece) {
        return Comments.blanked(piece.source()).strip().startsWith("switch")
                && new CellParser(declarations.javac()).parse(List.of(piece))
                        .filter(each -> each.getFirst().kind() == Part.Kind.STATEMENT).isPresent();
    }

    /** Ends a cell: tells which of its declarations wait for others; unnamed results ({@code $n}) of cells before it are released. */
    public void endCell(int cell) {
        declarations.noteWaiting(waiting);
        waiting.clear();
        unnamed.expireBefore(cell);
        List<String> old = unnamed.namedBefore(cell);
        if (!old.isEmpty()) {
            // what was computed from them shall be known to depend on them
            declarations.tellShell();
        }
        declarations.release(old);
        declarations.forgetFormer();
    }

    /** The variables that code could name now, in order of declaration. */
    public List<Variable> variables() {
        List<Variable> all = new ArrayList<>(declarations.variables());
        all.addAll(unnamed.variables());
        return all;
    }

    /** Forgets a variable and lets go of its value; false if there is none of that name. */
    public boolean drop(String name) {
        return unnamed.drop(name) || declarations.drop(name);
    }

    /** Every object that a variable's field keeps alive. */
    public List<Holder> holders() {
        List<Holder> all = new ArrayList<>(declarations.holders());
        all.addAll(unnamed.holders());
        return all;
    }

    /** Lets go of what a variable, a result or a static field holds, all of its name; false if there is none. */
    public boolean empty(String holder) {
        return unnamed.drop(holder) || declarations.empty(holder) || statics.empty(holder);
    }

    /** Forgets the classes that can never be used, for what their static fields hold; their names. */
    public List<String> forgetFailedClasses() {
        List<String> names = statics.failed();
        if (!names.isEmpty()) {
            declarations.dropTypes(names);
        }
        return names;
    }

    /** The compiler was ended in the middle of its work, for want of memory. */
    public void beginAnew() {
        declarations.shortcut.classPathChanged();
    }

    /** Nobody asks for a while: lets go of compilers that only declarations and completion use, and that are soon made again. */
    public void rest() {
        declarations.acceleration.rest();
    }

    /** Every object that a static field of a class keeps alive that a cell declared. */
    public List<Holder> staticFields() {
        return statics.list();
    }

    /** Why cells run without the accelerator; empty when they run with it. */
    public Optional<String> withoutAccelerator() {
        return declarations.acceleration.missing();
    }

    /** The import declarations in force. */
    public List<String> imports() {
        return declarations.imports();
    }

    /** The source of the methods, types and variables that cells declared and that are in force. */
    public List<String> declarations() {
        return declarations.sources();
    }

    /** Adds jars or folders, for the compiler and for running code. */
    public void addToClasspath(String path) {
        declarations.shell.addToClasspath(path);
        declarations.shortcut.classPathChanged();
    }

    /** JShell's knowledge of source text: completeness, completion, documentation. */
    public SourceCodeAnalysis analysis() {
        declarations.tellShell();
        return declarations.shell.sourceCodeAnalysis();
    }

    /** Lets {@link #analysis} read doc comments in these jars too, where there is an accelerator. */
    public void documentationSources(Set<Path> jars) {
        declarations.acceleration.documentationSources(declarations.shell.sourceCodeAnalysis(), jars);
    }

    @Override
    public void close() {
        declarations.close();
    }
}

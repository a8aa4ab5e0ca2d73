package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.internal.cell.CellThread;
import io.vramlab.kernel.spi.Holder;
import io.vramlab.kernel.spi.Variable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
import java.util.stream.Stream;
import javax.tools.StandardJavaFileManager;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.Snippet.SubKind;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.VarSnippet;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;
import jdk.jshell.spi.SPIResolutionException;

/** The Java of a session. Used by one thread at a time; {@link #holders} and {@link #variables} by any. */
public final class Interpreter implements AutoCloseable {

    /** How many of the unnamed results that were released are told of by name. */
    private static final int EXPIRED = 100;
    private static final Pattern INDEX = Pattern.compile("\\$JShell\\$(\\d+)");
    private static final Pattern RESULT = Pattern.compile("\\$\\d+\\b");
    /** A type that no cell declares. */
    private static final String NOTHING = "$Never$Declared$";
    private static final Pattern OUTERMOST = Pattern.compile("^REPL\\.\\$[A-Za-z]+\\$\\d+");
    private static final Pattern WRAPPER = Pattern.compile("REPL\\.\\$JShell\\$\\w+");

    /** A snippet that JShell does not know yet is null. */
    private record Origin(Snippet snippet, Piece piece) {
    }

    private record Declared(String name, String type, int cell) {
    }

    private final CellLoader loader = new CellLoader(Interpreter.class.getClassLoader());
    private final CellControl control = new CellControl(loader, this::lines, this::beforeCode);
    private final VariableFields holders = new VariableFields();
    private final StaticFields statics = new StaticFields(loader);
    private final Map<Integer, Origin> origins = new HashMap<>();
    private final Map<String, Integer> results = new LinkedHashMap<>();
    private final Map<String, Integer> expired = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > EXPIRED;
        }
    };
    /** The variables after the last change, for threads that must not ask JShell while it works. */
    private volatile List<Declared> declared = List.of();
    private final List<String> stranded = new ArrayList<>();
    private final Set<DeclarationSnippet> waiting = new LinkedHashSet<>();
    private final Consumer<String> notes;
    private final Results unnamed = new Results();
    private final JShell shell;
    private final Acceleration acceleration;
    private final ImportsInForce importsInForce;
    private final Shortcut shortcut;
    private final ImportPrecedence precedence;
    private final Recovery recovery;
    private final CellChecker checker;
    private final Javac plainJavac;
    private final Untold untold = new Untold();
    private boolean telling;
    private boolean unresolved;
    private boolean declarationsChanged;
    private final IdleWork preparation;
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
     * @param accelerator
     *            what may make it faster
     */
    public Interpreter(List<String> imports, Consumer<String> notes, IntConsumer exit,
            Accelerator.Factory accelerator) {
        this.notes = notes;
        CellWeavers.sessionStarted();
        ExitRequest.handler(exit);
        StandardJavaFileManager[] files = new StandardJavaFileManager[1];
        shell = JShell.builder().compilerOptions("-g").executionEngine(new InProcess(), Map.of())
                .idGenerator(this::installed)
                .tempVariableNameGenerator(unnamed::nextName).fileManager(each -> {
                    files[0] = each;
                    return each;
                }).build();
        acceleration = new Acceleration(accelerator, shell, files[0], loader.classFiles());
        importsInForce = new ImportsInForce(shell);
        importsInForce.set(imports);
        precedence = new ImportPrecedence(shell, imports, loader,
                each -> shellEval(new Piece(0, each, 1, 0, false)), this::dropImport);
        recovery = new Recovery(shell, holders, this::declareAgain, precedence::qualified);
        plainJavac = new PlainJavac(files[0], loader.classFiles());
        checker = new CellChecker(importsInForce, () -> unresolved, each -> loader.snippet(each) != null);
        shortcut = new Shortcut(acceleration, importsInForce, loader);
        preparation = new IdleWork(imports, this::tellImport, shortcut::prepare);
    }

    /** The first cell would pay for loading this much of the compiler; the user is still typing it. */
    public void warmUp() {
        shortcut.prepare(new Piece(0, "1 + 1", 1, 0, true));
    }

    /**
     * Does one of the things that later cells would have to wait for; each takes some milliseconds.
     *
     * @return false if there is no more to do
     */
    public boolean prepare() {
        return preparation.next() || tellOne();
    }

    /** Lets JShell have an import that the shortcut knows already. */
    private void tellImport(Piece declaration) {
        Piece outer = current;
        current = declaration;
        shell.eval(declaration.source());
        current = outer;
        if (preparation.knowsImports() && untold.isEmpty()) {
            shortcut.declarationsChanged();
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

    private SnippetLines lines(String className) {
        Optional<Integer> compiledAt = loader.compiledAt(className);
        return origin(className)
                .map(each -> compiledAt.isPresent()
                        ? SnippetLines.moved(each.piece(), compiledAt.get())
                        : SnippetLines.of(each.piece(), shell.sourceCodeAnalysis().wrapper(each.snippet())))
                .orElse(null);
    }

    private void beforeCode() {
        adoptFresh();
        loader.unpin();
    }

    private void adoptFresh() {
        for (String name : loader.takeFresh()) {
            if (WRAPPER.matcher(name).matches()) {
                try {
                    Class<?> generated = loader.loadClass(name);
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
            if (precedence.concerns(code)) {
                tellShell();
                precedence.admit(code);
            }
            // most cells declare nothing and are one piece for the compiler, however many statements they have
            Piece whole = new Piece(cell, code, firstLine, 0, true);
            Optional<Shortcut.Ready> ready = begin(whole);
            if (ready.isPresent()) {
                return run(ready.get(), whole);
            }
            Splitter.Split split = new Splitter(shell.sourceCodeAnalysis()).split(cell, code, firstLine);
            List<Piece> pieces = split.pieces();
            if (!split.broken() && isWorthChecking(pieces)) {
                CellChecker.Checked checked = check(pieces, acceleration.javac().isPresent());
                if (checked.outcome() instanceof CellCompiler.Compiled compiled && !compiled.classes().isEmpty()) {
                    return run(compiled);
                }
                pieces = checked.pieces();
            }
            Value last = Value.NONE;
            tellShell();
            precedence.claim(code);
            precedence.admit(code);
            for (Piece piece : pieces) {
                ready = piece.source().equals(code) ? Optional.empty() : begin(piece);
                if (ready.isEmpty() && !piece.closed().equals(piece.source())) {
                    ready = begin(piece.closedOne());
                }
                last = ready.isPresent() ? run(ready.get(), piece) : evaluateByShell(piece);
            }
            return last;
        } finally {
            precedence.settle();
            current = outer;
        }
    }

    private boolean isWorthChecking(List<Piece> pieces) {
        return acceleration.javac().isPresent() || pieces.size() > 1
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
        Piece outer = current;
        try {
            List<Piece> all = new ArrayList<>();
            for (Map.Entry<Integer, String> each : codes.entrySet()) {
                Splitter.Split split = new Splitter(shell.sourceCodeAnalysis()).split(cell, each.getValue(),
                        each.getKey());
                if (split.broken()) {
                    current = split.pieces().getFirst();
                    evaluateByShell(current);
                }
                split.pieces().forEach(this::nameResults);
                all.addAll(split.pieces());
            }
            if (!all.isEmpty()) {
                current = all.getFirst();
                check(all, false);
            }
        } finally {
            current = outer;
        }
    }

    /** Compiles pieces of a cell as a whole, so that nothing of it runs when something of it cannot. */
    private CellChecker.Checked check(List<Piece> pieces, boolean fast) throws CompileException {
        CellChecker.Checked checked = new CellChecker.Checked(new CellCompiler.Unknown(), pieces);
        try {
            checked = checker.check(acceleration.javac().orElse(plainJavac), pieces,
                    fast ? Optional.of(acceleration) : Optional.empty());
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            shortcut.stumbled(e);
        }
        if (checked.outcome() instanceof CellCompiler.Refused refused) {
            throw refusal(refused);
        }
        return checked;
    }

    private CompileException refusal(CellCompiler.Refused refused) {
        return new CompileException(current.cell(), refused.mistakes().stream()
                .map(each -> new CompileComplaint(shell, each.part().piece(), expired).problem(each.from(), each.to(),
                        each.message()))
                .distinct().toList());
    }

    private Value run(CellCompiler.Compiled cell) throws Exception {
        Value last = Value.NONE;
        Map<String, Map<String, byte[]>> classes = byOutermost(cell.classes());
        for (CellCompiler.Step step : cell.steps()) {
            Part part = step.part();
            current = part.piece();
            control.clear();
            last = Value.NONE;
            switch (part.kind()) {
                case IMPORT -> remember(step, part.names().isEmpty() || !part.plain() ? "" : part.names().getFirst(),
                        Comments.blanked(part.code()).strip().replace('\n', ' '));
                case TYPE, METHOD -> install(step, classes.get(step.className()));
                case VARIABLE -> {
                    install(step, classes.get(step.className()));
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
        SnippetCode code = loader.snippet(className).code();
        control.run((code == null ? loader.loadClass(className) : code.code()).getMethod("do_it$"));
        throwIfThrown();
        control.clear();
    }

    private Value act(CellCompiler.Step step, Map<String, byte[]> classes) throws Exception {
        Piece piece = step.part().piece();
        Class<?> entry = new PieceLoader(loader, loader, classes, SnippetLines.same(piece.file()))
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

    /** Defines the class of a declaration that JShell is told of later. */
    private void install(CellCompiler.Step step, Map<String, byte[]> classes) throws Exception {
        Piece piece = step.part().piece();
        origins.put(Integer.valueOf(step.className().substring(step.className().lastIndexOf('$') + 1)),
                new Origin(null, piece));
        loader.load(Wrappers.of(step.className()).orElseThrow(), SnippetLines.codeLine(piece),
                classes.entrySet().stream()
                        .map(each -> new ExecutionControl.ClassBytecodes(each.getKey(), each.getValue()))
                        .toArray(ExecutionControl.ClassBytecodes[]::new));
        control.locate();
        adoptFresh();
        remember(step, step.part().names().getFirst(),
                "import static " + step.className() + "." + step.part().names().getFirst() + ";");
    }

    private void remember(CellCompiler.Step step, String name, String line) {
        // JShell tells a type as it is written, and one that it found in short
        String type = step.type() == null || step.part().variables().getFirst().type() != null
                ? step.type()
                : importsInForce.shortened(step.type());
        untold.add(new Untold.Declaration(step.part().piece(), step.className(), name, type,
                step.part().kind() == Part.Kind.TYPE));
        importsInForce.addUntold(name, line);
        shortcut.declared();
        if (type != null) {
            List<Declared> all = new ArrayList<>(declared);
            all.add(new Declared(name, type, step.part().piece().cell()));
            declared = all;
        }
    }

    /** Tells JShell of all that runs already. */
    private void tellShell() {
        preparation.imports();
        while (!telling && tellOne()) {
            continue;
        }
    }

    /** Tells JShell of one declaration that runs already; false if it knows all. */
    private boolean tellOne() {
        if (untold.isEmpty()) {
            return false;
        }
        telling = true;
        String code = untold.next().piece().closed();
        precedence.claim(code);
        // it was compiled while what has made way since was in force
        precedence.admit(code);
        Untold.Declaration each = untold.take();
        if (each.isType()) {
            acceleration.announce(new Accelerator.Declaration(Accelerator.Declared.TYPE, each.name(), null));
        }
        Piece outer = current;
        current = each.piece();
        acceleration.forgetClasses(loader.pin());
        control.mute(true);
        try {
            List<SnippetEvent> events = shell.eval(RecordText.of(each.piece().closed()));
            if (each.type() != null && events.getFirst().status() == Status.REJECTED) {
                // it needs no initial value: the variable has its value
                events = shell.eval(each.type() + " " + each.name() + ";");
            }
            check(each, events);
            control.locate();
            adoptFresh();
            List<SnippetEvent> others = events.stream().filter(one -> one.causeSnippet() != null).toList();
            recovery.recover(others);
            others.forEach(this::settle);
        } catch (ExecutionControl.InternalException e) {
            throw new IllegalStateException(e);
        } finally {
            control.mute(false);
            telling = false;
            loader.unpin();
            current = outer;
        }
        declarationsChanged = true;
        if (untold.isEmpty()) {
            importsInForce.told();
            shortcut.declarationsChanged();
            listVariables();
        }
        return true;
    }

    /** JShell must have made the class that runs already. */
    private void check(Untold.Declaration each, List<SnippetEvent> events) {
        boolean same = !events.isEmpty() && events.getFirst().status().isDefined()
                && (each.className() == null || each.className()
                        .equals(shell.sourceCodeAnalysis().wrapper(events.getFirst().snippet()).fullClassName()));
        if (!same) {
            acceleration.failed(new IllegalStateException("JShell does not take " + each.name() + " as it is: "
                    + events.stream().map(one -> one.status().toString()).toList()));
        }
    }

    private Optional<Shortcut.Ready> begin(Piece piece) {
        current = piece;
        control.clear();
        nameResults(piece);
        return shortcut.prepare(piece);
    }

    private Value run(Shortcut.Ready ready, Piece piece) throws Exception {
        control.run(ready.entry().getMethod("do_it$"));
        Object value = control.value();
        throwIfThrown();
        control.clear();
        if (ready.compiled().type() == null) {
            return Value.NONE;
        }
        if (!ready.compiled().named()) {
            unnamed.add(new Results.Result(ready.compiled().type(), value, piece.cell()));
        }
        return new Value(value, true);
    }

    private void throwIfThrown() throws UserCodeException {
        Throwable thrown = control.thrown();
        if (thrown != null) {
            control.clear();
            Origin origin = thrown instanceof SPIResolutionException unresolved ? origins.get(unresolved.id()) : null;
            throw new UserCodeException(thrown, origin != null
                    && origin.snippet() instanceof DeclarationSnippet declaration
                            ? Unresolved.describe(shell, declaration)
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
        for (String type : List.of(result.type(), "Object")) {
            Piece place = new Piece(result.cell(), type + " " + name + ";", 1, 0, false);
            if (shellEval(place).getFirst().status().isDefined()
                    && (result.value() == null || holders.set(name, result.value()))) {
                results.put(name, result.cell());
                return;
            }
        }
    }

    /** Lets JShell have a piece, and takes in the classes that it makes. */
    private List<SnippetEvent> shellEval(Piece piece) {
        tellShell();
        Piece outer = current;
        current = piece;
        acceleration.forgetClasses(loader.pin());
        try {
            List<SnippetEvent> events = shell.eval(RecordText.of(piece.closed()));
            control.locate();
            adoptFresh();
            shortcut.declarationsChanged();
            listVariables();
            declarationsChanged = true;
            unresolved = shell.snippets().anyMatch(each -> !holdsPlace(each) && isWaiting(shell.status(each)));
            return events;
        } catch (ExecutionControl.InternalException e) {
            throw new IllegalStateException(e);
        } finally {
            loader.unpin();
            current = outer;
        }
    }

    private static boolean isWaiting(Status status) {
        return status == Status.RECOVERABLE_DEFINED || status == Status.RECOVERABLE_NOT_DEFINED;
    }

    private List<SnippetEvent> shellDrop(Snippet snippet) {
        tellShell();
        acceleration.forgetClasses(loader.pin());
        try {
            List<SnippetEvent> events = shell.drop(snippet);
            // what named it has another class from now on; the collector may have that before the next cell
            adoptFresh();
            shortcut.declarationsChanged();
            return events;
        } finally {
            loader.unpin();
        }
    }

    private void dropImport(ImportSnippet snippet) {
        List<SnippetEvent> events = shellDrop(snippet);
        recovery.recover(events);
        events.forEach(this::settle);
        listVariables();
    }

    private void listVariables() {
        Stream<Declared> told = shell.variables()
                .filter(each -> shell.status(each).isDefined() && !expired.containsKey(each.name()))
                .map(each -> new Declared(each.name(), each.typeName(), cellOf(each)));
        declared = Stream.concat(told, untold.variables().stream()
                .map(each -> new Declared(each.name(), each.type(), each.piece().cell())))
                .toList();
    }

    private Value evaluateByShell(Piece piece) throws Exception {
        List<SnippetEvent> events = shellEval(piece);
        Object value = control.value();
        Throwable thrown = control.thrown();
        control.clear();
        stranded.addAll(recovery.recover(events));
        for (SnippetEvent event : events) {
            settle(event);
        }
        noteStranded(events);
        events.stream().filter(each -> each.status() == Status.REJECTED).map(SnippetEvent::snippet)
                .filter(TypeDeclSnippet.class::isInstance).forEach(each -> holdPlace((TypeDeclSnippet) each));
        for (SnippetEvent event : events) {
            if (event.causeSnippet() == null) {
                new CompileComplaint(shell, piece, expired).check(event);
                if (event.snippet() instanceof DeclarationSnippet declaration) {
                    waiting.add(declaration);
                }
            }
        }
        control.thrown(thrown);
        throwIfThrown();
        return events.isEmpty() || !showsValue(events.getLast().snippet(), piece) ? Value.NONE : new Value(value, true);
    }

    /**
     * Declares the name of a type that was refused as one that waits for a type that never comes. JShell looks at the
     * snippet of every type name it has met when it puts a type into words, fails over one that has none in force, and
     * then takes every variable for an Object and knows no documentation.
     */
    private void holdPlace(TypeDeclSnippet refused) {
        if (shell.types().noneMatch(each -> each.name().equals(refused.name()) && shell.status(each).isActive())) {
            shellEval(new Piece(current.cell(), "class %s extends %s {}".formatted(refused.name(), NOTHING), 1, 0,
                    false));
        }
    }

    /** Whether a snippet is none of the user's, but holds the place of one that was refused. */
    static boolean holdsPlace(Snippet snippet) {
        return snippet.source().contains(NOTHING);
    }

    private boolean showsValue(Snippet snippet, Piece piece) {
        boolean expression = snippet.kind() == Snippet.Kind.EXPRESSION
                || snippet.subKind() == SubKind.TEMP_VAR_EXPRESSION_SUBKIND;
        return expression && !piece.isEnded() && !isStatement(piece);
    }

    /** Whether an expression is a statement too, and so taken for one, as it would be in a method. */
    private boolean isStatement(Piece piece) {
        return Comments.blanked(piece.source()).strip().startsWith("switch")
                && new CellParser(acceleration.javac().orElse(plainJavac)).parse(List.of(piece))
                        .filter(each -> each.getFirst().kind() == Part.Kind.STATEMENT).isPresent();
    }

    private List<SnippetEvent> declareAgain(Snippet former, String source) {
        Piece place = origins.get(Integer.valueOf(former.id())).piece();
        return shellEval(new Piece(place.cell(), source, place.line(), 0, false));
    }

    /** Lets go of what this event made unreachable for the user. */
    private void settle(SnippetEvent event) {
        if (!(event.snippet() instanceof VarSnippet variable)) {
            return;
        }
        if (shell.status(variable).isDefined()) {
            adoptAgain(variable);
            holders.keepNewest(variable.name());
            if (variable.subKind() == SubKind.TEMP_VAR_EXPRESSION_SUBKIND) {
                results.putIfAbsent(variable.name(), current.cell());
            }
        } else if (find(variable.name()).isEmpty()) {
            holders.release(variable.name());
        }
    }

    /** A declaration that is repeated word for word after its variable was dropped runs in its former class. */
    private void adoptAgain(VarSnippet variable) {
        String className = shell.sourceCodeAnalysis().wrapper(variable).fullClassName();
        if (holders.isIn(variable.name(), className)) {
            return;
        }
        try {
            holders.reuse(variable.name(), loader.loadClass(className), current.cell());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private void noteStranded(List<SnippetEvent> events) {
        List<String> lost = stranded.stream().distinct().filter(name -> events.stream()
                .anyMatch(event -> event.causeSnippet() != null && event.status() != Status.OVERWRITTEN
                        && event.snippet() instanceof VarSnippet variable
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

    /** Ends a cell: tells which of its declarations wait for others; unnamed results ({@code $n}) of cells before it are released. */
    public void endCell(int cell) {
        for (DeclarationSnippet each : waiting) {
            Status status = shell.status(each);
            if (isWaiting(status)) {
                notes.accept(Unresolved.describe(shell, each) + System.lineSeparator());
            }
        }
        waiting.clear();
        unnamed.before(cell).forEach((name, made) -> {
            unnamed.drop(name);
            expired.put(name, made);
        });
        if (results.values().stream().anyMatch(made -> made < cell)) {
            // what was computed from them shall be known to depend on them
            tellShell();
        }
        List<String> old = results.entrySet().stream().filter(each -> each.getValue() < cell).map(Map.Entry::getKey)
                .toList();
        for (String name : old) {
            holders.release(name);
            expired.put(name, results.remove(name));
            find(name).filter(variable -> shell.sourceCodeAnalysis().dependents(variable).isEmpty()).ifPresent(each -> {
                shellDrop(each);
                shortcut.declarationsChanged();
            });
        }
        if (!old.isEmpty()) {
            listVariables();
        }
        if ((declarationsChanged || !old.isEmpty()) && untold.isEmpty()) {
            declarationsChanged = false;
            acceleration.forget().ifPresent(loader::retain);
            origins.keySet().retainAll(shell.snippets().map(each -> Integer.valueOf(each.id())).toList());
        }
    }

    private Optional<VarSnippet> find(String name) {
        return shell.variables().filter(each -> each.name().equals(name) && shell.status(each).isDefined()).findFirst();
    }

    /** The variables that code could name now, in order of declaration. */
    public List<Variable> variables() {
        List<Variable> all = new ArrayList<>();
        declared.forEach(each -> all.add(new Variable(each.name(), each.type(),
                holders.value(each.name()).orElse(null), each.cell())));
        all.addAll(unnamed.variables());
        return all;
    }

    private int cellOf(Snippet snippet) {
        Origin origin = origins.get(Integer.valueOf(snippet.id()));
        return origin == null ? 0 : origin.piece().cell();
    }

    /** Forgets a variable and lets go of its value; false if there is none of that name. */
    public boolean drop(String name) {
        if (unnamed.drop(name)) {
            return true;
        }
        tellShell();
        Optional<VarSnippet> variable = find(name);
        variable.ifPresent(each -> {
            List<SnippetEvent> events = shellDrop(each);
            // what was computed from it is not forgotten with it
            recovery.recover(events);
            events.forEach(this::settle);
            listVariables();
            holders.release(name);
            shortcut.declarationsChanged();
            declarationsChanged = true;
        });
        return variable.isPresent();
    }

    /** Every object that a variable's field keeps alive. */
    public List<Holder> holders() {
        List<Holder> all = new ArrayList<>(holders.list());
        all.addAll(unnamed.holders());
        return all;
    }

    /** Lets go of what a variable, a result or a static field holds, all of its name; false if there is none. */
    public boolean empty(String holder) {
        return unnamed.drop(holder) || holders.empty(holder) || statics.empty(holder);
    }

    /** Forgets the classes that can never be used, for what their static fields hold; their names. */
    public List<String> forgetFailedClasses() {
        List<String> names = statics.failed();
        if (!names.isEmpty()) {
            tellShell();
            shell.types().filter(each -> names.contains(each.name())).toList().forEach(this::shellDrop);
            acceleration.forget().ifPresent(loader::retain);
        }
        return names;
    }

    /** The compiler was ended in the middle of its work, for want of memory. */
    public void beginAnew() {
        shortcut.classPathChanged();
    }

    /** Every object that a static field of a class keeps alive that a cell declared. */
    public List<Holder> staticFields() {
        return statics.list();
    }

    /** Why cells run without the accelerator; empty when they run with it. */
    public Optional<String> withoutAccelerator() {
        return acceleration.missing();
    }

    /** The import declarations in force. */
    public List<String> imports() {
        tellShell();
        return shell.imports().map(ImportSnippet::source).toList();
    }

    /** The source of the methods, types and variables that cells declared and that are in force. */
    public List<String> declarations() {
        tellShell();
        return shell.snippets().filter(each -> each instanceof DeclarationSnippet && shell.status(each).isActive())
                .filter(each -> !holdsPlace(each)).map(Snippet::source).toList();
    }

    /** Adds jars or folders, for the compiler and for running code. */
    public void addToClasspath(String path) {
        shell.addToClasspath(path);
        shortcut.classPathChanged();
    }

    /** JShell's knowledge of source text: completeness, completion, documentation. */
    public SourceCodeAnalysis analysis() {
        tellShell();
        return shell.sourceCodeAnalysis();
    }

    /** Lets {@link #analysis} read doc comments in these jars too, where there is an accelerator. */
    public void documentationSources(Set<Path> jars) {
        acceleration.documentationSources(shell.sourceCodeAnalysis(), jars);
    }

    @Override
    public void close() {
        shell.close();
    }
}

package io.vramlab.kernel.internal.eval;

import io.vramlab.kernel.spi.Holder;
import io.vramlab.kernel.spi.Variable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.tools.StandardJavaFileManager;
import jdk.jshell.DeclarationSnippet;
import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.Snippet.Status;
import jdk.jshell.Snippet.SubKind;
import jdk.jshell.SnippetEvent;
import jdk.jshell.TypeDeclSnippet;
import jdk.jshell.VarSnippet;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;

/**
 * What cells have declared: the classes that run it, and JShell, which is told of it and knows what depends on what. A
 * declaration that the compiler took by itself runs at once ({@link #install}); JShell, who would take some thirty
 * milliseconds over it, is told when nobody waits or when only it can answer ({@link #tellShell}). What becomes of the
 * values of variables, when JShell gives a declaration another class, is {@link VariableFields}'s and
 * {@link Recovery}'s. Used by the thread of the {@link Interpreter} alone, but for {@link #variables}.
 */
final class Declarations implements AutoCloseable {

    /** A type that no cell declares. */
    private static final String NOTHING = "$Never$Declared$";

    final CellLoader loader = new CellLoader(Interpreter.class.getClassLoader());
    final CellControl control = new CellControl(loader, this::lines, this::beforeCode);
    final JShell shell;
    final Acceleration acceleration;
    final ImportsInForce importsInForce;
    final Shortcut shortcut;
    final ImportPrecedence precedence;
    private final Recovery recovery;
    private final PlainJavac plainJavac;
    private final IdleWork preparation;
    private final VariableFields holders = new VariableFields();
    private final Results unnamed;
    private final Consumer<String> notes;
    private final SnippetOrigins origins = new SnippetOrigins();
    private final Untold untold = new Untold();
    private final FreshClasses fresh;
    private final DeclaredVariables variables;
    private Piece current = new Piece(0, "", 1, 0, false);
    private boolean telling;
    private boolean unresolved;
    private boolean changed;

    /**
     * None yet.
     *
     * @param imports
     *            import declarations that the session begins with
     * @param unnamed
     *            the unnamed results, which become variables when they are named
     * @param notes
     *            takes remarks for the user that are no errors
     * @param accelerator
     *            what may make it faster
     */
    Declarations(List<String> imports, Results unnamed, Consumer<String> notes, Accelerator.Factory accelerator) {
        this.unnamed = unnamed;
        this.notes = notes;
        fresh = new FreshClasses(loader, holders, origins, notes);
        StandardJavaFileManager[] files = new StandardJavaFileManager[1];
        shell = JShell.builder().compilerOptions("-g").executionEngine(new InProcess(), Map.of())
                .idGenerator(this::installed)
                .tempVariableNameGenerator(unnamed::nextName).fileManager(each -> {
                    files[0] = each;
                    return each;
                }).build();
        variables = new DeclaredVariables(shell, unnamed, origins, untold, holders);
        acceleration = new Acceleration(accelerator, shell, files[0], loader.classFiles());
        importsInForce = new ImportsInForce(shell);
        importsInForce.set(imports);
        precedence = new ImportPrecedence(shell, imports, loader,
                each -> shellEval(new Piece(0, each, 1, 0, false)), this::dropImport);
        recovery = new Recovery(shell, holders, this::declareAgain, precedence::qualified);
        plainJavac = new PlainJavac(files[0], loader.classFiles());
        shortcut = new Shortcut(acceleration, importsInForce, loader);
        preparation = new IdleWork(imports, this::tellImport, shortcut::prepare);
    }

    /** Where the code that is being taken stands. */
    Piece current() {
        return current;
    }

    /** From here on this piece is being taken; the one before. */
    Piece enter(Piece piece) {
        Piece outer = current;
        current = piece;
        return outer;
    }

    /** Whether something declared waits for what is not. */
    boolean hasUnresolved() {
        return unresolved;
    }

    /** The accelerator's compiler, else the JDK's. */
    Javac javac() {
        return acceleration.javac().orElse(plainJavac);
    }

    /** Does one of the things that later cells would have to wait for; false if there is no more to do. */
    boolean prepare() {
        return preparation.next() || tellOne();
    }

    /** The declaration that was given this number, if it is one. */
    Optional<DeclarationSnippet> declaration(int id) {
        return origins.snippet(id).filter(DeclarationSnippet.class::isInstance).map(DeclarationSnippet.class::cast);
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
        origins.add(index, snippet, current);
        return Integer.toString(index);
    }

    private SnippetLines lines(String className) {
        return origins.lines(className, loader.compiledAt(className), shell::sourceCodeAnalysis);
    }

    private void beforeCode() {
        fresh.adopt();
        loader.unpin();
    }

    /** Defines the class of a declaration that JShell is told of later. */
    void install(CellCompiler.Step step, Map<String, byte[]> classes) throws Exception {
        Piece piece = step.part().piece();
        origins.add(Integer.parseInt(step.className().substring(step.className().lastIndexOf('$') + 1)), null, piece);
        loader.load(Wrappers.of(step.className()).orElseThrow(), SnippetLines.codeLine(piece),
                classes.entrySet().stream()
                        .map(each -> new ExecutionControl.ClassBytecodes(each.getKey(), each.getValue()))
                        .toArray(ExecutionControl.ClassBytecodes[]::new));
        control.locate();
        fresh.adopt();
        remember(step, step.part().names().getFirst(),
                "import static " + step.className() + "." + step.part().names().getFirst() + ";");
    }

    void remember(CellCompiler.Step step, String name, String line) {
        // JShell tells a type as it is written, and one that it found in short
        String type = step.type() == null || step.part().variables().getFirst().type() != null
                ? step.type()
                : importsInForce.shortened(step.type());
        untold.add(new Untold.Declaration(step.part().piece(), step.className(), name, type,
                step.part().kind() == Part.Kind.TYPE));
        importsInForce.addUntold(name, line);
        shortcut.declared();
        if (type != null) {
            variables.added(name, type, step.part().piece().cell());
        }
    }

    /** Tells JShell of all that runs already. */
    void tellShell() {
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
            fresh.adopt();
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
        changed = true;
        if (untold.isEmpty()) {
            importsInForce.told();
            shortcut.declarationsChanged();
            variables.changed();
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

    /** Lets JShell have a piece, and takes in the classes that it makes. */
    List<SnippetEvent> shellEval(Piece piece) {
        tellShell();
        Piece outer = current;
        current = piece;
        acceleration.forgetClasses(loader.pin());
        try {
            List<SnippetEvent> events = shell.eval(RecordText.of(piece.closed()));
            control.locate();
            fresh.adopt();
            shortcut.declarationsChanged();
            variables.changed();
            changed = true;
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
            fresh.adopt();
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
        variables.changed();
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

    private List<SnippetEvent> declareAgain(Snippet former, String source) {
        Piece place = origins.piece(former).orElseThrow();
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
                unnamed.named(variable.name(), current.cell());
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

    private Optional<VarSnippet> find(String name) {
        return shell.variables().filter(each -> each.name().equals(name) && shell.status(each).isDefined()).findFirst();
    }

    /** Takes in what JShell did with a piece of the user's. */
    void settle(List<SnippetEvent> events) {
        fresh.stranded(recovery.recover(events));
        events.forEach(this::settle);
        fresh.tellStranded(events);
        events.stream().filter(each -> each.status() == Status.REJECTED).map(SnippetEvent::snippet)
                .filter(TypeDeclSnippet.class::isInstance).forEach(each -> holdPlace((TypeDeclSnippet) each));
    }

    /** Says which of these wait for others. */
    void noteWaiting(Set<DeclarationSnippet> all) {
        for (DeclarationSnippet each : all) {
            if (isWaiting(shell.status(each))) {
                notes.accept(Unresolved.describe(shell, each) + System.lineSeparator());
            }
        }
    }

    /** Declares a variable of that value; false if its type has no name here. */
    boolean declare(String name, String type, Results.Result result) {
        Piece place = new Piece(result.cell(), type + " " + name + ";", 1, 0, false);
        return shellEval(place).getFirst().status().isDefined()
                && (result.value() == null || holders.set(name, result.value()));
    }

    /** Lets go of what variables that stand for unnamed results hold; forgets those that nothing was computed from. */
    void release(List<String> names) {
        for (String name : names) {
            holders.release(name);
            unnamed.expire(name);
            find(name).filter(variable -> shell.sourceCodeAnalysis().dependents(variable).isEmpty())
                    .ifPresent(this::shellDrop);
        }
        if (!names.isEmpty()) {
            variables.changed();
            changed = true;
        }
    }

    /** Forgets the classes and the places of what is not in force any more, if something changed. */
    void forgetFormer() {
        if (changed && untold.isEmpty()) {
            changed = false;
            acceleration.forget().ifPresent(loader::retain);
            origins.retain(shell.snippets().map(each -> Integer.valueOf(each.id())).toList());
        }
    }

    /** The variables that code could name now, in order of declaration. From any thread. */
    List<Variable> variables() {
        return variables.all();
    }

    /** Every object that a variable's field keeps alive. From any thread. */
    List<Holder> holders() {
        return holders.list();
    }

    /** Lets go of what a variable holds; false if there is none of that name. */
    boolean empty(String name) {
        return holders.empty(name);
    }

    /** Forgets a variable and lets go of its value; false if there is none of that name. */
    boolean drop(String name) {
        tellShell();
        Optional<VarSnippet> variable = find(name);
        variable.ifPresent(each -> {
            List<SnippetEvent> events = shellDrop(each);
            // what was computed from it is not forgotten with it
            recovery.recover(events);
            events.forEach(this::settle);
            variables.changed();
            holders.release(name);
            changed = true;
        });
        return variable.isPresent();
    }

    /** Forgets types. */
    void dropTypes(List<String> names) {
        tellShell();
        shell.types().filter(each -> names.contains(each.name())).toList().forEach(this::shellDrop);
        acceleration.forget().ifPresent(loader::retain);
    }

    /** The import declarations in force. */
    List<String> imports() {
        tellShell();
        return shell.imports().map(ImportSnippet::source).toList();
    }

    /** The source of the methods, types and variables that cells declared and that are in force. */
    List<String> sources() {
        tellShell();
        return shell.snippets().filter(each -> each instanceof DeclarationSnippet && shell.status(each).isActive())
                .filter(each -> !holdsPlace(each)).map(Snippet::source).toList();
    }

    @Override
    public void close() {
        shell.close();
    }
}

package io.vramlab.kernel.internal.eval;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import io.vramlab.kernel.internal.eval.Part.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.type.TypeMirror;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;

/**
 * Compiles all parts of a cell at once, before any of them runs: a class for each that declares something, of the shape
 * that JShell would give it, and one for each that acts.
 *
 * <p>
 * What it refuses, JShell would refuse too, but only after it had run the parts before. What it does not understand it
 * leaves to JShell, which is more patient: there, a method may name what is declared in a later cell.
 */
final class CellCompiler {

    private static final String VALUE = "$value$";
    /** Statements that follow one another share a class, up to so many, as a method may not be larger than 64 KiB. */
    private static final int TOGETHER = 50;
    private static final String ENTRY = " public static java.lang.Object do_it$() throws java.lang.Throwable { ";

    /** What came of a cell. */
    sealed interface Outcome {
    }

    /**
     * It compiles.
     *
     * @param classes
     *            the class files by name; empty if it was only checked
     * @param steps
     *            what to run and to remember, in order
     */
    record Compiled(Map<String, byte[]> classes, List<Step> steps) implements Outcome {
    }

    /**
     * It does not.
     *
     * @param mistakes
     *            what the compiler says
     */
    record Refused(List<Mistake> mistakes) implements Outcome {
    }

    /** Only JShell can tell. */
    record Unknown() implements Outcome {
    }

    /**
     * A complaint of the compiler.
     *
     * @param part
     *            the part
     * @param from
     *            the offset in the part's code at which it begins
     * @param to
     *            the offset behind it
     * @param message
     *            what it says
     */
    record Mistake(Part part, int from, int to, String message) {
    }

    /**
     * A part, compiled.
     *
     * @param part
     *            the part
     * @param className
     *            its class with the package; null for an import
     * @param type
     *            the type of its value or variable as source, where it has one
     * @param named
     *            whether its value is a variable's, which needs no other name
     */
    record Step(Part part, String className, String type, boolean named) {
    }

    private static final Unknown UNKNOWN = new Unknown();
    private static int number;

    private final Javac javac;
    private final List<Part> parts;
    private final List<Part> order;
    private final String imports;
    private final Map<Part, String> names = new HashMap<>();
    /** The statements of one class, by the first of them. */
    private final Map<Part, List<Part>> together = new HashMap<>();
    private final Map<Part, String> inferred = new HashMap<>();
    private final Map<Part, Step> values = new HashMap<>();
    /** Expressions without a value. */
    private final Set<Part> acts = new HashSet<>();
    private boolean again;
    private final boolean generate;

    /**
     * A compilation.
     *
     * @param parts
     *            the parts as they stand in the cell
     * @param order
     *            the same in the order in which they run
     * @param imports
     *            what is in force for these parts, on one line, without what they declare themselves
     * @param wrappers
     *            the names of the classes of declarations; empty to only check
     */
    CellCompiler(Javac javac, List<Part> parts, List<Part> order, String imports, Map<Part, String> wrappers) {
        this.javac = javac;
        this.parts = parts;
        this.order = order;
        this.imports = imports;
        this.generate = !wrappers.isEmpty() || parts.stream().noneMatch(each -> isDeclaration(each));
        group();
        for (Part each : parts) {
            if (each.kind() != Kind.IMPORT) {
                names.put(each, wrappers.getOrDefault(each, "$Part$" + ++number));
            }
        }
    }

    private void group() {
        Map<Part, Part> next = new HashMap<>();
        for (int i = 1; i < order.size(); i++) {
            next.put(order.get(i - 1), order.get(i));
        }
        Part before = null;
        List<Part> group = null;
        for (Part each : parts) {
            if (each.kind() == Kind.STATEMENT && group != null && group.size() < TOGETHER && next.get(before) == each
                    && !each.words().contains("return")) {
                group.add(each);
            } else if (each.kind() == Kind.STATEMENT) {
                group = new ArrayList<>(List.of(each));
                together.put(each, group);
            } else {
                group = null;
            }
            if (each.words().contains("return")) {
                // it would end those behind it too
                group = null;
            }
            before = each;
        }
    }

    /** Whether a part has a class of its own, or stands for all that share it. */
    private boolean leads(Part part) {
        return part.kind() != Kind.STATEMENT || together.containsKey(part);
    }

    static boolean isDeclaration(Part part) {
        return part.declaresCode() || part.kind() == Kind.VARIABLE;
    }

    Outcome compile() {
        if (parts.stream().flatMap(each -> each.variables().stream()).anyMatch(each -> each.type() == null)
                && !infer()) {
            return UNKNOWN;
        }
        Outcome outcome;
        do {
            again = false;
            UnitText unit = unit();
            outcome = javac.run(List.of(new SourceText("Cell", unit.toString())),
                    (task, problems) -> compile(unit, task, problems));
            javac.declarationsChanged();
        } while (again);
        return outcome;
    }

    private void head(UnitText unit) {
        unit.raw("package REPL;" + imports);
        for (Part each : parts) {
            if (each.kind() == Kind.IMPORT) {
                unit.instead(each, 0, Comments.blanked(each.code()).strip().replace('\n', ' '));
            }
        }
    }

    /** Finds the types of variables declared with {@code var}; false if one has none that can be written. */
    private boolean infer() {
        UnitText unit = new UnitText();
        head(unit);
        String name = "$Chain$" + ++number;
        unit.raw("class " + name + " {");
        for (Part each : parts) {
            if (each.declaresCode()) {
                unit.raw(" static ").copy(each, 0, each.code().length());
            }
        }
        unit.raw(" static void chain() throws java.lang.Throwable {");
        // the lines do not matter here, so what was copied above may stand below what follows
        for (Part each : parts) {
            for (Part.Variable variable : each.variables()) {
                unit.raw(" " + (variable.type() == null ? "var" : variable.type()) + " " + variable.name() + " = "
                        + (variable.hasInitial()
                                ? each.code().substring(variable.initialFrom(), variable.initialTo())
                                : none(variable.type()))
                        + "\n;");
            }
        }
        unit.raw("}}");
        return javac.run(List.of(new SourceText("Cell", unit.toString())), (task, problems) -> {
            CompilationUnitTree tree = task.parse().iterator().next();
            task.analyze();
            Trees trees = Trees.instance(task);
            for (Tree type : tree.getTypeDecls()) {
                ClassTree outer = (ClassTree) type;
                for (Tree member : outer.getMembers()) {
                    if (member instanceof MethodTree method && method.getName().contentEquals("chain")) {
                        TreePath path = new TreePath(new TreePath(new TreePath(new TreePath(tree), outer), method),
                                method.getBody());
                        return inferred(method, path, trees, name);
                    }
                }
            }
            return false;
        });
    }

    private static String none(String type) {
        return switch (type) {
            case "byte", "short", "int", "long", "float", "double", "char" -> "0";
            case "boolean" -> "false";
            default -> "null";
        };
    }

    private boolean inferred(MethodTree chain, TreePath body, Trees trees, String name) {
        Map<String, TypeMirror> types = new HashMap<>();
        for (Tree each : chain.getBody().getStatements()) {
            if (each instanceof VariableTree variable) {
                types.put(variable.getName().toString(),
                        trees.getElement(new TreePath(body, variable)).asType());
            }
        }
        for (Part each : parts) {
            for (Part.Variable variable : each.variables()) {
                if (variable.type() == null) {
                    Optional<String> text = WrittenType.of(types.get(variable.name()));
                    if (text.isEmpty()) {
                        return false;
                    }
                    inferred.put(each, text.get().replace(Wrappers.PACKAGE + name + ".", ""));
                }
            }
        }
        return true;
    }

    private UnitText unit() {
        UnitText unit = new UnitText();
        head(unit);
        for (Part each : parts) {
            if (isDeclaration(each)) {
                for (String name : each.names()) {
                    unit.raw("import static REPL." + names.get(each) + "." + name + ";");
                }
            }
        }
        for (Part each : parts) {
            if (each.kind() != Kind.IMPORT && leads(each)) {
                unit.raw("class " + names.get(each) + " {");
                body(unit, each);
                unit.raw("}");
            }
        }
        return unit;
    }

    private void body(UnitText unit, Part part) {
        int length = part.code().length();
        int start = part.start();
        unit.goTo(part, start);
        switch (part.kind()) {
            // a type is opened when it is woven: were it public here, constructors of records had to be too
            case TYPE -> unit.raw(" static ").copy(part, start, length);
            case METHOD -> unit.raw(" public static ").copy(part, start, length);
            case VARIABLE -> part.variables().forEach(each -> variable(unit, part, each));
            case STATEMENT -> {
                unit.raw(ENTRY);
                for (Part each : together.get(part)) {
                    unit.goTo(each, each.start());
                    unit.raw("if (true) {").copy(each, each.start(), each.code().length()).raw("}");
                }
                unit.raw(" return null;}");
            }
            case EXPRESSION -> {
                int end = part.code().endsWith(";") ? length - 1 : length;
                if (acts.contains(part)) {
                    unit.raw(ENTRY + "if (true) {").copy(part, start, end).raw(";} return null;}");
                    return;
                }
                unit.raw(ENTRY + "var " + VALUE + " = ").copy(part, start, end).raw("; return " + VALUE + ";}");
            }
            case IMPORT -> {
                // above
            }
        }
    }

    private void variable(UnitText unit, Part part, Part.Variable variable) {
        String type = typeOf(part, variable);
        unit.raw(" public static ").instead(part, variable.typeAt(), type).raw(" " + variable.name() + ";");
        if (variable.hasInitial()) {
            unit.goTo(part, variable.initialFrom());
            String scratch = variable.name() + "_";
            unit.raw(part.variables().size() == 1 ? ENTRY : ENTRY.replace("do_it$", "do_it$" + variable.name()));
            unit.instead(part, variable.typeAt(), type).raw(" " + scratch + " = ")
                    .copy(part, variable.initialFrom(), variable.initialTo())
                    .raw("; return " + variable.name() + " = " + scratch + ";}");
        }
    }

    private String typeOf(Part part, Part.Variable variable) {
        return variable.type() == null ? inferred.get(part) : variable.type();
    }

    private Outcome compile(UnitText unit, JavacTask task, DiagnosticCollector<JavaFileObject> problems)
            throws IOException {
        CompilationUnitTree tree = task.parse().iterator().next();
        task.analyze();
        Optional<Outcome> judged = judge(unit, problems);
        if (judged.isPresent()) {
            return judged.get();
        }
        findValues(tree, task);
        Map<String, byte[]> classes = Map.of();
        if (generate) {
            task.generate();
            if (problems.getDiagnostics().stream().anyMatch(each -> each.getKind() == Diagnostic.Kind.ERROR)) {
                return UNKNOWN;
            }
            classes = javac.written();
        }
        return new Compiled(classes, order.stream().filter(this::leads).map(this::step).toList());
    }

    private Step step(Part part) {
        return switch (part.kind()) {
            case IMPORT -> new Step(part, null, null, false);
            case VARIABLE -> new Step(part, Wrappers.PACKAGE + names.get(part),
                    typeOf(part, part.variables().getFirst()), true);
            default -> values.getOrDefault(part, new Step(part, Wrappers.PACKAGE + names.get(part), null, false));
        };
    }

    private void findValues(CompilationUnitTree tree, JavacTask task) {
        Map<String, Part> expressions = parts.stream()
                .filter(each -> each.kind() == Kind.EXPRESSION && !acts.contains(each))
                .collect(Collectors.toMap(names::get, each -> each));
        for (Tree type : tree.getTypeDecls()) {
            if (type instanceof ClassTree outer
                    && expressions.get(outer.getSimpleName().toString()) instanceof Part part) {
                MethodTree method = (MethodTree) outer.getMembers().stream().filter(MethodTree.class::isInstance)
                        .filter(each -> ((MethodTree) each).getName().contentEquals("do_it$")).findFirst()
                        .orElseThrow();
                VariableTree value = (VariableTree) method.getBody().getStatements().getFirst();
                TreePath path = new TreePath(new TreePath(new TreePath(new TreePath(new TreePath(tree), outer), method),
                        method.getBody()), value);
                values.put(part, new Step(part, Wrappers.PACKAGE + names.get(part),
                        FastCompiler.name(task, Trees.instance(task).getElement(path).asType()),
                        FastCompiler.named(value.getInitializer())));
            }
        }
    }

    /** What the compiler's complaints mean; empty if there are none. */
    private Optional<Outcome> judge(UnitText unit, DiagnosticCollector<JavaFileObject> problems) {
        List<Mistake> mistakes = new ArrayList<>();
        Set<String> vague = new HashSet<>();
        for (Diagnostic<? extends JavaFileObject> each : problems.getDiagnostics()) {
            if (each.getKind() == Diagnostic.Kind.ERROR) {
                UnitText.Origin origin = unit.origin(each.getPosition()).orElse(null);
                if (origin == null) {
                    return Optional.of(UNKNOWN);
                }
                if (origin.part().declaresCode() && each.getCode().contains("resolve")) {
                    // may be declared later: what names it cannot be judged either
                    vague.addAll(origin.part().names());
                } else if (origin.part().kind() == Kind.EXPRESSION && each.getCode().contains("cant.infer.local")) {
                    // of type void, or null
                    again = acts.add(origin.part());
                    return Optional.of(UNKNOWN);
                } else {
                    mistakes.add(mistake(unit, each, origin));
                }
            }
        }
        if (mistakes.isEmpty() && vague.isEmpty()) {
            return Optional.empty();
        }
        mistakes.removeIf(each -> !Collections.disjoint(each.part().words(), vague));
        return Optional.of(mistakes.isEmpty() ? UNKNOWN : new Refused(mistakes.stream().distinct().toList()));
    }

    private static Mistake mistake(UnitText unit, Diagnostic<? extends JavaFileObject> diagnostic,
            UnitText.Origin at) {
        int from = unit.origin(diagnostic.getStartPosition()).filter(each -> each.part() == at.part())
                .map(UnitText.Origin::offset).orElse(at.offset());
        int to = unit.origin(diagnostic.getEndPosition()).filter(each -> each.part() == at.part())
                .map(UnitText.Origin::offset).orElse(from);
        return new Mistake(at.part(), from, Math.max(to, from), diagnostic.getMessage(Locale.ENGLISH));
    }
}

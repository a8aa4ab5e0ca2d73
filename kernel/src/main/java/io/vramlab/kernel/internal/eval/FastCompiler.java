package io.vramlab.kernel.internal.eval;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;

/**
 * Compiles a statement or an expression in one run of javac, where JShell takes four or five: to guess what it is, to find
 * its type, twice to check it, to compile it. What this compiler does not understand (declarations, errors, whatever is
 * odd) it leaves to JShell, so it decides nothing but speed.
 *
 * <p>
 * The generated source begins with everything JShell-made on the first line and then as many line breaks as stand above
 * the piece in its cell: javac's line numbers are the cell's.
 */
final class FastCompiler {

    /**
     * A piece, compiled.
     *
     * @param className
     *            the class whose static method {@code do_it$} runs it
     * @param classes
     *            the class files by class name
     * @param type
     *            the static type of its value as Java source, null for a statement
     * @param named
     *            whether the value is a variable's, which needs no other name
     */
    record Compiled(String className, Map<String, byte[]> classes, String type, boolean named) {
    }

    private static final String VALUE = "$value$";

    private final Javac javac;
    private int number;

    FastCompiler(Javac javac) {
        this.javac = javac;
    }

    /**
     * Compiles a piece.
     *
     * @param piece
     *            the snippet
     * @param imports
     *            import declarations in force, those of variables and classes included
     * @return empty if JShell shall take it
     */
    Optional<Compiled> compile(Piece piece, String imports) {
        boolean statement = endsStatement(piece.source());
        String name = "$Piece$" + ++number;
        String before = statement ? "if (true) {" : "var " + VALUE + " = ";
        String after = statement ? "\n} return null;" : "\n; return " + VALUE + ";";
        String source = "package REPL;" + imports + "class " + name
                + " { public static Object do_it$() throws Throwable {" + before + "\n".repeat(piece.line() - 1)
                + piece.source() + after + "}}";
        return javac.run(List.of(new SourceText(name, source)),
                (task, problems) -> compile(task, problems, statement, Wrappers.PACKAGE + name));
    }

    private Optional<Compiled> compile(JavacTask task, DiagnosticCollector<JavaFileObject> problems, boolean statement,
            String name) throws IOException {
        CompilationUnitTree unit = task.parse().iterator().next();
        if (failed(problems) || unit.getTypeDecls().size() != 1) {
            return Optional.empty();
        }
        ClassTree outer = (ClassTree) unit.getTypeDecls().getFirst();
        if (outer.getMembers().size() != 1 || !(outer.getMembers().getFirst() instanceof MethodTree method)) {
            return Optional.empty();
        }
        List<? extends StatementTree> body = method.getBody().getStatements();
        if (body.size() != 2 || statement && !(body.getFirst() instanceof IfTree block
                && block.getElseStatement() == null && onlyActs(block))) {
            return Optional.empty();
        }
        task.analyze();
        if (failed(problems)) {
            return Optional.empty();
        }
        String type = null;
        boolean named = true;
        if (!statement) {
            VariableTree variable = (VariableTree) body.getFirst();
            TreePath path = new TreePath(new TreePath(new TreePath(new TreePath(unit), outer), method),
                    method.getBody());
            type = name(task, Trees.instance(task).getElement(new TreePath(path, variable)).asType());
            named = named(variable.getInitializer());
        }
        task.generate();
        return failed(problems) ? Optional.empty() : Optional.of(new Compiled(name, javac.written(), type, named));
    }

    private static boolean failed(DiagnosticCollector<JavaFileObject> problems) {
        return problems.getDiagnostics().stream().anyMatch(each -> each.getKind() == Diagnostic.Kind.ERROR);
    }

    /** Whether nothing in a block declares something that later cells may name. */
    private static boolean onlyActs(IfTree block) {
        List<Tree.Kind> kinds = new ArrayList<>();
        ((BlockTree) block.getThenStatement()).getStatements().forEach(each -> kinds.add(each.getKind()));
        return kinds.stream().allMatch(kind -> switch (kind) {
            case VARIABLE, CLASS, INTERFACE, ENUM, RECORD, ANNOTATION_TYPE, YIELD, RETURN, BREAK, CONTINUE -> false;
            default -> true;
        }) && !returns(block);
    }

    /** Whether a statement in a block returns from it, which would end those behind that statement too. */
    private static boolean returns(IfTree block) {
        return Boolean.TRUE.equals(new TreeScanner<Boolean, Void>() {

            @Override
            public Boolean visitReturn(ReturnTree tree, Void none) {
                return true;
            }

            @Override
            public Boolean visitLambdaExpression(LambdaExpressionTree tree, Void none) {
                return false;
            }

            @Override
            public Boolean visitClass(ClassTree tree, Void none) {
                return false;
            }

            @Override
            public Boolean reduce(Boolean one, Boolean other) {
                return Boolean.TRUE.equals(one) || Boolean.TRUE.equals(other);
            }
        }.scan(block, null));
    }

    static boolean named(ExpressionTree expression) {
        return expression instanceof IdentifierTree
                || expression instanceof AssignmentTree assignment
                        && assignment.getVariable() instanceof IdentifierTree;
    }

    /** A type as cells can write it; a wider one where it has no name. */
    static String name(JavacTask task, TypeMirror type) {
        String text = type.toString();
        boolean plain = type.getKind().isPrimitive()
                || (type.getKind() == TypeKind.DECLARED || type.getKind() == TypeKind.ARRAY)
                        && text.matches("[\\w.$<>,\\[\\]? ]+") && !text.contains("capture");
        String named = plain ? text : task.getTypes().erasure(type).toString();
        return named.matches("[\\w.$<>,\\[\\]? ]+")
                ? named.replaceAll("REPL\\.\\$JShell\\$\\w+\\.", "")
                : "java.lang.Object";
    }

    /** Whether a piece ends as a statement does, comments aside; else it is tried as an expression. */
    private static boolean endsStatement(String source) {
        String code = Comments.blanked(source).stripTrailing();
        return code.endsWith(";") || code.endsWith("}");
    }
}

package io.vramlab.kernel.internal.eval;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import io.vramlab.kernel.internal.eval.Part.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;

/**
 * Finds out what the pieces of a cell are: each is parsed as a member of a class, as a statement and as an expression, all
 * in one run.
 */
final class CellParser {

    private static final Pattern IMPORT = Pattern
            .compile("\\s*import\\s+(static\\s+)?([\\w.\\s$]+?)(\\.\\s*\\*)?\\s*;");
    private static final Pattern SUPERFLUOUS = Pattern.compile("\\b(?:public|protected|private|static)\\b");
    private static final String MEMBER = "class Member { ";
    private static final String STATEMENT = "class Statement { void m() throws Throwable { ";
    private static final String EXPRESSION = "class Expression { Object o = ";

    private final Javac javac;

    CellParser(Javac javac) {
        this.javac = javac;
    }

    /** The parts; empty if one of them is nothing that this parser knows. */
    Optional<List<Part>> parse(List<Piece> pieces) {
        List<SourceText> files = new ArrayList<>();
        List<String> codes = pieces.stream().map(CellParser::code).toList();
        for (int i = 0; i < codes.size(); i++) {
            String code = codes.get(i);
            files.add(new SourceText("Member" + i, MEMBER + code + "\n}"));
            files.add(new SourceText("Statement" + i, STATEMENT + code + "\n}}"));
            files.add(new SourceText("Expression" + i, EXPRESSION + withoutSemicolon(code) + "\n;}"));
        }
        return javac.run(files, (task, problems) -> parts(pieces, codes, task, problems));
    }

    /** Without the comment at its end, which would swallow what follows on the line. */
    private static String code(Piece piece) {
        return piece.closed().substring(0, Comments.blanked(piece.closed()).stripTrailing().length());
    }

    private static String withoutSemicolon(String code) {
        return code.endsWith(";") ? code.substring(0, code.length() - 1) : code;
    }

    private static Optional<List<Part>> parts(List<Piece> pieces, List<String> codes, JavacTask task,
            DiagnosticCollector<JavaFileObject> problems) throws IOException {
        Map<String, CompilationUnitTree> units = new HashMap<>();
        task.parse().forEach(each -> units.put(name(each.getSourceFile()), each));
        Set<String> broken = new HashSet<>();
        for (Diagnostic<? extends JavaFileObject> each : problems.getDiagnostics()) {
            // of a variable, that it may not be a member says the word var alone
            if (each.getKind() == Diagnostic.Kind.ERROR && each.getSource() != null) {
                broken.add(name(each.getSource()));
            }
        }
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < codes.size(); i++) {
            Reader reader = new Reader(pieces.get(i), codes.get(i), positions);
            Optional<Part> part = reader.asImport();
            for (String kind : List.of("Member", "Statement", "Expression")) {
                String file = kind + i;
                if (part.isEmpty() && !broken.contains(file)) {
                    part = reader.read(kind, units.get(file));
                }
            }
            if (part.isEmpty()) {
                return Optional.empty();
            }
            parts.add(part.get());
        }
        return Optional.of(parts);
    }

    private static String name(JavaFileObject file) {
        String path = file.getName();
        int end = path.endsWith(".java") ? path.length() - ".java".length() : path.length();
        return path.substring(path.lastIndexOf('/') + 1, end);
    }

    private record Reader(Piece piece, String code, SourcePositions positions) {

        Optional<Part> asImport() {
            Matcher matcher = IMPORT.matcher(Comments.blanked(code));
            if (!matcher.matches()) {
                return Optional.empty();
            }
            String named = matcher.group(2).replaceAll("\\s", "");
            List<String> names = matcher.group(3) == null
                    ? List.of(named.substring(named.lastIndexOf('.') + 1))
                    : List.of();
            return Optional.of(new Part(piece, code, Kind.IMPORT, names, null, List.of(), matcher.group(1) == null));
        }

        Optional<Part> read(String kind, CompilationUnitTree unit) {
            if (unit.getTypeDecls().size() != 1) {
                return Optional.empty();
            }
            List<? extends Tree> members = ((ClassTree) unit.getTypeDecls().getFirst()).getMembers();
            return switch (kind) {
                case "Member" -> members.isEmpty() ? Optional.empty() : declared(unit, members, MEMBER.length());
                case "Statement" -> {
                    List<? extends Tree> body = members.size() == 1 && members.getFirst() instanceof MethodTree method
                            ? method.getBody().getStatements()
                            : List.of();
                    yield body.size() == 1 || !body.isEmpty() && body.getFirst() instanceof VariableTree
                            ? declared(unit, body, STATEMENT.length()).or(() -> statement(body))
                            : Optional.empty();
                }
                default -> members.size() == 1
                        ? Optional.of(new Part(piece, code, Kind.EXPRESSION, List.of(), null, List.of(), true))
                        : Optional.empty();
            };
        }

        private Optional<Part> statement(List<? extends Tree> body) {
            boolean acts = switch (body.getFirst().getKind()) {
                case RETURN, YIELD, BREAK, CONTINUE, EMPTY_STATEMENT -> false;
                default -> body.size() == 1;
            };
            return acts
                    ? Optional.of(new Part(piece, code, Kind.STATEMENT, List.of(), null, List.of(), true))
                    : Optional.empty();
        }

        private Optional<Part> declared(CompilationUnitTree unit, List<? extends Tree> trees, int before) {
            if (trees.getFirst() instanceof VariableTree) {
                return variables(unit, trees, before);
            }
            if (trees.size() != 1) {
                return Optional.empty();
            }
            return switch (trees.getFirst()) {
                case ClassTree type -> Optional.of(new Part(piece, masked(unit, type.getModifiers(), before), Kind.TYPE,
                        List.of(type.getSimpleName().toString()), null, List.of(), plain(type.getModifiers())));
                case MethodTree method when method.getReturnType() != null && method.getBody() != null ->
                    Optional.of(new Part(piece, masked(unit, method.getModifiers(), before), Kind.METHOD,
                            List.of(method.getName().toString()),
                            method.getParameters().stream()
                                    .map(each -> source(unit, each.getType(), before)).collect(Collectors.joining(",")),
                            List.of(), plain(method.getModifiers())));
                case BlockTree _ -> Optional.empty();
                default -> Optional.empty();
            };
        }

        private String source(CompilationUnitTree unit, Tree tree, int before) {
            int from = (int) positions.getStartPosition(unit, tree) - before;
            int to = (int) positions.getEndPosition(unit, tree) - before;
            return from >= 0 && to <= code.length() && from < to ? code.substring(from, to) : tree.toString();
        }

        /** The code without the modifiers that say nothing of what a cell declares; of a class, final says something. */
        private String masked(CompilationUnitTree unit, ModifiersTree modifiers, int before) {
            int from = (int) positions.getStartPosition(unit, modifiers) - before;
            int to = (int) positions.getEndPosition(unit, modifiers) - before;
            return from < 0 || to <= from
                    ? code
                    : code.substring(0, from)
                            + SUPERFLUOUS.matcher(code.substring(from, to))
                                    .replaceAll(each -> " ".repeat(each.group().length()))
                            + code.substring(to);
        }

        private static boolean plain(ModifiersTree modifiers) {
            return modifiers.getFlags().isEmpty() && modifiers.getAnnotations().isEmpty();
        }

        private Optional<Part> variables(CompilationUnitTree unit, List<? extends Tree> trees, int before) {
            List<Part.Variable> all = new ArrayList<>();
            boolean plain = true;
            for (Tree tree : trees) {
                if (!(tree instanceof VariableTree variable) || variable.getName().isEmpty()) {
                    return Optional.empty();
                }
                // of var, the parser gives no type, or one that stands nowhere
                boolean inferred = variable.getType() == null
                        || positions.getStartPosition(unit, variable.getType()) < 0
                        || variable.getType().toString().equals("var");
                int typeAt = inferred ? 0 : (int) positions.getStartPosition(unit, variable.getType()) - before;
                Tree initial = variable.getInitializer();
                all.add(new Part.Variable(variable.getName().toString(),
                        inferred ? null : variable.getType().toString(), typeAt,
                        initial == null ? -1 : (int) positions.getStartPosition(unit, initial) - before,
                        initial == null ? -1 : (int) positions.getEndPosition(unit, initial) - before));
                plain &= plain(variable.getModifiers());
            }
            return Optional
                    .of(new Part(piece, code, Kind.VARIABLE, all.stream().map(Part.Variable::name).toList(), null,
                            all, plain));
        }
    }
}

package io.vramlab.kernel.eval;

import com.sun.source.util.JavacTask;
import io.vramlab.kernel.agent.Agent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.StandardJavaFileManager;
import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;
import jdk.jshell.PersistentSnippet;

/**
 * The way around JShell for what declares nothing. It needs packages of the compiler that are not open to all; where they
 * cannot be had, everything goes through JShell, only slower.
 */
final class Shortcut {

    private static final List<String> INTERNALS = List.of("com.sun.tools.javac.api", "com.sun.tools.javac.code",
            "com.sun.tools.javac.util");
    private static final Pattern WORD = Pattern
            .compile("\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*");
    private static final Pattern SINGLE_IMPORT = Pattern
            .compile("import\\s.*\\.\\s*(" + WORD + ")\\s*;");

    /**
     * Code that is ready to run.
     *
     * @param compiled
     *            what the compiler made
     * @param entry
     *            the class whose {@code do_it$} runs it
     */
    record Ready(FastCompiler.Compiled compiled, Class<?> entry) {
    }

    private final JShell shell;
    private final CellLoader loader;
    private final FastCompiler compiler;
    /** Import declarations of names that cannot be told from them: {@code import java.util.*}. */
    private String imports;
    /** By simple name, the import declarations of that name. */
    private Map<String, String> named;

    private Shortcut(JShell shell, CellLoader loader, StandardJavaFileManager files) {
        this.shell = shell;
        this.loader = loader;
        this.compiler = new FastCompiler(files, loader.classFiles());
    }

    /** The shortcut, if this JVM allows it. */
    static Optional<Shortcut> open(JShell shell, CellLoader loader, StandardJavaFileManager files) {
        Module compiler = JavacTask.class.getModule();
        Module own = Shortcut.class.getModule();
        if (!INTERNALS.stream().allMatch(each -> compiler.isExported(each, own))) {
            Map<String, Set<Module>> exports = new HashMap<>();
            INTERNALS.forEach(each -> exports.put(each, Set.of(own)));
            if (Agent.instrumentation().isEmpty()) {
                return Optional.empty();
            }
            Agent.instrumentation().get().redefineModule(compiler, Set.of(), exports, Map.of(), Set.of(), Map.of());
        }
        return Optional.of(new Shortcut(shell, loader, files));
    }

    /** Something was declared or dropped. */
    void declarationsChanged() {
        imports = null;
        compiler.declarationsChanged();
    }

    /** Jars or folders were added. */
    void classPathChanged() {
        compiler.reset();
    }

    /** Import declarations that are in force though JShell does not know them yet. */
    void imports(List<String> declarations) {
        StringBuilder text = new StringBuilder();
        named = new HashMap<>();
        declarations.forEach(each -> add(text, each));
        imports = text.toString();
    }

    /** Compiles a piece; empty if JShell shall take it. */
    Optional<Ready> prepare(Piece piece) {
        if (imports == null) {
            collectImports();
        }
        StringBuilder needed = new StringBuilder(imports);
        // javac opens the class of every name imported singly: only the names that occur are worth it
        Set<String> words = piece.source().contains("\\u") ? named.keySet() : words(piece.source());
        words.stream().map(named::get).filter(each -> each != null).forEach(needed::append);
        return compiler.compile(piece, needed.toString()).map(compiled -> new Ready(compiled, define(piece, compiled)));
    }

    private static Set<String> words(String source) {
        Set<String> words = new HashSet<>();
        Matcher matcher = WORD.matcher(source);
        while (matcher.find()) {
            words.add(matcher.group());
        }
        return words;
    }

    private Class<?> define(Piece piece, FastCompiler.Compiled compiled) {
        try {
            return new PieceLoader(loader, loader, compiled.classes(), CellLines.same(piece.file()))
                    .loadClass(compiled.className());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private void collectImports() {
        StringBuilder text = new StringBuilder();
        named = new HashMap<>();
        shell.snippets().filter(each -> each instanceof PersistentSnippet && shell.status(each).isDefined())
                .forEach(each -> {
                    if (each instanceof ImportSnippet) {
                        add(text, each.source());
                    } else {
                        PersistentSnippet snippet = (PersistentSnippet) each;
                        add(snippet.name(),
                                "import static " + shell.sourceCodeAnalysis().wrapper(each).fullClassName() + "."
                                        + snippet.name() + ";");
                    }
                });
        imports = text.toString();
    }

    private void add(StringBuilder text, String source) {
        String line = Comments.blanked(source).strip().replace('\n', ' ');
        line = line.endsWith(";") ? line : line + ";";
        Matcher single = SINGLE_IMPORT.matcher(line);
        if (single.matches()) {
            add(single.group(1), line);
        } else {
            text.append(line);
        }
    }

    private void add(String name, String line) {
        named.merge(name, line, (a, b) -> a.contains(b) ? a : a + b);
    }
}

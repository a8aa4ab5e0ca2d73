package io.vramlab.kernel.internal.eval;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;

/** What later cells would have to wait for, in steps of some milliseconds each, done while nobody waits. */
final class IdleWork {

    /** Compiled and thrown away while nobody waits: the compiler reads the JDK's everyday classes, and gets into its stride. */
    private static final List<String> USUAL = List.of("System.out.print(\"\"); System.out.flush(); Thread.sleep(0);",
            "for (int i = 0; i < 3; i++) { System.out.println(\"i = \" + i); }", "Math.sqrt(2.0) * 3",
            "List.of(1, 2, 3).stream().map(n -> n + 1).toList()", "new ArrayList<>(Map.of(\"a\", 1).entrySet())",
            "String.format(\"%d\", new int[]{1, 2}.length)",
            "if (System.nanoTime() == 0) { throw new IllegalStateException(\"never\"); }");

    /** What JShell has not been told yet; it takes its time over each, and what goes around it does without. */
    private final Queue<String> imports;
    private final Queue<String> usual = new ArrayDeque<>(USUAL);
    private final Consumer<Piece> shell;
    private final Consumer<Piece> compiler;

    /**
     * Steps to take.
     *
     * @param imports
     *            import declarations that a session begins with
     * @param shell
     *            evaluates one of them
     * @param compiler
     *            compiles a piece that is not to run
     */
    IdleWork(List<String> imports, Consumer<Piece> shell, Consumer<Piece> compiler) {
        this.imports = new ArrayDeque<>(imports);
        this.shell = shell;
        this.compiler = compiler;
    }

    /** Takes one step; false if there is no more to do. */
    boolean next() {
        String code = usual.poll();
        if (code == null) {
            return nextImport();
        }
        compiler.accept(new Piece(0, code, 1, 0, true));
        return true;
    }

    private boolean nextImport() {
        String declaration = imports.poll();
        if (declaration == null) {
            return false;
        }
        shell.accept(new Piece(0, declaration, 1, 0, false));
        return true;
    }

    /** Takes the steps without which JShell does not know the imports. */
    void imports() {
        while (nextImport()) {
            continue;
        }
    }

    /** Whether JShell knows them all. */
    boolean knowsImports() {
        return imports.isEmpty();
    }
}

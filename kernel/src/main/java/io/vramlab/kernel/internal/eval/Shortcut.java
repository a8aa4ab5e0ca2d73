package io.vramlab.kernel.internal.eval;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The way around JShell for what declares nothing; where there is no accelerator, JShell takes it all. */
final class Shortcut {

    private static final Logger LOG = Logger.getLogger(Shortcut.class.getName());

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

    /** How many pieces are remembered that may run again. */
    private static final int REMEMBERED = 32;

    /** What the compiler makes of a piece hangs on this, and on the declarations that the imports name. */
    private record Asked(String source, int line, String imports) {
    }

    private final Acceleration acceleration;
    private final ImportsInForce imports;
    private final CellLoader loader;
    private final Optional<FastCompiler> compiler;
    /** A cell that runs again, and has not changed, is not compiled again while no declaration has changed. */
    private final Map<Asked, FastCompiler.Compiled> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Asked, FastCompiler.Compiled> eldest) {
            return size() > REMEMBERED;
        }
    };

    Shortcut(Acceleration acceleration, ImportsInForce imports, CellLoader loader) {
        this.acceleration = acceleration;
        this.imports = imports;
        this.loader = loader;
        this.compiler = acceleration.javac().map(FastCompiler::new);
    }

    /** Compiles a piece; empty if JShell shall take it. */
    Optional<Ready> prepare(Piece piece) {
        if (compiler.isEmpty() || acceleration.missing().isPresent()) {
            return Optional.empty();
        }
        try {
            return compile(piece).map(compiled -> new Ready(compiled, define(piece, compiled)));
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            stumbled(e);
        } catch (LinkageError e) {
            acceleration.failed(e);
        }
        return Optional.empty();
    }

    private Optional<FastCompiler.Compiled> compile(Piece piece) {
        Asked asked = new Asked(piece.source(), piece.line(), imports.of(piece.source()));
        FastCompiler.Compiled before = remembered.get(asked);
        if (before != null) {
            return Optional.of(before);
        }
        Optional<FastCompiler.Compiled> compiled = compiler.orElseThrow().compile(piece, asked.imports());
        compiled.ifPresent(each -> remembered.put(asked, each));
        return compiled;
    }

    /**
     * The compiler threw something. It stumbles over some broken programs, and JShell knows how to complain about them; but
     * it may also not be what it is taken for.
     */
    void stumbled(Throwable failure) {
        LOG.log(Level.FINE, "javac failed: {0}", failure.toString());
        if (compiler.isEmpty()) {
            return;
        }
        reset();
        try {
            if (compile(new Piece(0, "1 + 1", 1, 0, true)).isEmpty()) {
                acceleration.failed(failure);
            }
        } catch (RuntimeException | Error e) {
            acceleration.failed(e);
        }
    }

    private Class<?> define(Piece piece, FastCompiler.Compiled compiled) {
        try {
            return new PieceLoader(loader, loader, compiled.classes(), SnippetLines.same(piece.file()))
                    .loadClass(compiled.className());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Something was declared or dropped. */
    void declarationsChanged() {
        imports.declarationsChanged();
        declared();
    }

    /** Something was declared that the imports in force know of. */
    void declared() {
        remembered.clear();
        acceleration.javac().ifPresent(Javac::declarationsChanged);
    }

    /** Jars or folders were added. */
    void classPathChanged() {
        reset();
    }

    private void reset() {
        remembered.clear();
        acceleration.javac().ifPresent(Javac::reset);
    }
}

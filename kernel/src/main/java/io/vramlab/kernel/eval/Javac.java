package io.vramlab.kernel.eval;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;

/** Runs the compiler over source of ours that names classes of cells. Used by one thread at a time. */
public interface Javac {

    /**
     * What to do with a task.
     *
     * @param <T>
     *            what comes of it
     */
    @FunctionalInterface
    interface Work<T> {

        /** Parses, analyses, generates; {@code problems} fills meanwhile. */
        T with(JavacTask task, DiagnosticCollector<JavaFileObject> problems) throws IOException;
    }

    /**
     * Compiles one source file of the package of cells.
     *
     * @param className
     *            what the file is named after, without the package; none of its classes may be named by later code unless
     *            {@link #declarationsChanged} tells of it
     * @param source
     *            its text
     * @throws RuntimeException
     *             what the compiler throws over some broken programs
     */
    <T> T run(String className, String source, Work<T> work);

    /** The class files that the last run wrote, by class name. */
    Map<String, byte[]> written();

    /** Classes of cells have come, changed or gone. */
    void declarationsChanged();

    /** Jars or folders were added, or this compiler stumbled: it begins anew. */
    void reset();
}

package io.vramlab.kernel.internal.eval;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;

/** Runs the compiler over source of ours that names classes of cells. Used by one thread at a time. */
public interface Javac {

    /** For every run. All errors are told of: who parses many files at once asks of each whether it has one. */
    List<String> OPTIONS = List.of("-proc:none", "-Xlint:none", "-parameters", "-g", "-Xmaxerrs", "0");

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
     * Compiles source files of the package of cells.
     *
     * @param files
     *            none of their classes may be named by later code, unless {@link #declarationsChanged} tells of them; nor
     *            may there be more than one
     * @throws RuntimeException
     *             what the compiler throws over some broken programs
     */
    <T> T run(List<SourceText> files, Work<T> work);

    /** The class files that the last run wrote, by class name. */
    Map<String, byte[]> written();

    /** Classes of cells have come, changed or gone. */
    void declarationsChanged();

    /** Jars or folders were added, or this compiler stumbled: it begins anew. */
    void reset();
}

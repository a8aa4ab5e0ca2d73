package io.vramlab.kernel.internal.eval.accelerated;

import com.sun.tools.javac.api.BasicJavacTask;
import com.sun.tools.javac.api.JavacTaskPool;
import com.sun.tools.javac.util.Context;
import io.vramlab.kernel.internal.eval.Javac;
import io.vramlab.kernel.internal.eval.MemoryFiles;
import io.vramlab.kernel.internal.eval.SourceText;
import io.vramlab.kernel.internal.eval.Wrappers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;

/** A compiler that is used again and again, and so knows the JDK's classes already: some 2 ms a run in place of 60. */
final class PooledJavac implements Javac {

    private static final int POOL = 2;
    /** A compiler that is used again keeps every name it has met, and more: after so many runs there is a new one. */
    private static final int USES = 1000;

    private final MemoryFiles files;
    private JavacTaskPool pool = new JavacTaskPool(POOL);
    private int runs;
    /** Counts the changes to cells' declarations; a context that the pool gives again knows those up to one of them. */
    private int declarations;
    private final Map<Context, Integer> known = new WeakHashMap<>();

    PooledJavac(StandardJavaFileManager files, Map<String, byte[]> classFiles) {
        this.files = new MemoryFiles(files, classFiles);
    }

    @Override
    public <T> T run(List<SourceText> sources, Work<T> work) {
        if (++runs % USES == 0) {
            reset();
        }
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        files.begin();
        return pool.getTask(null, files, problems, OPTIONS, null, sources, task -> {
            Context context = ((BasicJavacTask) task).getContext();
            if (!Integer.valueOf(declarations).equals(known.put(context, declarations))) {
                CellPackage.forget(context);
            }
            try {
                return work.with(task, problems);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                CellPackage.forget(context, Wrappers.PACKAGE + sources.getFirst().className());
            }
        });
    }

    @Override
    public Map<String, byte[]> written() {
        return files.written();
    }

    @Override
    public void declarationsChanged() {
        declarations++;
    }

    @Override
    public void reset() {
        pool = new JavacTaskPool(POOL);
    }
}

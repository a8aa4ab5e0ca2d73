package io.vramlab.kernel.internal.eval;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The compiler as any program can have it: each run begins anew, and reads what it needs of the JDK again. */
final class PlainJavac implements Javac {

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final MemoryFiles files;

    PlainJavac(StandardJavaFileManager files, Map<String, byte[]> classFiles) {
        this.files = new MemoryFiles(files, classFiles);
    }

    @Override
    public <T> T run(List<SourceText> sources, Work<T> work) {
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        files.begin();
        try {
            return work.with((JavacTask) compiler.getTask(null, files, problems, OPTIONS, null,
                    sources), problems);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, byte[]> written() {
        return files.written();
    }

    @Override
    public void declarationsChanged() {
        // nothing is kept
    }

    @Override
    public void reset() {
        // nothing is kept
    }
}

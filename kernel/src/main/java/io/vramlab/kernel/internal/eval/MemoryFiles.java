package io.vramlab.kernel.internal.eval;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;

/** The class path, and on top of it the classes of cells, which are in no file. */
public final class MemoryFiles extends ForwardingJavaFileManager<StandardJavaFileManager> {

    private static final String CELLS = "REPL";

    private final Map<String, byte[]> cells;
    private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

    /**
     * Files.
     *
     * @param files
     *            the class path
     * @param cells
     *            the class files of cells' declarations by name, looked at whenever they are asked for
     */
    public MemoryFiles(StandardJavaFileManager files, Map<String, byte[]> cells) {
        super(files);
        this.cells = cells;
    }

    /** Forgets what was written before. */
    public void begin() {
        written.clear();
    }

    /** The class files written since {@link #begin}. */
    public Map<String, byte[]> written() {
        Map<String, byte[]> all = new HashMap<>();
        written.forEach((name, bytes) -> all.put(name, bytes.toByteArray()));
        return all;
    }

    @Override
    public Iterable<JavaFileObject> list(Location location, String packageName, Set<JavaFileObject.Kind> kinds,
            boolean recurse) throws IOException {
        if (!packageName.equals(CELLS)) {
            return super.list(location, packageName, kinds, recurse);
        }
        List<JavaFileObject> all = new ArrayList<>();
        if (location == StandardLocation.CLASS_PATH && kinds.contains(JavaFileObject.Kind.CLASS)) {
            cells.forEach((name, bytes) -> all.add(new Compiled(name, bytes)));
        }
        return all;
    }

    @Override
    public String inferBinaryName(Location location, JavaFileObject file) {
        return file instanceof Compiled compiled ? compiled.className : super.inferBinaryName(location, file);
    }

    @Override
    public boolean isSameFile(FileObject a, FileObject b) {
        return a == b || !(a instanceof SimpleJavaFileObject) && !(b instanceof SimpleJavaFileObject)
                && super.isSameFile(a, b);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(Location location, String className, JavaFileObject.Kind kind,
            FileObject sibling) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        written.put(className, bytes);
        return new SimpleJavaFileObject(uri(className), kind) {
            @Override
            public OutputStream openOutputStream() {
                return bytes;
            }
        };
    }

    private static URI uri(String className) {
        return URI.create("cell:///" + className.replace('.', '/') + ".class");
    }

    private static final class Compiled extends SimpleJavaFileObject {

        private final String className;
        private final byte[] bytes;

        Compiled(String className, byte[] bytes) {
            super(uri(className), Kind.CLASS);
            this.className = className;
            this.bytes = bytes;
        }

        @Override
        public InputStream openInputStream() {
            return new ByteArrayInputStream(bytes);
        }
    }
}

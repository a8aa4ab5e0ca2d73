package io.vramlab.lifetime;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles a program, weaves its classes and runs it. */
public final class Woven {

    private static final String IMPORTS = """
            package woven;
            import io.vramlab.nn.*;
            import io.vramlab.tensor.*;
            import java.util.*;
            import java.util.function.*;
            import java.util.stream.*;
            import static io.vramlab.lifetime.Woven.*;
            """;
    private static final List<Long> MARKS = new ArrayList<>();

    private Woven() {
    }

    /** Weaves what it defines. */
    static final class Classes extends ClassLoader {

        private final Map<String, byte[]> files;

        Classes(Map<String, byte[]> files) {
            super(Woven.class.getClassLoader());
            this.files = files;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] file = files.get(name);
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] woven = Weaver.weave(file, each -> each.startsWith("woven/"));
            return defineClass(name, woven, 0, woven.length);
        }
    }

    /** Told by a program: how many tensors of 128 numbers of 4 bytes there are now. */
    public static void mark() {
        MARKS.add(Allocators.of(Device.current()).stats().get("allocated_bytes.all.current") / 512);
    }

    /**
     * Runs statements.
     *
     * @param declarations
     *            members of the class around them
     * @return what {@link #mark} was told
     */
    static List<Long> run(String declarations, String statements) throws Exception {
        MARKS.clear();
        Map<String, byte[]> classes = compiled(IMPORTS + "public class Program {\n" + declarations
                + "\npublic static void run() throws Exception {\n" + statements + "\n}}");
        Class<?> program = new Classes(classes).loadClass("woven.Program");
        try {
            program.getMethod("run").invoke(null);
        } catch (java.lang.reflect.InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) e.getCause();
        }
        return List.copyOf(MARKS);
    }

    private static Map<String, byte[]> compiled(String source) {
        return compiled(Map.of("woven/Program", source));
    }

    /** The classes of sources, each under its name with slashes. */
    static Map<String, byte[]> compiled(Map<String, String> sources) {
        Map<String, ByteArrayOutputStream> written = new HashMap<>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        var problems = new DiagnosticCollector<JavaFileObject>();
        JavaFileManager files = new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {
            @Override
            public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
                    FileObject sibling) {
                return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        return written.computeIfAbsent(name, each -> new ByteArrayOutputStream());
                    }
                };
            }
        };
        List<JavaFileObject> all = new ArrayList<>();
        sources.forEach((each, source) -> all.add(
                new SimpleJavaFileObject(URI.create("memory:///" + each + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignore) {
                        return source;
                    }
                }));
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        if (!compiler.getTask(null, files, problems, List.of("-cp", path, "-g"), null, all).call()) {
            throw new AssertionError(problems.getDiagnostics() + "\n" + sources);
        }
        Map<String, byte[]> classes = new HashMap<>();
        written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }
}

package io.vramlab.kernel.eval;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import jdk.jshell.execution.LoaderDelegate;
import jdk.jshell.spi.ExecutionControl.ClassBytecodes;
import jdk.jshell.spi.ExecutionControl.InternalException;

/**
 * Defines the classes of cells, each at its first use: only then is it known where its lines stand, because JShell tells
 * of a snippet after it has handed over its class.
 */
final class CellLoader extends URLClassLoader implements LoaderDelegate {

    static final String PACKAGE = "REPL.";

    private static final class Pending {

        private final byte[] bytes;
        private CellLines lines;

        Pending(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** A class in use that may run again: JShell's own bytes, and where its lines stand. */
    private record Defined(byte[] bytes, String file, int line) {
    }

    private static final int REMEMBERED = 1000;

    private final Map<String, Defined> defined = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Defined> eldest) {
            return size() > REMEMBERED;
        }
    };
    private final Map<String, Pending> pending = new LinkedHashMap<>();
    private final List<String> fresh = new ArrayList<>();
    private final Map<String, byte[]> classFiles = new ConcurrentHashMap<>();

    CellLoader(ClassLoader parent) {
        super("cells", new URL[0], parent);
    }

    @Override
    public synchronized void load(ClassBytecodes[] classes) {
        for (ClassBytecodes each : classes) {
            pending.put(each.name(), new Pending(each.bytecodes()));
            fresh.add(each.name());
            classFiles.put(each.name(), each.bytecodes());
        }
    }

    /** The class files of declarations as the compiler made them, for compiling against them. */
    Map<String, byte[]> classFiles() {
        return classFiles;
    }

    /** A cell's class, if something has used it; else null. */
    Class<?> inUse(String name) {
        return findLoadedClass(name);
    }

    /** Replaces a class that nothing has used yet; false if it is in use. */
    synchronized boolean replacePending(ClassBytecodes each) {
        return pending.replace(each.name(), new Pending(each.bytecodes())) != null;
    }

    /** Looks up the cell lines of the classes that came since, while JShell still knows them. */
    synchronized void locate(Function<String, CellLines> lines) {
        pending.forEach((name, each) -> {
            if (each.lines == null) {
                each.lines = lines.apply(name);
            }
        });
    }

    /** The names of the classes that came since the last call. */
    synchronized List<String> takeFresh() {
        List<String> names = List.copyOf(fresh);
        fresh.clear();
        return names;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        // not the parent first: it would search every jar for a class that can only be here
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    @Override
    public Class<?> findClass(String name) throws ClassNotFoundException {
        Pending found;
        synchronized (this) {
            found = pending.remove(name);
        }
        if (found == null) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : super.findClass(name);
        }
        byte[] woven = Weaver.weave(found.bytes, found.lines);
        remember(name, found.bytes, found.lines);
        return defineClass(name, woven, 0, woven.length);
    }

    private synchronized void remember(String name, byte[] bytes, CellLines lines) {
        defined.put(name, new Defined(bytes, lines == null ? "" : lines.file(), lines == null ? 0 : lines.cellLine(0)));
    }

    /** A class has other bytes now, and still the lines of the cell before. */
    synchronized void redefined(ClassBytecodes each) {
        defined.put(each.name(), new Defined(each.bytecodes(), "", 0));
    }

    /**
     * The bytes of a class that is in use and carries the lines of another cell than these; it is taken to carry these
     * from now on.
     */
    synchronized Optional<byte[]> definedElsewhere(String name, CellLines lines) {
        Defined found = defined.get(name);
        if (found == null || lines == null || found.file.equals(lines.file()) && found.line == lines.cellLine(0)) {
            return Optional.empty();
        }
        remember(name, found.bytes, lines);
        return Optional.of(found.bytes);
    }

    @Override
    public void classesRedefined(ClassBytecodes[] classes) {
        for (ClassBytecodes each : classes) {
            classFiles.put(each.name(), each.bytecodes());
        }
    }

    @Override
    public void addToClasspath(String path) throws InternalException {
        for (String each : path.split(File.pathSeparator)) {
            try {
                addURL(new File(each).toURI().toURL());
            } catch (MalformedURLException e) {
                throw new InternalException(e.toString());
            }
        }
    }
}

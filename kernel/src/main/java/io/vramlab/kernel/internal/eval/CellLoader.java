package io.vramlab.kernel.internal.eval;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import jdk.jshell.execution.LoaderDelegate;
import jdk.jshell.spi.ExecutionControl.ClassBytecodes;
import jdk.jshell.spi.ExecutionControl.InternalException;

/**
 * Finds the classes of cells, each defined by a loader of its snippet, so that they can go when others have taken their
 * place; and those of added jars and folders.
 */
final class CellLoader extends URLClassLoader implements LoaderDelegate {

    static {
        registerAsParallelCapable();
    }

    /** By wrapper, what later code can name. */
    private final Map<String, SnippetLoader> current = new ConcurrentHashMap<>();
    /** By wrapper, what it cannot, but objects or older code may still use. */
    private final Map<String, WeakReference<SnippetLoader>> retired = new LinkedHashMap<>();
    /** Retired ones that cannot go while JShell takes them to be there. */
    private final List<SnippetLoader> pinned = new ArrayList<>();
    private final Map<String, byte[]> classFiles = new ConcurrentHashMap<>();
    private final List<String> fresh = new ArrayList<>();
    /** By wrapper, the cell line from which its class was compiled here, before JShell knew of it. */
    private final Map<String, Integer> compiledHere = new HashMap<>();

    CellLoader(ClassLoader parent) {
        super("cells", new URL[0], parent);
    }

    @Override
    public void load(ClassBytecodes[] classes) {
        // JShell's own version of what is here already
        define(Arrays.stream(classes)
                .filter(each -> compiledAt(each.name()).isEmpty()).toArray(ClassBytecodes[]::new));
    }

    /** Takes the class of a declaration, and those nested in it, that JShell has yet to be told of. */
    void load(String wrapper, int line, ClassBytecodes[] classes) {
        compiledHere.put(wrapper, line);
        define(classes);
    }

    /** The cell line from which the class of that name was compiled here; empty if JShell compiled it. */
    Optional<Integer> compiledAt(String className) {
        return Wrappers.of(className).map(compiledHere::get);
    }

    /** JShell gives that class another version. */
    void handOver(String className) {
        Wrappers.of(className).ifPresent(compiledHere::remove);
    }

    private void define(ClassBytecodes[] classes) {
        for (ClassBytecodes each : classes) {
            snippet(each.name(), true).put(each.name(), each.bytecodes());
            fresh.add(each.name());
            classFiles.put(each.name(), each.bytecodes());
        }
        // those that came together may name each other
        for (ClassBytecodes each : classes) {
            snippet(each.name(), false).meetAll();
        }
    }

    /** The class files of declarations as the compiler made them, for compiling against them. */
    Map<String, byte[]> classFiles() {
        return classFiles;
    }

    /** The loader of the snippet whose class that is; null if there is none. */
    SnippetLoader snippet(String className) {
        return snippet(className, false);
    }

    private SnippetLoader snippet(String className, boolean make) {
        String wrapper = Wrappers.of(className).orElse(null);
        if (wrapper == null) {
            return null;
        }
        SnippetLoader known = current.get(wrapper);
        if (known == null) {
            known = revived(wrapper);
            if (known != null) {
                classFiles.putAll(known.classFiles());
            }
            if (known == null && make) {
                known = new SnippetLoader(this);
            }
            if (known != null) {
                current.put(wrapper, known);
            }
        }
        return known;
    }

    /** JShell uses a class again that it made for a declaration which was dropped since. */
    private synchronized SnippetLoader revived(String wrapper) {
        WeakReference<SnippetLoader> reference = retired.remove(wrapper);
        return reference == null ? null : reference.get();
    }

    /** The loaders of these wrappers, as far as there are any. */
    Map<String, PieceLoader> loaders(Collection<String> wrappers) {
        Map<String, PieceLoader> found = new HashMap<>();
        wrappers.forEach(each -> {
            PieceLoader loader = current.get(each);
            if (loader != null) {
                found.put(each, loader);
            }
        });
        return found;
    }

    /** Every snippet's loader that is still there, those of declarations that were replaced included. */
    synchronized List<SnippetLoader> alive() {
        List<SnippetLoader> all = new ArrayList<>(current.values());
        retired.values().forEach(each -> {
            SnippetLoader loader = each.get();
            if (loader != null) {
                all.add(loader);
            }
        });
        return all;
    }

    /** Keeps every class that JShell may take to be there; the wrappers of those that have gone are told. */
    synchronized Set<String> pin() {
        Set<String> gone = new HashSet<>();
        retired.forEach((wrapper, reference) -> {
            SnippetLoader loader = reference.get();
            if (loader == null) {
                gone.add(wrapper);
            } else {
                pinned.add(loader);
            }
        });
        retired.keySet().removeAll(gone);
        return gone;
    }

    /** JShell is through with it. */
    synchronized void unpin() {
        pinned.clear();
    }

    /** Lets go of the snippets that no later code can name: those that neither are among these nor named by one of these. */
    synchronized void retain(Set<String> wrappers) {
        Set<String> needed = new HashSet<>();
        Queue<String> open = new ArrayDeque<>(wrappers);
        while (!open.isEmpty()) {
            SnippetLoader loader = current.get(open.peek());
            if (needed.add(open.remove()) && loader != null) {
                open.addAll(loader.neighbours());
            }
        }
        current.forEach((wrapper, loader) -> {
            if (!needed.contains(wrapper)) {
                retired.put(wrapper, new WeakReference<>(loader));
            }
        });
        current.keySet().retainAll(needed);
        compiledHere.keySet().retainAll(needed);
        Predicate<String> unneeded = name -> Wrappers.of(name).map(each -> !needed.contains(each)).orElse(false);
        classFiles.keySet().removeIf(unneeded);
        fresh.removeIf(unneeded);
    }

    /** Looks up the cell lines of the snippets that have come or changed since, while JShell still knows them. */
    List<SnippetLoader> locate(Function<String, SnippetLines> lines) {
        return current.values().stream().filter(each -> each.locate(lines)).toList();
    }

    /** The names of the classes that came since the last call. */
    List<String> takeFresh() {
        List<String> names = List.copyOf(fresh);
        fresh.clear();
        return names;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        // not the parent first: it would search every jar for a class that can only be here
        return name.startsWith(Wrappers.PACKAGE) ? findClass(name) : super.loadClass(name, resolve);
    }

    @Override
    public Class<?> findClass(String name) throws ClassNotFoundException {
        if (!name.startsWith(Wrappers.PACKAGE)) {
            return super.findClass(name);
        }
        SnippetLoader snippet = snippet(name);
        Class<?> found = snippet == null ? null : snippet.own(name);
        if (found == null) {
            throw new ClassNotFoundException(name);
        }
        return found;
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

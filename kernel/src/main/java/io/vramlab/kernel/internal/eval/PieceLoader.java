package io.vramlab.kernel.internal.eval;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Defines the classes of one piece of code; they go when nothing of theirs is in use any more. It holds on to the loaders
 * of the snippets that they name: code finds what it was compiled against, also when others have taken its place since.
 */
class PieceLoader extends ClassLoader {

    static {
        registerAsParallelCapable();
    }

    private final CellLoader cells;
    private final Map<String, byte[]> classes;
    private final SnippetLines lines;
    private volatile Map<String, PieceLoader> neighbours = Map.of();

    /**
     * A loader.
     *
     * @param parent
     *            the cells' one, or that of a snippet
     * @param classes
     *            class files by class name
     * @param lines
     *            where their lines stand
     */
    PieceLoader(ClassLoader parent, CellLoader cells, Map<String, byte[]> classes, SnippetLines lines) {
        super("piece", parent);
        this.cells = cells;
        this.classes = new HashMap<>(classes);
        this.lines = lines;
        setDefaultAssertionStatus(true); // who writes an assert into a cell wants it checked
        meet(classes.values());
    }

    /** A loader of classes that use those of this one. */
    final PieceLoader piece(Map<String, byte[]> others, SnippetLines where) {
        return new PieceLoader(this, cells, others, where);
    }

    /** Holds on to the snippets that these class files name, and no longer to others. */
    final void meet(Collection<byte[]> classFiles) {
        Set<String> names = new HashSet<>();
        classFiles.forEach(each -> names.addAll(Wrappers.mentioned(each)));
        neighbours = cells.loaders(names);
    }

    /** The wrappers of the snippets that its classes name. */
    final Set<String> neighbours() {
        return neighbours.keySet();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(Wrappers.PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        Class<?> own = own(name);
        if (own != null) {
            return own;
        }
        PieceLoader neighbour = Wrappers.of(name).map(neighbours::get).orElse(null);
        return neighbour == null || neighbour == this ? getParent().loadClass(name) : neighbour.loadClass(name);
    }

    /** One of its own classes; null if it has none of that name. */
    final Class<?> own(String name) {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null && loaded.getClassLoader() == this ? loaded : define(name);
        }
    }

    /** Defines one of its own classes at its first use; null if that is none of its own. */
    Class<?> define(String name) {
        byte[] bytes;
        synchronized (classes) {
            bytes = classes.remove(name);
        }
        return bytes == null ? null : define(name, Weaver.weave(bytes, lines));
    }

    final Class<?> define(String name, byte[] woven) {
        return defineClass(name, woven, 0, woven.length);
    }
}

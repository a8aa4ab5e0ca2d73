package io.vramlab.kernel.eval;

import java.util.HashMap;
import java.util.Map;

/** Defines the classes of one piece; they go when nothing of theirs is in use any more. */
final class PieceLoader extends ClassLoader {

    private final Map<String, byte[]> classes;
    private final CellLines lines;

    PieceLoader(ClassLoader parent, Map<String, byte[]> classes, CellLines lines) {
        super("piece", parent);
        this.classes = new HashMap<>(classes);
        this.lines = lines;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            byte[] bytes = classes.remove(name);
            if (bytes == null) {
                return super.loadClass(name, resolve);
            }
            byte[] woven = Weaver.weave(bytes, lines);
            return defineClass(name, woven, 0, woven.length);
        }
    }
}

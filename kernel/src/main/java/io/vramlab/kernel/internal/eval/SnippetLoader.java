package io.vramlab.kernel.internal.eval;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Defines the classes of one snippet that JShell compiled, each at its first use: only then is it known where its lines
 * stand, because JShell tells of a snippet after it has handed over its classes. When a later declaration has taken the
 * snippet's place, the loader and its classes go as soon as no object or code is left that needs them.
 */
final class SnippetLoader extends PieceLoader {

    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> classFiles = new HashMap<>();
    /** The classes in use that were not taken apart, with the lines that they carry. */
    private final Map<String, Optional<SnippetLines>> whole = new HashMap<>();
    private SnippetLines lines;
    private boolean stale;
    private SnippetCode code;

    SnippetLoader(CellLoader cells) {
        super(cells, cells, Map.of(), null);
    }

    /** Takes a class for the first time, or again before its first use; false if it is in use. */
    synchronized boolean put(String name, byte[] bytes) {
        if (whole.containsKey(name) || code != null) {
            return false;
        }
        change(name, bytes);
        return true;
    }

    private void change(String name, byte[] bytes) {
        classFiles.put(name, bytes);
        meet(classFiles.values());
        stale = true;
    }

    /** Holds on to the snippets that its classes name, also those that came after them. */
    synchronized void meetAll() {
        meet(classFiles.values());
    }

    /**
     * Takes other code for a class that was taken apart.
     *
     * @return false if that needs another holder
     */
    synchronized boolean exchange(String name, byte[] bytes) {
        boolean exchanged = code.replace(bytes);
        if (exchanged) {
            change(name, bytes);
        }
        return exchanged;
    }

    /** A class that is whole has other bytes now. */
    synchronized void redefined(String name, byte[] bytes) {
        change(name, bytes);
        whole.put(name, Optional.empty());
    }

    /** Looks up where the lines stand of what came since, while JShell still knows; false if nothing came. */
    synchronized boolean locate(Function<String, SnippetLines> of) {
        boolean came = stale;
        if (stale) {
            stale = false;
            moved(of.apply(classFiles.keySet().iterator().next()));
        }
        return came;
    }

    /**
     * The class files of whole classes in use that carry lines of another cell; they are taken to carry the right ones
     * from now on.
     */
    synchronized Map<String, byte[]> linedElsewhere() {
        Map<String, byte[]> elsewhere = new HashMap<>();
        if (lines != null) {
            whole.replaceAll((name, carried) -> {
                if ((carried.isEmpty() || !carried.get().sameAs(lines)) && SplitSnippet.hasCode(classFiles.get(name))) {
                    elsewhere.put(name, classFiles.get(name));
                }
                return Optional.of(lines);
            });
        }
        return elsewhere;
    }

    /** The code of a declaration runs again, which is repeated word for word in another cell. */
    synchronized void moved(SnippetLines now) {
        lines = now;
        if (code != null) {
            code.located(now);
        }
    }

    /** Where its lines stand; null if that is not known. */
    synchronized SnippetLines lines() {
        return lines;
    }

    /** Its code, if its class is in use and was taken apart; else null. */
    synchronized SnippetCode code() {
        return code;
    }

    /** The class file of one of its classes as the compiler made it; null if it has none of that name. */
    synchronized byte[] classFile(String name) {
        return classFiles.get(name);
    }

    /** The class files of all its classes, as the compiler made them. */
    synchronized Map<String, byte[]> classFiles() {
        return Map.copyOf(classFiles);
    }

    /** Its classes in use that were not taken apart. */
    synchronized List<Class<?>> inUse() {
        List<Class<?>> all = new ArrayList<>();
        whole.keySet().forEach(name -> all.add(findLoadedClass(name)));
        return all;
    }

    @Override
    Class<?> define(String name) {
        byte[] woven;
        // not while defining: that may ask for other classes of this loader, on whose locks others wait
        synchronized (this) {
            byte[] bytes = classFiles.get(name);
            if (bytes == null) {
                return null;
            }
            if (SplitSnippet.canSplit(bytes)) {
                code = new SnippetCode(name, this, bytes, lines);
                woven = SplitSnippet.of(bytes).holder();
            } else {
                whole.put(name, Optional.ofNullable(lines));
                woven = Weaver.weave(bytes, lines);
            }
        }
        return define(name, woven);
    }
}

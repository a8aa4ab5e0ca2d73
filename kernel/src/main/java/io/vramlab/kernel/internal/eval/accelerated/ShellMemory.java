package io.vramlab.kernel.internal.eval.accelerated;

import io.vramlab.kernel.internal.eval.Wrappers;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;

/**
 * Makes JShell forget what it never looks at again: by itself it keeps every snippet that ever was, with its source, the
 * source of its class with all imports, and its class file, and goes through all of them for each new one. That is in
 * fields which another release's JShell may not have.
 */
final class ShellMemory {

    /** JShell's compilers, used again, keep every name they have met, and more: after so many cells there are new ones. */
    private static final int USES = 1000;

    private final JShell shell;
    private final Collection<Snippet> snippets;
    private final List<Snippet> byKey;
    private final Map<String, Set<Integer>> dependencies;
    private final Map<String, ?> sources;
    private final Map<String, ?> compiled;
    private final Map<String, ?> loaded;
    private final Object compilers;
    private final Method newCompilers;
    private int uses;

    ShellMemory(JShell shell) throws ReflectiveOperationException {
        this.shell = shell;
        Object maps = field(shell, "maps");
        this.snippets = field(maps, "snippets");
        this.byKey = field(maps, "keyIndexToSnippet");
        this.dependencies = field(maps, "dependencies");
        this.sources = field(field(shell, "outerMap"), "classOuters");
        this.compilers = field(shell, "taskFactory");
        this.newCompilers = compilers.getClass().getDeclaredMethod("initTaskPool");
        this.newCompilers.setAccessible(true);
        this.compiled = field(field(compilers, "fileManager"), "classObjects");
        this.loaded = field(field(shell, "classTracker"), "map");
    }

    @SuppressWarnings("unchecked") // the caller knows JShell's source
    private static <T> T field(Object object, String name) throws ReflectiveOperationException {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return (T) field.get(object);
    }

    /**
     * Forgets the snippets that are declared again, dropped, refused or done.
     *
     * @return the wrappers of those that are left
     */
    Set<String> forget() throws ReflectiveOperationException {
        if (++uses % USES == 0) {
            newCompilers();
        }
        snippets.removeIf(this::isOver);
        byKey.replaceAll(each -> each == null || isOver(each) ? null : each);
        dependencies.values().forEach(keys -> keys.removeIf(key -> byKey.get(key) == null));
        dependencies.values().removeIf(Set::isEmpty);
        Set<String> left = new HashSet<>();
        snippets.forEach(each -> Wrappers.of(shell.sourceCodeAnalysis().wrapper(each).fullClassName())
                .ifPresent(left::add));
        forget(sources, wrapper -> !left.contains(wrapper));
        forget(compiled, wrapper -> !left.contains(wrapper));
        return left;
    }

    /** Gives JShell new compilers for those that know what they have met. */
    void newCompilers() throws ReflectiveOperationException {
        newCompilers.invoke(compilers);
    }

    private boolean isOver(Snippet snippet) {
        return !snippet.kind().isPersistent() || !shell.status(snippet).isActive();
    }

    /** Forgets that the classes of these wrappers were loaded: they are no more, and their names can be used again. */
    void forgetClasses(Set<String> wrappers) {
        forget(loaded, wrappers::contains);
    }

    private static void forget(Map<String, ?> byClass, Predicate<String> wrapper) {
        byClass.keySet().removeIf(name -> Wrappers.of(name).filter(wrapper).isPresent());
    }
}

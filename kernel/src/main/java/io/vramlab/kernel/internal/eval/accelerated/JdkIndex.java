package io.vramlab.kernel.internal.eval.accelerated;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What JShell's completion has to know of the JDK: the names of its packages. JShell walks through all 28,000 classes of
 * the JDK for it, on a thread of its own behind the start, and keeps a list of them by simple name that nothing here asks
 * for: some 15 MiB, which every collection goes through.
 */
final class JdkIndex {

    private JdkIndex() {
    }

    /** Puts an index with the packages alone where JShell looks for one before it makes its own. */
    @SuppressWarnings("unchecked") // JShell's source
    static void place() throws ReflectiveOperationException, IOException {
        Class<?> analysis = Class.forName("jdk.jshell.SourceCodeAnalysisImpl");
        Field field = analysis.getDeclaredField("PATH_TO_INDEX");
        field.setAccessible(true);
        Constructor<?> index = Class.forName("jdk.jshell.SourceCodeAnalysisImpl$ClassIndex")
                .getConstructor(long.class, Path.class, Set.class, Map.class);
        index.setAccessible(true);
        Path marker = Path.of(System.getProperty("java.home"), "lib", "modules");
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules");
        Set<String> packages = ModuleFinder.ofSystem().findAll().stream()
                .flatMap(each -> each.descriptor().packages().stream()).collect(Collectors.toSet());
        // JShell makes another if the time is not that of the JDK's
        ((Map<Path, Object>) field.get(null)).put(marker,
                index.newInstance(Files.getLastModifiedTime(modules).toMillis(), marker, packages, Map.of()));
    }
}

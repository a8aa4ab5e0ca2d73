package io.vramlab.kernel;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/** A library of one class, as a build leaves it: a jar of classes and a jar of sources. */
final class LibraryJar {

    private LibraryJar() {
    }

    /** Compiles the class into {@code library.jar}, with {@code library-sources.jar} beside it. */
    static Path with(Path folder, String className, String source) throws IOException {
        String path = className.replace('.', '/');
        Path java = folder.resolve(path + ".java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, source);
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-g", "-d", folder.toString(),
                java.toString());
        if (status != 0) {
            throw new IllegalArgumentException("it does not compile: " + source);
        }
        pack(folder.resolve("library-sources.jar"), path + ".java", java);
        return pack(folder.resolve("library.jar"), path + ".class", folder.resolve(path + ".class"));
    }

    private static Path pack(Path jar, String name, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar); JarOutputStream entries = new JarOutputStream(out)) {
            entries.putNextEntry(new JarEntry(name));
            Files.copy(file, entries);
        }
        return jar;
    }
}

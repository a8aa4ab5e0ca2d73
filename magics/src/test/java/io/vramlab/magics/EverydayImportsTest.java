package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EverydayImportsTest {

    /** What JShell imports by default, and java.lang. */
    private static final List<String> JDK = List.of("java.lang", "java.io", "java.math", "java.net", "java.nio.file",
            "java.util", "java.util.concurrent", "java.util.function", "java.util.prefs", "java.util.regex",
            "java.util.stream");

    private static Optional<Class<?>> find(String name) {
        try {
            return Optional.of(Class.forName(name, false, EverydayImportsTest.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    private static List<String> clashes(String simpleName) {
        return JDK.stream().map(p -> p + "." + simpleName)
                .filter(n -> find(n).filter(c -> Modifier.isPublic(c.getModifiers())).isPresent()).toList();
    }

    @Test
    void everyClassIsThere() {
        EverydayImports.CLASSES.forEach(name -> assertTrue(find(name).isPresent(), name));
    }

    @Test
    void noNameIsAlsoOneOfTheJdks() {
        for (String name : EverydayImports.CLASSES) {
            String simple = name.substring(name.lastIndexOf('.') + 1);
            // a module of layers is meant far more often than one of the JDK's
            assertEquals(simple.equals("Module") ? List.of("java.lang.Module") : List.of(), clashes(simple), name);
        }
    }

    @Test
    void noNameOfAWholePackageIsAlsoOneOfTheJdksUnlessItIsImportedByItself() throws Exception {
        for (String whole : EverydayImports.PACKAGES) {
            List<String> names = publicNames(whole);
            assertTrue(!names.isEmpty(), whole);
            for (String simple : names) {
                if (!EverydayImports.CLASSES.contains(whole + "." + simple)) {
                    assertEquals(List.of(), clashes(simple), whole + "." + simple);
                }
            }
        }
    }

    private static List<String> publicNames(String packageName) throws IOException, URISyntaxException {
        String folder = packageName.replace('.', '/');
        List<String> names = new ArrayList<>();
        for (URL found : Collections.list(EverydayImportsTest.class.getClassLoader().getResources(folder))) {
            names.addAll(publicNames(packageName, folder, found.toURI()));
        }
        return names;
    }

    private static List<String> publicNames(String packageName, String folder, URI classes) throws IOException {
        // a folder while the modules are only compiled, a jar once they are packaged
        if (!classes.getScheme().equals("jar")) {
            return publicNames(packageName, Path.of(classes));
        }
        try (FileSystem jar = FileSystems.newFileSystem(classes, Map.of())) {
            return publicNames(packageName, jar.getPath(folder));
        }
    }

    private static List<String> publicNames(String packageName, Path classes) throws IOException {
        try (Stream<Path> files = Files.list(classes)) {
            return files.map(f -> f.getFileName().toString()).filter(f -> f.endsWith(".class") && !f.contains("$"))
                    .map(f -> f.replace(".class", "")).filter(f -> !f.equals("package-info"))
                    .filter(f -> Modifier
                            .isPublic(find(packageName + "." + f).orElseThrow().getModifiers()))
                    .toList();
        }
    }
}

package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** What {@code install/dist} needs of the poms, which takes minutes to find out by running it. */
class PomsTest {

    private static boolean hasCode(Path module) throws IOException {
        Path sources = module.resolve("src/main/java");
        if (!Files.isDirectory(sources)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.anyMatch(each -> each.toString().endsWith(".java") && !each.endsWith("package-info.java"));
        }
    }

    @Test
    void aModuleWithoutCodeHasNoJavadocMade() throws IOException {
        List<String> wrong = new ArrayList<>();
        int without = 0;
        for (Path module : Checkout.modules()) {
            String pom = Files.readString(module.resolve("pom.xml"));
            if (pom.contains("<packaging>pom</packaging>") || hasCode(module)) {
                continue;
            }
            without++;
            if (!pom.contains("<maven.javadoc.skip>true</maven.javadoc.skip>")) {
                wrong.add(Checkout.root().relativize(module).toString());
            }
        }
        assertEquals(List.of(), wrong, "javadoc ends the build of dist/maven where it finds nothing to document");
        assertTrue(without > 0, "vramlab-runtime is one");
    }
}

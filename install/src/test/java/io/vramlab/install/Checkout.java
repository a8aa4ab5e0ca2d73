package io.vramlab.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The checkout that the tests run in. */
final class Checkout {

    private Checkout() {
    }

    /** Its root: the folder above the tests' working directory that holds the Maven wrapper. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** One of its files. */
    static Path file(String path) {
        return root().resolve(path);
    }

    /** The folders that have a pom: the root's own first, then the modules and theirs. */
    static List<Path> modules() throws IOException {
        try (Stream<Path> found = Files.find(root(), 3, (path, is) -> path.endsWith("pom.xml"))) {
            return found.map(Path::getParent).filter(each -> !root().relativize(each).toString().contains("target"))
                    .sorted().toList();
        }
    }

    /** The text of one of its files. */
    static String text(String path) {
        try {
            return Files.readString(file(path));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

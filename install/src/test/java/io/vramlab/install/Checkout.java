package io.vramlab.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

    /** The text of one of its files. */
    static String text(String path) {
        try {
            return Files.readString(file(path));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

package io.vramlab.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/**
 * {@code vramlab.jar} and the jars that its manifest names beside it.
 *
 * @param folder the folder that holds {@code vramlab.jar}
 */
record Distribution(Path folder) {

    private static final String JAR = "vramlab.jar";
    private static final String SOURCES = "-sources.jar";
    private static final String COMPILER_DIRECTIVES = "compiler-directives.json";

    /**
     * The distribution that this command runs from.
     *
     * @throws CommandFailure when it runs from classes and not from the jar
     */
    static Distribution running() {
        try {
            URI here = Distribution.class.getProtectionDomain().getCodeSource().getLocation().toURI();
            Path jar = Path.of(here);
            if (!jar.endsWith(JAR)) {
                throw new CommandFailure("The running " + JAR + " is needed.", "This command runs from " + jar + ".",
                        "Run it through install/vramlab, which builds the jar first.");
            }
            return new Distribution(jar.getParent());
        } catch (URISyntaxException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** The jar to start. */
    Path jar() {
        return folder.resolve(JAR);
    }

    /** What the JVM's compilers shall leave alone; only a copied distribution has it. */
    Path compilerDirectives() {
        return folder.resolve(COMPILER_DIRECTIVES);
    }

    /** The jar, every jar that its manifest's class path names, in order, and jars of their sources, relative to the folder. */
    List<Path> files() {
        try (JarFile jar = new JarFile(jar().toFile())) {
            List<Path> files = new ArrayList<>(List.of(Path.of(JAR)));
            for (String entry : jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH).split(" ")) {
                files.add(Path.of(entry));
            }
            files.stream()
                    .map(each -> each.resolveSibling(each.getFileName().toString().replaceFirst("\\.jar$", SOURCES)))
                    .filter(each -> Files.isRegularFile(folder.resolve(each))).toList().forEach(files::add);
            return files;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Sixteen hexadecimal digits that change when any byte of any of the files does. */
    String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : files()) {
                digest.update(Files.readAllBytes(folder.resolve(file)));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Copies the distribution to a folder named by its hash, unless it is there already. The folder appears under its name only when it is
     * complete, so an interrupted copy is never taken for one.
     *
     * @param parent the folder that holds distributions
     * @return the copy
     */
    Distribution copyUnder(Path parent) throws IOException {
        Path target = parent.resolve(hash());
        if (folder.equals(target) || Files.isDirectory(target)) {
            return new Distribution(target);
        }
        Files.createDirectories(parent);
        Path partial = Files.createTempDirectory(parent, ".partial-");
        try {
            for (Path file : files()) {
                Path copy = partial.resolve(file);
                Files.createDirectories(copy.getParent());
                Files.copy(folder.resolve(file), copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
            try (InputStream directives = Distribution.class.getResourceAsStream(COMPILER_DIRECTIVES)) {
                Files.copy(directives, partial.resolve(COMPILER_DIRECTIVES));
            }
            Permissions.ownerChanges(partial);
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Folders.delete(partial);
        }
        return new Distribution(target);
    }
}

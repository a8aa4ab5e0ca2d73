package io.vramlab.install;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/**
 * {@code vramlab.jar} and the jars that its manifest names beside it.
 *
 * @param folder the folder that holds {@code vramlab.jar}
 */
record Installation(Path folder) {

    /** Channels that hold locks. */
    private static final List<FileChannel> HELD = new CopyOnWriteArrayList<>();
    private static final String JAR = "vramlab.jar";
    private static final String SOURCES = "-sources.jar";
    private static final String COMPILER_DIRECTIVES = "compiler-directives.json";
    /** How the names of copies begin that are not complete. */
    static final String PARTIAL = ".partial-";
    /** What install put into a copy. */
    private static final String INSTALLED = "installed.txt";
    /** Held by every kernel that runs from a copy. */
    private static final String IN_USE = "in-use";
    /** There when a copy was to be deleted while a kernel ran from it. */
    private static final String ABANDONED = "abandoned";

    /**
     * The distribution that this command runs from.
     *
     * @throws CommandFailure when it runs from classes and not from the jar
     */
    static Installation running() {
        try {
            URI here = Installation.class.getProtectionDomain().getCodeSource().getLocation().toURI();
            Path jar = Path.of(here);
            if (!jar.endsWith(JAR)) {
                throw new CommandFailure("The running " + JAR + " is needed.", "This command runs from " + jar + ".",
                        "Run it through install/vramlab, which builds the jar first.");
            }
            return new Installation(jar.getParent());
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
     * @param audience for whom
     * @return the copy
     */
    Installation copyUnder(Path parent, Audience audience) throws IOException {
        Path target = parent.resolve(hash());
        if (folder.equals(target) || Files.isDirectory(target)) {
            Files.deleteIfExists(target.resolve(ABANDONED));
            return new Installation(target);
        }
        Folders.create(parent, audience);
        Path partial = Files.createTempDirectory(parent, PARTIAL);
        try {
            List<Path> copied = new ArrayList<>(files());
            for (Path file : copied) {
                Path copy = partial.resolve(file);
                Files.createDirectories(copy.getParent());
                try (InputStream original = Files.newInputStream(folder.resolve(file))) {
                    Writing.write(copy, original);
                }
                // the start-up cache is of jars with this time
                Files.setLastModifiedTime(copy, Files.getLastModifiedTime(folder.resolve(file)));
            }
            try (InputStream directives = Installation.class.getResourceAsStream(COMPILER_DIRECTIVES)) {
                Writing.write(partial.resolve(COMPILER_DIRECTIVES), directives);
            }
            List.of(COMPILER_DIRECTIVES, IN_USE, INSTALLED).forEach(each -> copied.add(Path.of(each)));
            Writing.write(partial.resolve(IN_USE), InputStream.nullInputStream());
            Writing.write(partial.resolve(INSTALLED), new ByteArrayInputStream(
                    copied.stream().map(Path::toString).collect(Collectors.joining("\n", "", "\n"))
                            .getBytes(StandardCharsets.UTF_8)));
            Permissions.setAll(partial, Audience.ALL);
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Folders.delete(partial);
        }
        return new Installation(target);
    }

    /** Keeps the copy that this process runs from from being deleted as long as it runs; does nothing when that is no copy. */
    static void hold() {
        try {
            FileChannel file = FileChannel.open(running().folder().resolve(IN_USE), StandardOpenOption.READ);
            if (file.tryLock(0, Long.MAX_VALUE, true) != null) {
                HELD.add(file);
            }
        } catch (IOException | CommandFailure notInstalledOrNoLocksHere) {
            return; // then nothing keeps it
        }
    }

    /**
     * Deletes this copy, but only what install put there.
     *
     * @return false if it is left, marked, because a kernel runs from it
     */
    boolean delete() {
        try {
            if (inUse()) {
                Files.write(folder.resolve(ABANDONED), new byte[0]);
                return false;
            }
            List<Path> ours = new ArrayList<>(installed());
            ours.addAll(AotCache.in(folder));
            ours.add(Path.of(ABANDONED));
            Folders.delete(folder, ours);
            return true;
        } catch (NoSuchFileException gone) {
            return true;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Whether it was to be deleted already. */
    boolean abandoned() {
        return Files.exists(folder.resolve(ABANDONED));
    }

    private List<Path> installed() throws IOException {
        Path list = folder.resolve(INSTALLED);
        if (Files.exists(list)) {
            return Files.readAllLines(list).stream().map(Path::of).toList();
        }
        List<Path> files = new ArrayList<>(files());
        files.add(Path.of(COMPILER_DIRECTIVES));
        return files;
    }

    private boolean inUse() {
        try (FileChannel file = FileChannel.open(folder.resolve(IN_USE), StandardOpenOption.WRITE);
                FileLock alone = file.tryLock()) {
            return alone == null;
        } catch (IOException notKnown) {
            return false;
        }
    }
}

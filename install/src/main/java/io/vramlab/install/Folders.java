package io.vramlab.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/** Whole folders. */
final class Folders {

    private Folders() {
    }

    /** Makes a folder and those above it that are not there, which only their owner may change. Others keep what may be done with them. */
    static void create(Path folder, Audience audience) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path each = folder; each != null && !Files.isDirectory(each); each = each.getParent()) {
            missing.push(each);
        }
        for (Path each : missing) {
            try {
                Files.createDirectory(each);
                Permissions.set(each, audience);
            } catch (FileAlreadyExistsException meanwhile) {
                if (!Files.isDirectory(each)) {
                    throw new NotDirectoryException(each.toString());
                }
            }
        }
    }

    /** Deletes a folder and all in it; does nothing when there is none. */
    static void delete(Path folder) {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> inside = Files.walk(folder)) {
            List<Path> childrenFirst = inside.sorted(Comparator.reverseOrder()).toList();
            for (Path path : childrenFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Deletes these files in a folder, the folders that are then empty, and itself if it is; whatever else is in it stays. */
    static void delete(Path folder, Collection<Path> files) {
        try {
            for (Path file : files) {
                Path inside = folder.resolve(file).normalize();
                if (inside.startsWith(folder) && !inside.equals(folder)
                        && !Files.isDirectory(inside, LinkOption.NOFOLLOW_LINKS)) {
                    Files.deleteIfExists(inside);
                    for (Path above = inside.getParent(); !above.equals(folder); above = above.getParent()) {
                        deleteIfEmpty(above);
                    }
                }
            }
            deleteIfEmpty(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Deletes a folder unless something is in it. */
    static void deleteIfEmpty(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException stillUsed) {
            return; // someone else's files, such as the history of inputs
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The immediate subfolders, or none when the folder does not exist. */
    static List<Path> inside(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.filter(Files::isDirectory).sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

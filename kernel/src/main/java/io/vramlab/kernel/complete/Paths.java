package io.vramlab.kernel.complete;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Names of files and folders. */
final class Paths {

    private static final int MOST = 200;

    private Paths() {
    }

    /** Whether a text in quotes is meant as a path. */
    static boolean looksLikePath(String text) {
        return text.contains("/") && !text.contains("://");
    }

    /** The paths that begin with {@code word}, folders with a slash at their end; at most {@value #MOST}. */
    static List<String> startingWith(String word) {
        String folder = word.substring(0, word.lastIndexOf('/') + 1);
        String prefix = word.substring(folder.length());
        String real = folder.startsWith("~/") ? System.getProperty("user.home") + folder.substring(1) : folder;
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(real.isEmpty() ? "." : real))) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (name.startsWith(prefix) && (!name.startsWith(".") || prefix.startsWith("."))) {
                    found.add(folder + name + (Files.isDirectory(entry) ? "/" : ""));
                }
                if (found.size() == MOST) {
                    break;
                }
            }
        } catch (IOException | InvalidPathException e) {
            // what cannot be listed has nothing to offer
            return List.of();
        }
        found.sort(null);
        return found;
    }
}

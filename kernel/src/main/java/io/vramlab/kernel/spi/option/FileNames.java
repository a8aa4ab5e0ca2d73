package io.vramlab.kernel.spi.option;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Names of files and folders, for completion. */
public final class FileNames {

    private static final int MOST = 200;

    private FileNames() {
    }

    /** Whether a text in quotes is meant as a path. */
    public static boolean looksLikePath(String text) {
        return text.contains("/") && !text.contains("://");
    }

    /** The paths that begin with {@code word}, as Java reads them, folders with a slash at their end; at most {@value #MOST}. */
    public static List<String> startingWith(String word) {
        return startingWith(word, Path.of("."));
    }

    private static List<String> startingWith(String word, Path base) {
        String folder = word.substring(0, word.lastIndexOf('/') + 1);
        String prefix = word.substring(folder.length());
        String real = folder.startsWith("~/") ? System.getProperty("user.home") + folder.substring(1) : folder;
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(base.resolve(real.isEmpty() ? "." : real))) {
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

    /** The same as magics read them, for a word that may be an open quotation; names with blanks come quoted. */
    static List<String> completing(String word) {
        boolean quoted = word.startsWith("\"") || word.startsWith("'");
        String sign = quoted ? word.substring(0, 1) : "\"";
        return startingWith(quoted ? word.substring(1) : word, Folder.current()).stream()
                .map(each -> quoted || each.contains(" ") ? sign + each : each)
                .map(each -> each.startsWith(sign) && !each.endsWith("/") ? each + sign : each).toList();
    }
}

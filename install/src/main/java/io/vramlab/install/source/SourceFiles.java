package io.vramlab.install.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.vramlab.memory.Frame;

/**
 * Finds the files that a snapshot names. A snapshot is anybody's, so what it names is read only below the folders that are given; or,
 * where none is, below the current one, beside the snapshot, or at its own place, where it belongs to the snapshot's owner: regular
 * files of Python's of no more than 1 MiB, and no more than 64 of them.
 */
public final class SourceFiles {

    private static final int MOST_FILES = 64;
    private static final long MOST_BYTES = 1 << 20;
    private static final String SUFFIX = ".py";

    private final List<Path> roots = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();
    private final Map<String, PythonFile> found = new LinkedHashMap<>();

    private SourceFiles() {
    }

    /**
     * The program whose files a snapshot names. A file that is no longer the one that ran, as its functions tell, is not read.
     *
     * @param frames the user's frames; none where the history has no stacks, and then only files that are given are read
     * @param given folders and files; none for the current folder, the snapshot's own, and the places that the snapshot names
     * @param snapshot the snapshot's file
     */
    public static UserProgram find(Set<Frame> frames, List<Path> given, Path snapshot) {
        Set<String> names = frames.stream().map(Frame::file).collect(Collectors.toCollection(TreeSet::new));
        SourceFiles search = new SourceFiles();
        if (given.isEmpty()) {
            search.add(Path.of(""));
        } else {
            given.forEach(search::add);
        }
        names.stream().filter(name -> name.endsWith(SUFFIX)).limit(MOST_FILES).forEach(search::look);
        if (given.isEmpty()) {
            search.roots.clear();
            search.add(snapshot.toAbsolutePath().getParent());
            names.stream().filter(name -> name.endsWith(SUFFIX)).limit(MOST_FILES).forEach(name -> search.read(name,
                    search.roots.stream().flatMap(root -> below(root, last(name)).stream()).toList()));
            search.roots.clear();
            names.stream().filter(name -> name.endsWith(SUFFIX)).limit(MOST_FILES)
                    .forEach(name -> search.lookAtItsPlace(name, snapshot));
        }
        if (names.isEmpty()) {
            search.files.forEach(file -> search.read(file.getFileName().toString(), List.of(file)));
        }
        return UserProgram.of(search.found, frames);
    }

    private void add(Path place) {
        try {
            Path real = place.toRealPath();
            (Files.isDirectory(real) ? roots : files).add(real);
        } catch (IOException absent) {
            // a folder that is not there has no files
        }
    }

    /** By its whole name, by ever fewer of its folders below each root, or as a file that is given. */
    private void look(String name) {
        List<Path> candidates = new ArrayList<>();
        String[] parts = name.split("[/\\\\]");
        for (Path root : roots) {
            candidates.addAll(below(root, name));
            for (int from = 0; from < parts.length; from++) {
                candidates.addAll(below(root, String.join("/", List.of(parts).subList(from, parts.length))));
            }
        }
        files.stream().filter(file -> file.getFileName().toString().equals(last(name))).forEach(candidates::add);
        read(name, candidates);
    }

    /** By its whole name, where the snapshot was recorded on this machine by who owns both. */
    private void lookAtItsPlace(String name, Path snapshot) {
        for (Path place : below(Path.of(""), name)) {
            try {
                if (place.isAbsolute()
                        && Files.getOwner(place.toRealPath()).equals(Files.getOwner(snapshot.toRealPath()))) {
                    files.add(place.toRealPath());
                    read(name, List.of(place));
                }
            } catch (IOException | UnsupportedOperationException unknown) {
                // a file that is not there, or whose owner nobody tells, is not read
            }
        }
    }

    /** Nothing where the name can be none of a file. */
    private static List<Path> below(Path root, String name) {
        try {
            return List.of(root.resolve(name));
        } catch (InvalidPathException noName) {
            return List.of();
        }
    }

    private static String last(String name) {
        return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    }

    private void read(String name, List<Path> candidates) {
        for (Path candidate : candidates) {
            if (found.size() < MOST_FILES && !found.containsKey(name) && isAllowed(candidate)) {
                try {
                    found.put(name,
                            PythonFile.of(new String(Files.readAllBytes(candidate.toRealPath()), StandardCharsets.UTF_8)
                                    .lines().toList()));
                } catch (IOException unreadable) {
                    // a file that cannot be read is as one that is not there
                }
            }
        }
    }

    /** After all links it is a file of Python's that stands where files may be read. */
    private boolean isAllowed(Path candidate) {
        try {
            Path real = candidate.toRealPath();
            return real.getFileName().toString().endsWith(SUFFIX)
                    && Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(real) <= MOST_BYTES
                    && (files.contains(real) || roots.stream().anyMatch(real::startsWith));
        } catch (IOException absent) {
            return false;
        }
    }
}

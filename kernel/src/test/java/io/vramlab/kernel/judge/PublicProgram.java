package io.vramlab.kernel.judge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A program that somebody else wrote, as a file with a {@code main} or as a class with its tests.
 *
 * @param name
 *            the path of its file in its collection
 * @param sources
 *            the file, and that of its tests if it has no {@code main}; without their packages
 * @param call
 *            what runs it
 */
record PublicProgram(String name, List<String> sources, List<String> classes, String call) {

    private static final Pattern FOREIGN = Pattern
            .compile("(?m)^import (?:static )?+(?!java\\.|org\\.junit\\.jupiter\\.)");
    private static final Pattern OWN = Pattern.compile("(?m)^import com\\.thealgorithms\\.[\\w.]+;\\R");

    /** The program of a file; empty if it needs more than the JDK and its own file, or has nothing to run. */
    static Optional<PublicProgram> of(Path main, Path tests, Path file) throws IOException {
        String name = file.getFileName().toString().replace(".java", "");
        String source = stripped(file);
        String path = main.relativize(file).toString();
        if (FOREIGN.matcher(source).find()
                || Pattern.compile("System\\.in\\b|javax\\.|java\\.awt").matcher(source).find()) {
            return Optional.empty();
        }
        if (source.contains("static void main(String")) {
            return Optional.of(new PublicProgram(path, List.of(source), List.of(name), name + ".main(new String[0]);"));
        }
        Path test = tests.resolve(main.relativize(file)).resolveSibling(name + "Test.java");
        if (!Files.exists(test)) {
            return Optional.empty();
        }
        String text = OWN.matcher(stripped(test)).replaceAll("");
        return FOREIGN.matcher(text).find() || !text.contains("@Test") && !text.contains("@MethodSource")
                ? Optional.empty()
                : Optional.of(new PublicProgram(path, List.of(source, text), List.of(name, name + "Test"),
                        "io.vramlab.kernel.judge.TestDriver.run(" + name + "Test.class);"));
    }

    private static String stripped(Path file) throws IOException {
        // on the same lines as before
        return Files.readString(file).replaceFirst("(?m)^package [\\w.]+;", "");
    }
}

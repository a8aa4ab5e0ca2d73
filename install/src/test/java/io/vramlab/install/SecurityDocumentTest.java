package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** What SECURITY.md promises is held by tests that exist. */
class SecurityDocumentTest {

    private static final Pattern HELD_BY = Pattern.compile("`([A-Z]\\w+(?:Test|IT))(?:\\.(\\w+))?`");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (?!promise)([^|-][^|]*) \\| (.*) \\|$");

    private static Map<String, String> testClasses() throws IOException {
        Map<String, String> found = new HashMap<>();
        for (Path module : Checkout.modules()) {
            Path tests = module.resolve("src/test/java");
            if (!Files.exists(tests)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(tests)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    found.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
                }
            }
        }
        return found;
    }

    @Test
    void everyPromiseNamesItsTestsAndTheyExist() throws IOException {
        Map<String, String> classes = testClasses();
        List<String> missing = new ArrayList<>();
        int promises = 0;
        for (MatchResult row : ROW.matcher(Checkout.text("SECURITY.md")).results().toList()) {
            promises++;
            List<MatchResult> tests = HELD_BY.matcher(row.group(2)).results().toList();
            if (tests.isEmpty()) {
                missing.add("no test: " + row.group(1));
            }
            for (MatchResult test : tests) {
                String text = classes.getOrDefault(test.group(1), "");
                boolean there = test.group(2) == null
                        ? !text.isEmpty()
                        : Pattern
                                .compile("(?s)@(?:Test|ParameterizedTest)\\b(?:(?!\\bvoid ).)*+\\bvoid " + test.group(2)
                                        + "\\(")
                                .matcher(text).find();
                if (!there) {
                    missing.add(test.group());
                }
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(promises > 10, promises + " promises");
    }
}

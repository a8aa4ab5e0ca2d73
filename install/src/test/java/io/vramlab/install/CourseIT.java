package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import io.vramlab.install.notebook.KernelProcess;
import io.vramlab.install.notebook.Output;

/**
 * The course's exercises, in the packaged kernel: left empty each check tells what is missing; with the solution that the
 * lesson gives each passes. An exercise is a text with the solution folded away, the method to write, and its check; what is
 * predicted has the run between them.
 */
class CourseIT {

    private static final Duration CELL = Duration.ofSeconds(60);
    private static final Pattern SOLUTION = Pattern.compile("<details>.*?```java\n(.*?)```.*?</details>",
            Pattern.DOTALL);
    private static final int FEWEST_EXERCISES = 2;

    private record Cell(boolean code, String source) {
    }

    @Test
    void thereAreThirteenLessons() throws IOException {
        assertEquals(13, lessons().size());
    }

    @TestFactory
    Stream<DynamicTest> everySolutionPassesAndEveryEmptyAnswerIsToldWhatIsMissing() throws IOException {
        return lessons().stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> workThrough(file)));
    }

    private static void workThrough(Path lesson) throws IOException {
        List<Cell> cells = cells(lesson);
        int exercises = 0;
        try (KernelProcess kernel = KernelProcess.start(Installed.kernel(), lesson.getParent())) {
            String right = null;
            String empty = null;
            for (Cell cell : cells) {
                Matcher solution = SOLUTION.matcher(cell.source());
                if (!cell.code() && solution.find()) {
                    assertNull(right, "an exercise without a check before: " + cell.source());
                    right = solution.group(1);
                } else if (cell.code() && right != null && empty == null) {
                    empty = cell.source();
                    assertTrue(empty.contains("// your answer"), empty);
                    kernel.execute(empty, CELL);
                } else if (cell.code() && right != null && cell.source().contains("Exercise.check(")) {
                    assertToldWhatIsMissing(kernel, empty, cell.source());
                    assertPasses(kernel, right, cell.source());
                    exercises++;
                    right = null;
                    empty = null;
                } else if (cell.code()) {
                    kernel.execute(cell.source(), CELL);
                }
            }
            assertNull(right, "an exercise without a check");
        }
        assertTrue(exercises >= FEWEST_EXERCISES, exercises + " exercises");
    }

    private static void assertToldWhatIsMissing(KernelProcess kernel, String empty, String check) {
        String told = run(kernel, empty) + run(kernel, check);
        assertTrue(told.contains("✗") && told.contains("Expected: ") && told.contains("Yours: ")
                && told.contains("Hint: "), told);
    }

    private static void assertPasses(KernelProcess kernel, String solution, String check) {
        String told = run(kernel, solution) + run(kernel, check);
        assertTrue(told.contains("✓") && !told.contains("✗"), told);
    }

    private static String run(KernelProcess kernel, String source) {
        List<Output> outputs = kernel.execute(source, CELL);
        assertFalse(outputs.stream().anyMatch(Output::isError), outputs::toString);
        return outputs.stream().map(Output::text).collect(Collectors.joining("\n"));
    }

    private static List<Cell> cells(Path file) throws IOException {
        List<Cell> cells = new ArrayList<>();
        JsonObject root = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
        for (JsonElement element : root.getAsJsonArray("cells")) {
            JsonObject cell = element.getAsJsonObject();
            String source = cell.getAsJsonArray("source").asList().stream().map(JsonElement::getAsString)
                    .collect(Collectors.joining());
            cells.add(new Cell(cell.get("cell_type").getAsString().equals("code"), source));
        }
        return cells;
    }

    private static List<Path> lessons() throws IOException {
        try (Stream<Path> files = Files.list(Checkout.file("notebooks/course"))) {
            return files.filter(file -> file.toString().endsWith(".ipynb")).sorted().toList();
        }
    }
}

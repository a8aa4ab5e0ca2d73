package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import picocli.CommandLine;

class CourseCommandTest {

    @TempDir
    private Path folder;

    private final StringWriter said = new StringWriter();

    private int run(String kind, Path target) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(said));
        line.setErr(new PrintWriter(said));
        return line.execute("course", kind, target.toString());
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).map(root::relativize).sorted().toList();
        }
    }

    @Test
    void theTeachersCourseIsTheCheckouts() throws IOException {
        assertEquals(Main.OK, run("--teacher", folder.resolve("t")), said::toString);
        Path here = Checkout.file("notebooks/course");
        assertEquals(files(here), files(folder.resolve("t")));
        assertTrue(said.toString().endsWith(
                "These files are in " + folder.resolve("t") + ", with solutions; begin with README.md.\n"),
                said::toString);
        for (Path file : files(here)) {
            assertEquals(-1, Files.mismatch(here.resolve(file), folder.resolve("t").resolve(file)), file::toString);
        }
    }

    @Test
    void theStudentsLessonsHaveNoSolutionsAndNoOutputsAndEveryExercise() throws IOException {
        assertEquals(Main.OK, run("--student", folder.resolve("s")), said::toString);
        List<Path> lessons = files(folder.resolve("s")).stream().filter(file -> file.toString().endsWith(".ipynb"))
                .toList();
        assertEquals(13, lessons.size());
        for (Path lesson : lessons) {
            String text = Files.readString(folder.resolve("s").resolve(lesson));
            assertFalse(text.contains("<details>") || text.contains("A solution"), lesson::toString);
            int answers = 0;
            int graded = 0;
            int checks = 0;
            int points = 0;
            for (JsonElement each : JsonParser.parseString(text).getAsJsonObject().getAsJsonArray("cells")) {
                JsonObject cell = each.getAsJsonObject();
                String source = cell.get("source").toString();
                JsonObject grader = cell.getAsJsonObject("metadata").getAsJsonObject("nbgrader");
                assertEquals(source.contains("// your answer"), grader != null && grader.get("solution").getAsBoolean(),
                        source);
                assertEquals(source.contains("Exercise.check("), grader != null && grader.get("grade").getAsBoolean(),
                        source);
                answers += source.contains("// your answer") ? 1 : 0;
                int worth = grader != null && grader.get("grade").getAsBoolean() ? grader.get("points").getAsInt() : -1;
                checks += worth >= 0 ? 1 : 0;
                graded += worth > 0 ? 1 : 0;
                points += Math.max(worth, 0);
                assertTrue(!cell.has("outputs") || cell.getAsJsonArray("outputs").isEmpty(), source);
            }
            assertEquals(answers, checks, lesson::toString);
            assertEquals(2, graded, lesson::toString);
            assertEquals(4, points, lesson::toString);
            // a guess before anything runs: without points, or the first exercise
            assertTrue(answers == 3 && text.contains("## First predict") || text.contains("## Exercise: predict"),
                    lesson::toString);
        }
    }

    @Test
    void whatSomebodyMayHaveWorkedInIsNotReplaced() throws IOException {
        Path target = Files.createDirectories(folder.resolve("s"));
        Files.writeString(target.resolve("2-caching.ipynb"), "mine");
        assertEquals(Main.FAILED, run("--student", target));
        assertTrue(said.toString().contains("is there already"), said::toString);
        assertEquals(List.of(Path.of("2-caching.ipynb")), files(target));
        assertEquals("mine", Files.readString(target.resolve("2-caching.ipynb")));
    }
}

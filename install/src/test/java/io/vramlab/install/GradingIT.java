package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/** nbgrader on the course, as a teacher would: {@code grading.py} tells what is handed in. */
@Tag("long")
class GradingIT {

    @Test
    void rightAnswersGetFullMarksAndAWrongOneInEachLessonDoesNot(@TempDir Path folder)
            throws IOException, InterruptedException {
        Optional<String> python = Commands.toolsPython();
        assumeTrue(python.isPresent(), "nbgrader cannot be had");
        Path student = folder.resolve("student");
        Path teacher = folder.resolve("teacher");
        Commands.vramlab("course", "--student", student.toString()).ok();
        Commands.vramlab("course", "--teacher", teacher.toString()).ok();
        Commands.vramlab("install", "--no-aot", "--prefix", folder.resolve("there").toString()).ok();
        Commands.Ran ran = Commands.run(
                Map.of("JUPYTER_PATH", folder.resolve("there/share/jupyter").toString(), "VRAMLAB_HISTORY", "off"),
                List.of(python.get(), Checkout.file("install/src/test/python/grading.py").toString(),
                        student.toString(), teacher.toString(), folder.resolve("work").toString()))
                .ok();
        JsonObject scores = JsonParser.parseString(ran.out()).getAsJsonObject();
        assertEquals(13, scores.size(), ran.out());
        for (String lesson : scores.keySet()) {
            // two exercises of two points each
            assertEquals(score(4), scores.getAsJsonObject(lesson).get("right"), lesson);
            assertEquals(score(2), scores.getAsJsonObject(lesson).get("wrong"), lesson);
        }
    }

    private static JsonArray score(double points) {
        JsonArray score = new JsonArray();
        score.add(points);
        score.add(4.0);
        return score;
    }
}

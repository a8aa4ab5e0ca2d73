package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.kernel.PackagedKernel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code papermill_java.py}: parameters as Java. */
class PapermillIT {

    /** A value as JSON, and what must hold of {@code v} in Java. */
    private static final Map<String, String> VALUES = Map.ofEntries(Map.entry("null", "v == null"),
            Map.entry("true", "v"), Map.entry("7", "Integer.valueOf(7).equals(v)"),
            Map.entry("-2147483648", "Integer.valueOf(Integer.MIN_VALUE).equals(v)"),
            // one more than an int holds
            Map.entry("2147483648", "Long.valueOf(2147483648L).equals(v)"),
            Map.entry("-9223372036854775808", "Long.valueOf(Long.MIN_VALUE).equals(v)"),
            // one more than a long holds
            Map.entry("9223372036854775808", "v.equals(BigInteger.ONE.shiftLeft(63))"),
            Map.entry("1.0", "Double.valueOf(1).equals(v)"), Map.entry("1e-320", "Double.valueOf(1e-320).equals(v)"),
            Map.entry("\"NaN\"", "Double.isNaN(v)"), Map.entry("\"-Infinity\"", "v == Double.NEGATIVE_INFINITY"),
            Map.entry("\"a \\\"b\\\" \\\\u0041\\n\\u2028 %n \\ud83d\\ude00\"",
                    "v.equals(\"a \\\"b\\\" \\\\\" + \"u0041\\n\" + (char) 0x2028 + \" %n \" + Character.toString(0x1F600))"),
            Map.entry("[]", "v.isEmpty()"),
            Map.entry("[1, [true, \"x\"]]", "v.equals(List.of(1, List.of(true, \"x\")))"),
            Map.entry("[null]", "v.size() == 1 && v.get(0) == null"),
            Map.entry("{\"a\": {\"b\": 2.5}}", "v.get(\"a\").get(\"b\") == 2.5"),
            Map.entry("{\"a\": null, \"b\": 1}",
                    "v.containsKey(\"a\") && v.get(\"a\") == null && v.get(\"b\").equals(1)"));

    private static final String NOTEBOOK = """
            {"cells": [
              {"cell_type": "code", "execution_count": null, "id": "a", "metadata": {"tags": ["parameters"]}, "outputs": [],
               "source": "int n = 1; // how many\\nString name = null;"},
              {"cell_type": "code", "execution_count": null, "id": "b", "metadata": {}, "outputs": [],
               "source": "name + \\" \\" + n * 6"}],
             "metadata": {"kernelspec": {"display_name": "J", "language": "java", "name": "papermill-it"}},
             "nbformat": 4, "nbformat_minor": 5}
            """;

    @TempDir
    private Path folder;

    @Test
    void everyKindOfValueBecomesJavaThatMeansTheSame() throws Exception {
        Path values = Files.writeString(folder.resolve("values.json"), "[" + String.join(",", VALUES.keySet()) + "]");
        Commands.Ran ran = Commands.run(Map.of(), List.of("sh", "-c", "exec \"$0\" \"$1\" \"$2\" < \"$3\"",
                Commands.jupyterPython(), Checkout.file("install/src/test/python/translate.py").toString(),
                Checkout.file("install/papermill_java.py").toString(), values.toString())).ok();
        List<String> assignments = JsonParser.parseString(ran.out()).getAsJsonArray().asList().stream()
                .map(JsonElement::getAsString).toList();
        try (PackagedKernel kernel = new PackagedKernel(Installed.kernelAlone(), folder)) {
            int i = 0;
            for (String condition : VALUES.values()) {
                String assignment = assignments.get(i++);
                kernel.ok(assignment);
                kernel.ok("if (!(%s)) throw new IllegalStateException(\"it is \" + v);".formatted(condition));
            }
        }
    }

    @Test
    void aNotebookRunsWithTheParametersOfTheCommandLine() throws Exception {
        Optional<String> python = Commands.suitesPython();
        assumeTrue(python.isPresent(), "there is no papermill, and PyPI has none to give");
        Commands.vramlab("install", "--no-aot", "--name", "papermill-it", "--prefix", folder.toString()).ok();
        Path in = Files.writeString(folder.resolve("in.ipynb"), NOTEBOOK);
        Path out = folder.resolve("out.ipynb");
        Commands.Ran ran = Commands.run(environment(),
                List.of(python.get(), Checkout.file("install/papermill_java.py").toString(), in.toString(),
                        out.toString(), "-p", "n", "7", "-p", "name", "run \"one\"", "--no-progress-bar"))
                .ok();
        assertFalse(ran.err().contains("unknown parameter"), ran::err);
        Commands.Ran help = Commands.run(environment(), List.of(python.get(),
                Checkout.file("install/papermill_java.py").toString(), "--help-notebook", in.toString())).ok();
        assertTrue(help.out().matches("(?s).*n: int \\(default 1\\)\\s+how many.*name: String \\(default null\\).*"),
                help::out);
        JsonArray cells = JsonParser.parseString(Files.readString(out)).getAsJsonObject().getAsJsonArray("cells");
        assertEquals(3, cells.size(), cells::toString);
        String injected = source(cells.get(1));
        assertTrue(injected.contains("var n = 7;"), injected);
        assertTrue(injected.contains("var name = \"run \\\"one\\\"\";"), injected);
        JsonObject result = cells.get(2).getAsJsonObject().getAsJsonArray("outputs").get(0).getAsJsonObject();
        // 7 * 6
        assertEquals("run \"one\" 42", text(result.getAsJsonObject("data").get("text/plain")));
    }

    private Map<String, String> environment() {
        return Map.of("JUPYTER_PATH", folder.resolve("share/jupyter").toString(), "VRAMLAB_HISTORY", "off");
    }

    private static String source(JsonElement cell) {
        return text(cell.getAsJsonObject().get("source"));
    }

    private static String text(JsonElement lines) {
        if (lines.isJsonPrimitive()) {
            return lines.getAsString();
        }
        return String.join("", lines.getAsJsonArray().asList().stream().map(JsonElement::getAsString).toList());
    }
}

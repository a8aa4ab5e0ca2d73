package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Completion, inspection, wholeness and history, as frontends ask for them. */
class AssistanceTest {

    private static KernelUnderTest kernel;
    private static TestClient client;

    @BeforeAll
    static void start() throws Exception {
        kernel = new KernelUnderTest();
        client = kernel.client;
    }

    @AfterAll
    static void stop() throws Exception {
        kernel.close();
    }

    /** Asks with the cursor where the bar stands. */
    private static JsonObject ask(String type, String marked) {
        JsonObject content = new JsonObject();
        String code = marked.replace("|", "");
        content.addProperty("code", code);
        content.addProperty("cursor_pos", code.codePointCount(0, marked.indexOf('|')));
        return client.ask(client.shell, type, content).reply();
    }

    private static List<String> matches(JsonObject reply) {
        List<String> all = new ArrayList<>();
        reply.getAsJsonArray("matches").forEach(each -> all.add(each.getAsString()));
        return all;
    }

    @Test
    void membersAreCompletedWithTypes() {
        JsonObject reply = ask("complete_request", "System.out.pri|");
        assertTrue(matches(reply).contains("println("), reply.toString());
        JsonArray types = reply.getAsJsonObject("metadata").getAsJsonArray("_jupyter_types_experimental");
        assertEquals("function", types.get(0).getAsJsonObject().get("type").getAsString());
        assertEquals(11, reply.get("cursor_start").getAsInt());
        assertEquals(14, reply.get("cursor_end").getAsInt());
    }

    @Test
    void positionsAreCodePoints() {
        // 25 code points stand before "pri", two of them emoji that take two chars each
        JsonObject reply = ask("complete_request", "var s = \"😀😀\"; System.out.pri|");
        assertEquals(25, reply.get("cursor_start").getAsInt());
        assertEquals(28, reply.get("cursor_end").getAsInt());
        assertTrue(matches(reply).contains("println("));
    }

    @Test
    void variablesOfOtherCellsAndOfTheSameCellAreCompleted() {
        client.execute("int earlierVariable = 1;");
        assertEquals(List.of("earlierVariable"), matches(ask("complete_request", "1 + earlierV|")));
        assertEquals(List.of("laterVariable"),
                matches(ask("complete_request", "import java.io.*;\nint laterVariable = 2;\nlaterV|")));
    }

    @Test
    void magicsAndPathsAreCompleted(@TempDir Path folder) throws Exception {
        assertTrue(matches(ask("complete_request", "%lsm|")).contains("lsmagic"));
        Files.createFile(folder.resolve("weights.bin"));
        assertEquals(List.of(folder + "/weights.bin"),
                matches(ask("complete_request", "Path.of(\"" + folder + "/wei|")));
    }

    @Test
    void aCursorOutsideTheTextIsItsEnd() {
        JsonObject reply = client.ask("complete_request", "{\"code\":\"System.out.pri\",\"cursor_pos\":999}").reply();
        assertTrue(matches(reply).contains("println("));
        assertEquals("ok", client.ask("complete_request", "{\"code\":\"\",\"cursor_pos\":-5}").status());
    }

    @Test
    void aMethodIsInspectedWithItsDocumentation() {
        for (String marked : List.of("Math.ma|x(1, 2)", "Math.max|(1, 2)", "Math.max(|")) {
            JsonObject reply = ask("inspect_request", marked);
            assertTrue(reply.get("found").getAsBoolean(), marked);
            String text = reply.getAsJsonObject("data").get("text/plain").getAsString();
            assertTrue(text.contains("int Math.max(int a, int b)"), text);
            assertFalse(text.contains("{@code"), text);
        }
        assertFalse(ask("inspect_request", "nothingOfTheKind|").get("found").getAsBoolean());
    }

    @Test
    void aQuestionMarkAsksForThePager() {
        JsonObject page = client.execute("Math.max?").reply().getAsJsonArray("payload").get(0).getAsJsonObject();
        assertEquals("page", page.get("source").getAsString());
        assertTrue(page.getAsJsonObject("data").get("text/plain").getAsString().contains("int Math.max(int a, int b)"));
    }

    @Test
    void wholeIncompleteAndInvalidProgramsAreTold() {
        assertEquals("complete", wholeness("int z = 1;"));
        assertEquals("complete", wholeness("1 + 1"));
        assertEquals("incomplete", wholeness("for (int i = 0; i < 3; i++) {"));
        assertEquals("invalid", wholeness("int 3x = ;"));
        assertEquals("complete", wholeness("%lsmagic"));
        JsonObject reply = ask("is_complete_request", "if (true) {\n    while (false) {|");
        assertEquals("        ", reply.get("indent").getAsString());
    }

    private static String wholeness(String code) {
        return ask("is_complete_request", code + "|").get("status").getAsString();
    }

    @Test
    void historyIsGivenByTailRangeAndSearch() {
        client.execute("int historic = 1;");
        client.execute("historic + 1");
        JsonArray tail = history("{\"hist_access_type\":\"tail\",\"n\":2,\"raw\":true,\"output\":true}");
        assertEquals("int historic = 1;", tail.get(0).getAsJsonArray().get(2).getAsJsonArray().get(0).getAsString());
        assertEquals("2", tail.get(1).getAsJsonArray().get(2).getAsJsonArray().get(1).getAsString());
        JsonArray found = history("{\"hist_access_type\":\"search\",\"pattern\":\"*toric = ?;\",\"n\":9}");
        assertEquals("int historic = 1;", found.get(found.size() - 1).getAsJsonArray().get(2).getAsString());
        int line = found.get(found.size() - 1).getAsJsonArray().get(1).getAsInt();
        JsonArray range = history("{\"hist_access_type\":\"range\",\"session\":0,\"start\":%d,\"stop\":%d}"
                .formatted(line, line + 1));
        assertEquals(1, range.size());
    }

    private static JsonArray history(String request) {
        return client.ask("history_request", request).reply().getAsJsonArray("history");
    }

    @Test
    void aCommToNobodyIsClosedAndCommsAreListed() {
        String id = client.send(client.shell, "comm_open",
                TestClient.json("{\"comm_id\":\"c1\",\"target_name\":\"no.such.target\",\"data\":{}}"));
        TestClient.Message close = client.await(each -> each.type().equals("comm_close"));
        assertEquals(id, close.parentId());
        assertEquals("ok", client.ask("comm_info_request", "{}").status());
    }
}

package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.eval.Acceleration;
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
        assertEquals(List.of("lsmagic"), matches(ask("complete_request", "%lsm|")));
        Files.createFile(folder.resolve("weights.bin"));
        assertEquals(List.of(folder + "/weights.bin"),
                matches(ask("complete_request", "Path.of(\"" + folder + "/wei|")));
    }

    /** The cells that completion would leave, the bar being the cursor. */
    private static List<String> completed(String marked) {
        JsonObject reply = ask("complete_request", marked);
        String code = marked.replace("|", "");
        String before = code.substring(0, code.offsetByCodePoints(0, reply.get("cursor_start").getAsInt()));
        String after = code.substring(code.offsetByCodePoints(0, reply.get("cursor_end").getAsInt()));
        return matches(reply).stream().map(each -> before + each + after).toList();
    }

    @Test
    void magicsAreCompletedAnywhereInACell() {
        assertEquals(List.of("%history"), completed("%hi|"));
        assertEquals(List.of("%%time", "%%timeit"), completed("%%ti|"));
        assertEquals(List.of("%time", "%who"), List.of(completed("%ti|").getFirst(), completed("%wh|").getFirst()));
        assertEquals(List.of("var s = \"😀\";\n%history\nint after = 1;"),
                completed("var s = \"😀\";\n%hist|\nint after = 1;"));
        assertEquals(List.of("Object o = %history"), completed("Object o = %hist|"));
        assertEquals(List.of("%history x"), completed("%hist| x"));
        assertEquals(List.of(), completed("int r = 7 %lsm|"));
    }

    @Test
    void whatMayFollowAMagicIsCompleted(@TempDir Path folder) throws Exception {
        client.execute("int weightOne = 1, weightTwo = 2;");
        assertEquals(List.of("%reset weightOne", "%reset weightTwo"), completed("%reset weight|"));
        assertEquals(List.of("%reset weightOne weightTwo # 😀"), completed("%reset weightOne weightT| # 😀"));
        assertEquals(List.of("%history --help"), completed("%history --|"));
        assertEquals(List.of(), completed("%who |"));
        assertTrue(completed("%env PAT|").contains("%env PATH"));
        Files.createFile(folder.resolve("cells.jsh"));
        Files.createFile(folder.resolve("my 😀 cells.jsh"));
        assertEquals(List.of("%load " + folder + "/cells.jsh"), completed("%load " + folder + "/ce|"));
        assertEquals(List.of("%load \"" + folder + "/my 😀 cells.jsh\""), completed("%load \"" + folder + "/my 😀 c|"));
        assertEquals(List.of("%classpath a.jar " + folder + "/cells.jsh"),
                completed("%classpath a.jar " + folder + "/ce|"));
    }

    @Test
    void javaBehindAMagicIsCompletedAndInspectedAsJava() {
        assertTrue(completed("%time System.out.pri|").contains("%time System.out.println("));
        assertTrue(completed("int n = 0;\n%time Math.ab|(n)").contains("int n = 0;\n%time Math.abs((n)"));
        assertTrue(completed("%%time\nSystem.out.pri|").contains("%%time\nSystem.out.println("));
        assertTrue(shown("%time Math.ma|x(1, 2)", "text/plain").startsWith("int Math.max(int a, int b)"));
        assertTrue(shown("%ti|me Math.max(1, 2)", "text/plain").startsWith("%time CODE"));
        assertEquals(List.of("%time --help"), completed("%time --he|"));
    }

    @Test
    void aVariableThatAMagicGivesAValueDoesNotSpoilWhatFollows() {
        assertTrue(completed("Object all = %history\nSystem.out.pri|")
                .contains("Object all = %history\nSystem.out.println("));
        assertEquals("complete", wholeness("Object all = %history"));
        assertEquals("incomplete", wholeness("Object all = %history\nif (true) {"));
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

    /** What inspection shows, by MIME type. */
    private static String shown(String marked, String type) {
        JsonObject reply = ask("inspect_request", marked);
        assertTrue(reply.get("found").getAsBoolean(), marked);
        return reply.getAsJsonObject("data").get(type).getAsString();
    }

    @Test
    void parametersResultAndExceptionsAreListedUnderHeadings() {
        String plain = shown("\"a\".repeat|(2)", "text/plain");
        assertTrue(plain.startsWith("String String.repeat(int count)\n    Returns a string whose value is"), plain);
        assertTrue(plain.contains("\n    Parameters:\n    - count: number of times to repeat\n"), plain);
        assertTrue(plain.contains("\n    Throws:\n    - IllegalArgumentException: if the count is\n"), plain);
        assertFalse(plain.contains("@"), plain);
        assertFalse(plain.contains("<"), plain);
        String html = shown("\"a\".repeat|(2)", "text/html");
        assertTrue(html.startsWith("<p><code><b>String String.repeat(int count)</b></code></p><p>"), html);
        assertTrue(html.contains("<p><b>Parameters:</b></p><ul><li><code>count</code>: number of times"), html);
        assertTrue(html.contains("if the <code>count</code> is"), html);
    }

    @Test
    void everyOverloadIsShownWithItsOwnWords() {
        String plain = shown("String.valueOf(|", "text/plain");
        assertTrue(
                plain.contains("String String.valueOf(long l)\n    Returns the string representation of the long arg"),
                plain);
        assertTrue(plain.contains("String String.valueOf(int i)\n    Returns the string representation of the int arg"),
                plain);
        JsonObject request = TestClient.json("{\"code\":\"String.valueOf(\",\"cursor_pos\":15,\"detail_level\":1}");
        String all = client.ask(client.shell, "inspect_request", request).reply().getAsJsonObject("data")
                .get("text/plain").getAsString();
        assertTrue(all.length() > plain.length(), all);
    }

    @Test
    void whatACellDeclaredIsShownWithItsDocComment() {
        client.execute("""
                /**
                 * Doubles {@code n} < 2.
                 * @param n what is doubled
                 */
                int doubled(int n) { return 2 * n; }
                /** A net of one layer. */
                class DocNet {
                    /** How wide. */
                    int width;
                    /** Makes one. @param width of its layer */
                    DocNet(int width) { this.width = width; }
                    /** Goes forward through {@link #width} columns. */
                    <T> List<T> forward(java.util.List<T> in, int... more) { return in; }
                }
                /** The only one. */
                DocNet docNet = new DocNet(3);""");
        assertEquals("int doubled(int n)\n    Doubles n < 2.\n\n    Parameters:\n    - n: what is doubled",
                shown("doubled|(4)", "text/plain"));
        assertEquals("DocNet\n    A net of one layer.", shown("DocNet|", "text/plain"));
        assertEquals("docNet:DocNet\n    The only one.", shown("docNet|", "text/plain"));
        assertTrue(shown("docNet.forward(|", "text/plain").endsWith("\n    Goes forward through width columns."));
        assertTrue(shown("new DocNet(|", "text/plain").endsWith("\n    Makes one. @param width of its layer"));
        assertTrue(shown("docNet.width|", "text/plain").endsWith("\n    How wide."));
        assertTrue(shown("doubled|(4)", "text/html").contains("Doubles <code>n</code> &lt; 2."));
    }

    @Test
    void sourcesBesideAJarOfTheClassPathAreRead(@TempDir Path folder) throws Exception {
        assumeFalse(Acceleration.switchedOff(), "only the accelerator makes JShell do so");
        Path jar = LibraryJar.with(folder, "lib.Ship", """
                package lib;
                /** A ship. */
                public class Ship {
                    /** Sails. @return knots */
                    public int sail(int days) { return days; }
                }
                """);
        client.execute("%classpath " + jar);
        client.execute("lib.Ship ship = new lib.Ship();");
        assertEquals("int lib.Ship.sail(int days)\n    Sails. @return knots", shown("ship.sail|(1)", "text/plain"));
        assertEquals("lib.Ship\n    A ship.", shown("lib.Ship|", "text/plain"));
    }

    @Test
    void aMagicIsInspectedWithItsHelp() {
        assertTrue(shown("%classp|ath x.jar", "text/plain").startsWith("%classpath"));
        assertTrue(shown("%classp|ath x.jar", "text/html").startsWith("<pre>%classpath"));
    }

    @Test
    void aQuestionMarkAsksForThePager() {
        JsonObject page = client.execute("Math.max?").reply().getAsJsonArray("payload").get(0).getAsJsonObject();
        assertEquals("page", page.get("source").getAsString());
        assertTrue(page.getAsJsonObject("data").get("text/plain").getAsString().contains("int Math.max(int a, int b)"));
    }

    @Test
    void exitAndQuitAskTheFrontendToEndUnlessAVariableIsCalledSo() {
        for (String code : List.of("exit", " quit ", "/exit")) {
            JsonObject payload = client.execute(code).reply().getAsJsonArray("payload").get(0).getAsJsonObject();
            assertEquals("ask_exit", payload.get("source").getAsString());
            assertFalse(payload.get("keepkernel").getAsBoolean());
        }
        client.execute("int quit = 3;");
        assertEquals("3", client.execute("quit").value());
        client.execute("%reset quit");
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

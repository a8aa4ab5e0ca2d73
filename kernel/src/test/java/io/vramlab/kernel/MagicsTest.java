package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.vramlab.kernel.TestClient.Answer;
import io.vramlab.kernel.internal.magic.Magics;
import io.vramlab.kernel.spi.Magic;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's own magics, its renderers and its progress display, from cells. */
class MagicsTest {

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

    @Test
    void theMagicsAreListed() {
        String list = client.execute("%lsmagic").value();
        for (String name : List.of("%time", "%who", "%reset", "%history", "%classpath", "%maven", "%load", "%env",
                "%sh")) {
            assertTrue(list.contains(name), list);
        }
    }

    @Test
    void everyMagicTellsWhatItTakes() {
        for (Magic each : new Magics().all()) {
            String help = client.execute("%" + each.name() + " --help").stdout();
            assertTrue(
                    help.matches("%%?" + each.name() + "( .+)?\n  .+\n(\n.*)*\n  --help +shows this text\n(\n.+)*\n?"),
                    help);
            String page = client.execute("%" + each.name() + "?").reply().getAsJsonArray("payload").get(0)
                    .getAsJsonObject().getAsJsonObject("data").get("text/plain").getAsString();
            assertEquals(help, page);
        }
        assertEquals("""
                %load FILE
                  Runs a .jsh or .java file as part of the cell.

                  FILE    Java as it would stand in a cell; a package declaration at its top is left out
                  --help  shows this text
                """, client.execute("%load --help").stdout());
    }

    @Test
    void whatAMagicDoesNotTakeIsTold() {
        String told = client.execute("%who everything").traceback();
        assertTrue(told.contains("%who: \"everything\" was not expected. It takes --help only."), told);
        told = client.execute("%load").traceback();
        assertTrue(told.contains("%load: nothing was named. It needs FILE"), told);
        told = client.execute("%%sh\n").traceback();
        assertTrue(told.contains("%sh has nothing to run"), told);
    }

    @Test
    void anUnknownMagicNamesTheNearestOne() {
        Answer answer = client.execute("%whoo");
        assertEquals("UsageException", answer.reply().get("ename").getAsString());
        assertTrue(answer.traceback().contains("did you mean %who?"), answer.traceback());
        assertFalse(answer.traceback().contains("at io.vramlab"), answer.traceback());
        String cell = client.execute("%%writefil\nx").traceback();
        assertTrue(cell.contains("did you mean %%writefile?"), cell);
        String begun = client.execute("%write").traceback();
        assertTrue(begun.contains("did you mean %writefile?"), begun);
    }

    @Test
    void timeRunsJavaWithTheRightLinesAndGivesItsValue() {
        Answer answer = client.execute("%%time\nint timed = 20;\ntimed + 1");
        assertEquals("21", answer.value());
        assertTrue(answer.stdout().startsWith("Wall time: "));
        assertEquals("5", client.execute("%time 2 + 3").value());
        String text = client.execute("\n%%time\nint fine = 1;\nint broken = fine / 0;").traceback();
        assertTrue(text.contains("line 4"), text);
        assertTrue(text.contains("int broken = fine / 0;"), text);
    }

    @Test
    void aTimedCellIsInterrupted() {
        String id = client.sendCell("%%time\n{ System.out.println(1); while (true) { } }");
        client.await(each -> each.parentId().equals(id) && each.type().equals("stream"));
        client.send(client.control, "interrupt_request", new JsonObject());
        assertEquals("Interrupted", client.answer(id).reply().get("ename").getAsString());
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void magicIsAFunctionInJava() {
        client.execute("int here = 7;");
        assertEquals("true", client.execute("String listing = magic(\"who\"); listing.contains(\"here\")").value());
        assertEquals("true", client.execute("String assigned = %who\nassigned.contains(\"here\")").value());
        assertEquals("3", client.execute("int viaJava = magic(\"time\", \"1 + 2\"); viaJava").value());
    }

    /** What was shown before the cell's end, a text after the other. */
    private static String shown(Answer answer) {
        return answer.published("display_data").stream()
                .map(each -> each.content().getAsJsonObject("data").get("text/plain").getAsString() + "\n")
                .collect(Collectors.joining());
    }

    /** IPython prints what %who lists at once; a table that stood above other lines would be lost. */
    @Test
    void whatAMagicOnlyTellsIsShownWhereverItStands() {
        client.execute("int asked = 7;");
        Answer above = client.execute("%who\nasked + 1");
        assertEquals("8", above.value());
        assertTrue(shown(above).contains("asked"), above::toString);
        Answer inBraces = client.execute("for (int i = 0; i < 2; i++) {\n%history no cell has this\n%who\n}");
        assertEquals(2, shown(inBraces).lines().filter(each -> each.startsWith("asked ")).count(), inBraces::toString);
        assertTrue(shown(client.execute("%who\n// those were all")).contains("asked"));
    }

    @Test
    void theValueOfAMagicThatChangesSomethingIsShownAtTheEndAlone() {
        assertEquals("", shown(client.execute("%env SET_HERE=1\n%time 1 + 1\n3")));
        assertEquals("1\n", shown(client.execute("%env SET_HERE\n3")));
        Answer assigned = client.execute("String assignedAlone = %who\n4");
        assertEquals("", shown(assigned));
    }

    @Test
    void typesAreToldAsJShellTellsThem() {
        client.execute("import java.util.concurrent.atomic.*;");
        client.execute("""
                class Own { }
                var t1 = new AtomicLong();
                var t2 = java.util.zip.Deflater.DEFLATED == 8 ? new java.util.zip.CRC32() : null;
                var t3 = Map.of("a", new int[3]).entrySet();
                var t4 = List.of(new Own());
                Thread.State t5 = null;
                var t6 = new java.awt.Point();
                class AtomicInteger { }
                var t9 = new java.util.concurrent.atomic.AtomicInteger();
                java.lang.ref.WeakReference<java.util.List<java.lang.String>> t7 = null;""");
        String atOnce = typesOf(client.execute("%who").value());
        client.send(client.shell, "complete_request", TestClient.json("{\"code\":\"t1.\",\"cursor_pos\":3}"));
        assertEquals(typesOf(client.execute("%who").value()), atOnce);
        client.execute("int notYet(int n) { return new Later().k; }\nclass Later { int k; }");
        assertEquals(typesOf(client.execute("%who").value()), atOnce);
        client.execute("String t8 = \"now JShell knows all\";\nint unknown = nothing();");
        client.execute("%reset t8");
        assertEquals(typesOf(client.execute("%who").value()), atOnce);
        assertTrue(atOnce.contains("AtomicLong") && atOnce.contains("java.awt.Point"), atOnce);
        client.execute("%reset t1 t2 t3 t4 t5 t6 t7 t9");
    }

    private static String typesOf(String list) {
        return list.lines().filter(line -> line.matches("t\\d .*")).map(line -> line.split(" {2,}")[1])
                .collect(Collectors.joining("; "));
    }

    @Test
    void whoAndReset() {
        client.execute("String greeting = \"hello\";");
        String list = client.execute("%who").value();
        assertTrue(Pattern.compile("greeting +String +In \\[\\d+] +hello").matcher(list).find(), list);
        assertEquals("1 variable forgotten", client.execute("%reset greeting").value());
        assertEquals("error", client.execute("greeting").status());
        assertTrue(client.execute("%reset greeting").traceback().contains("there is no variable of that name"));
    }

    @Test
    void theHistoryOfTheSession() {
        client.execute("int unmistakable = 1;");
        assertTrue(client.execute("%history unmistak").value().contains("    int unmistakable = 1;"));
    }

    @Test
    void aJarOnTheClassPathIsSeenByCells(@TempDir Path folder) throws Exception {
        assertTrue(client.execute("%classpath /no/such.jar").traceback().contains("no such file"));
        Path source = Files.writeString(folder.resolve("Greeter.java"),
                "package added; public class Greeter { public static String greet() { return \"hi\"; } }");
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, new ByteArrayOutputStream(), null, "-d",
                folder.toString(), source.toString()));
        Path jar = folder.resolve("added.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("added/Greeter.class"));
            out.write(Files.readAllBytes(folder.resolve("added/Greeter.class")));
        }
        assertEquals("error", client.execute("added.Greeter.greet()").status());
        assertEquals("ok", client.execute("%classpath " + jar).status());
        assertEquals("hi", client.execute("added.Greeter.greet()").value());
        assertEquals(jar.toString(), client.execute("%classpath").value());
    }

    @Test
    void aFileIsLoaded(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("lib.jsh"), "int fromFile() { return 12; }\nfromFile() + 1");
        assertEquals("13", client.execute("%load " + file).value());
        assertEquals("12", client.execute("fromFile()").value());
    }

    @Test
    void theShellStreamsAndTellsItsStatus() {
        assertEquals("a\nb\n", client.execute("%%sh\necho a\necho b").stdout());
        client.execute("%env GREETING=ahoy there");
        assertEquals("ahoy there\n", client.execute("%sh echo $GREETING").stdout());
        assertTrue(client.execute("%sh exit 3").traceback().contains("status 3"));
        assertEquals("ahoy there", client.execute("%env GREETING").value());
    }

    @Test
    void wrongCoordinatesAreExplained() {
        assertTrue(client.execute("%maven guava").traceback().contains("GROUP:ARTIFACT:VERSION"));
        assertEquals("error", client.execute("%maven").status());
    }

    @Test
    void aMagicThatGivesNothingShowsNothing() {
        assertNull(client.execute("%env QUIET=1").value());
    }

    private static JsonObject shown(String code) {
        return client.execute(code).published("execute_result").getFirst().content().getAsJsonObject("data");
    }

    @Test
    void collectionsMapsAndPicturesAreShownRich() {
        assertTrue(shown("new TreeMap<>(Map.of(\"<k>\", 1))").get("text/html").getAsString().contains("&lt;k&gt;"));
        client.execute("record City(String name, int people) { }");
        JsonObject cities = shown("List.of(new City(\"Ulm\", 126), new City(\"Bonn\", 330))");
        assertTrue(cities.get("text/html").getAsString().contains("people"));
        assertEquals("[City[name=Ulm, people=126], City[name=Bonn, people=330]]",
                cities.get("text/plain").getAsString());
        assertTrue(shown("IntStream.range(0, 1000).boxed().toList()").get("text/plain").getAsString()
                .endsWith("… (1000 in all)]"));
        JsonObject picture = shown("new java.awt.image.BufferedImage(3, 2, java.awt.image.BufferedImage.TYPE_INT_RGB)");
        assertTrue(picture.get("image/png").getAsString().startsWith("iVBOR"));
        assertEquals("int[3] {1, 2, 3}", shown("new int[]{1, 2, 3}").get("text/plain").getAsString());
    }

    @Test
    void progressIsOneDisplayThatChanges() {
        Answer answer = client.execute("for (int i : Progress.over(List.of(1, 2, 3), \"work\")) { }");
        assertEquals(1, answer.published("display_data").size());
        String last = answer.published("update_display_data").getLast().content().getAsJsonObject("data")
                .get("text/plain").getAsString();
        assertTrue(last.startsWith("work: |██████████████████████████████| 3/3"), last);
    }

    @Test
    void aBackgroundThreadListsVariablesWhileCellsDeclareThem() {
        client.execute("""
                var failed = new java.util.concurrent.atomic.AtomicReference<Throwable>();
                var listed = new java.util.concurrent.atomic.AtomicInteger();
                var lister = new Thread(() -> {
                    try {
                        while (!Thread.currentThread().isInterrupted()) {
                            magic("who");
                            listed.incrementAndGet();
                        }
                    } catch (Throwable e) {
                        failed.set(e);
                    }
                });
                lister.start();""");
        for (int i = 0; i < 40; i++) {
            assertEquals("ok", client.execute("var fresh" + i + " = " + i + "; int again = " + i + ";").status());
        }
        client.execute("lister.interrupt(); lister.join();");
        assertEquals("null", client.execute("String.valueOf(failed.get())").value());
        assertEquals("true", client.execute("listed.get() > 0").value());
    }
}

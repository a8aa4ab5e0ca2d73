package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.vramlab.kernel.TestClient.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What those who come from IPython type, from cells. */
class ForgivingTest {

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
    void aShellCommandRunsWhereItStands() {
        assertEquals("1\nhi\n2\n", client.execute("System.out.println(1);\n!echo hi\nSystem.out.println(2);").stdout());
        assertEquals("x\nx\n", client.execute("for (int i = 0; i < 2; i++) {\n!echo x\n}").stdout());
        assertEquals("2", client.execute("listed = !echo a; echo b\nlisted.size()").value());
        assertEquals("1", client.execute("listed = !echo again\nlisted.size()").value());
        assertEquals("in time\n", client.execute("%%time\n!echo in time").stdout().replaceAll("Wall.*\n", ""));
    }

    @Test
    void aNegationIsJava() {
        client.execute("boolean over = true; int count = 3;");
        assertEquals("false", client.execute("!over").value());
        assertEquals("true", client.execute("!(count > 5)").value());
        assertEquals("true", client.execute("!List.of(1).isEmpty()").value());
        assertEquals("true", client.execute("boolean both = over &&\n!(count > 5);\nboth").value());
    }

    @Test
    void aQuestionOnALineOfALongerCellIsAnswered() {
        Answer answer = client.execute("int asked = 1;\nMath.max?");
        String shown = answer.published("display_data").getFirst().content().getAsJsonObject("data").get("text/plain")
                .getAsString();
        assertTrue(shown.startsWith("int Math.max(int a, int b)"), shown);
        assertTrue(page("?Math.max").startsWith("int Math.max(int a, int b)"));
        assertTrue(page("String.strip?").startsWith("String String.strip()"), page("String.strip?"));
        assertTrue(page("?").contains("Cells are Java"));
        assertEquals("nothing is known of nobodyKnows", page("?nobodyKnows"));
        assertTrue(client.execute("1 + 1;\nnobodyKnows?").traceback().contains("nothing is known of that name"));
    }

    @Test
    void arraysArePrintedByWhatIsInThem() {
        assertEquals("[2, 3]\n[[1], [2, 3]]\n[a, null]\nchars\nnull\n5",
                client.execute("System.out.println(new long[]{2, 3}); IO.println(new int[][]{{1}, {2, 3}});\n"
                        + "System.out.println(new String[]{\"a\", null}); System.out.println(\"chars\".toCharArray());\n"
                        + "System.out.println((Object) null); System.out.print(Integer.valueOf(5));").stdout());
    }

    @Test
    void aMemberOfAClassOfCellsIsLookedForInWhatItExtends() {
        client.execute("class Numbers extends ArrayList<Integer> { }\nvar own = new Numbers();");
        String told = client.execute("own.remove_if(n -> true)").traceback();
        assertTrue(told.contains("ArrayList has removeIf()"), told);
    }

    @Test
    void aClassThatWaitsIsNamedWithWhatItWaitsFor() {
        client.execute("class Waits { int n() { return thatWhichIsNotThere; } }");
        String told = client.execute("var waits = new Waits();").traceback();
        assertTrue(told.contains("variable thatWhichIsNotThere"), told);
        assertFalse(told.contains("import "), told);
    }

    @Test
    void whatFollowsFromAMistakeWithAHintIsNotTold() {
        // javac has eight complaints of this line, of which the first has a hint
        String told = client.execute("own = own if True else None").traceback();
        assertTrue(told.contains("Java writes true and false"), told);
        assertEquals(1, told.split("CompileError", -1).length - 1, told);
    }

    private static String page(String question) {
        return client.execute(question).reply().getAsJsonArray("payload").get(0).getAsJsonObject()
                .getAsJsonObject("data").get("text/plain").getAsString();
    }

    @Test
    void linesThatAreNoJavaAreWhole() {
        for (String line : List.of("!ls -l 'it", "?Math", "Math.max?", "files = !ls | wc", "!!ls")) {
            JsonObject asked = new JsonObject();
            asked.addProperty("code", line);
            assertEquals("complete", client.ask(client.shell, "is_complete_request", asked).reply().get("status")
                    .getAsString(), line);
        }
    }

    @Test
    void timeitTellsTheMeanAndKeepsWhatTheCodeChanged() {
        client.execute("int turns = 0;");
        String told = client.execute("%timeit -n 10 -r 3 turns++").stdout();
        assertTrue(
                told.matches("\\S+ [nµm]?s ± \\S+ [nµm]?s per loop \\(mean ± std. dev. of 3 runs, 10 loops each\\)\n"),
                told);
        // once to warm up, and three runs
        assertEquals("40", client.execute("turns").value());
        told = client.execute(
                "%%timeit --loops 5 --repeat 1 int start = 2;\nint next = start + 1; // not kept\nturns += next;")
                .stdout();
        assertTrue(told.contains("of 1 run, 5 loops each"), told);
        assertEquals("70", client.execute("turns").value());
        assertEquals("error", client.execute("next").status());
        assertTrue(client.execute("%timeit Thread.sleep(300)").stdout().contains("of 7 runs, 1 loop each"));
    }

    @Test
    void whatTimeitCannotCompileIsTold() {
        assertTrue(client.execute("%timeit nobodyKnows()").traceback().contains("method nobodyKnows()"));
        assertTrue(client.execute("%%timeit\nint fine = 1;\nint bad = nobody;").traceback().contains("line 3"));
        assertTrue(client.execute("%timeit").traceback().contains("nothing to run"));
        String thrown = client.execute("int[] none = {};\n%timeit none[0]++").traceback();
        assertTrue(thrown.contains("ArrayIndexOutOfBounds"), thrown);
        assertFalse(thrown.contains("io.vramlab"), thrown);
    }

    @Test
    void timeitIsInterrupted() {
        String id = client.sendCell("%timeit { System.out.println(1); while (true) { } }");
        client.await(each -> each.parentId().equals(id) && each.type().equals("stream"));
        client.send(client.control, "interrupt_request", new JsonObject());
        assertEquals("Interrupted", client.answer(id).reply().get("ename").getAsString());
    }

    @Test
    void aFolderIsChangedForMagicsAndTheShellNotForJava(@TempDir Path folder) throws Exception {
        String start = client.execute("%pwd").value();
        Path real = folder.toRealPath();
        Files.writeString(folder.resolve("here.jsh"), "int fromHere = 5;");
        assertEquals(real + "\n", client.execute("%cd " + real).stdout());
        assertEquals(real + "\n", client.execute("!pwd").stdout());
        assertEquals("5", client.execute("%load here.jsh\nfromHere").value());
        assertEquals("Wrote made.txt\n", client.execute("%%writefile made.txt\none\n").stdout());
        assertEquals("Appended to made.txt\n", client.execute("%%writefile --append made.txt\ntwo\n").stdout());
        assertEquals("one\ntwo\n", Files.readString(folder.resolve("made.txt")));
        assertEquals("false", client.execute("Files.exists(Path.of(\"made.txt\"))").value());
        assertEquals(start + "\n", client.execute("%cd -").stdout());
        assertTrue(client.execute("%cd no/such").traceback().contains("there is no such folder"));
        assertEquals(start, client.execute("%pwd").value());
    }

    @Test
    void otherProgramsReadTheCell() {
        assertEquals("LOUD\n", client.execute("%%script tr a-z A-Z\nloud").stdout());
        assertEquals("b\n", client.execute("%%bash\nx=b\necho $x").stdout());
        assertTrue(client.execute("%%script no-such-program\nx").traceback().contains("no such program"));
        assertTrue(client.execute("%%bash\nexit 4").traceback().contains("status 4"));
        assertTrue(client.execute("%bash ls").traceback().contains("takes the rest of the cell"));
    }

    @Test
    void formatsAreShown() {
        for (String each : List.of("html text/html", "markdown text/markdown", "latex text/latex", "svg image/svg+xml",
                "javascript application/javascript", "js application/javascript")) {
            String[] parts = each.split(" ");
            JsonObject data = client.execute("%%" + parts[0] + "\nas it is").published("display_data").getFirst()
                    .content().getAsJsonObject("data");
            assertEquals("as it is", data.get(parts[1]).getAsString());
            assertEquals("as it is", data.get("text/plain").getAsString());
        }
    }

    @Test
    void theLastErrorAndAnEarlierCellComeAgain() {
        String former = client.execute("int nothing = 1 / 0;").traceback();
        assertEquals(former.strip(),
                client.execute("%tb").stdout().replaceAll("\u001b\\[[0-9;]*m", "").strip());
        Answer answer = client.execute("40 + 4");
        int number = answer.reply().get("execution_count").getAsInt();
        client.execute("1");
        assertEquals("44", client.execute("%rerun " + number).value());
        assertTrue(client.execute("%rerun").traceback().contains("itself a %rerun"));
        assertTrue(client.execute("%rerun 9999").traceback().contains("no cell In [9999]"));
    }

    @Test
    void whatIsNotHereNamesWhatIs() {
        assertTrue(client.execute("%pip install x").traceback().contains("Java libraries come by %maven"));
        assertTrue(client.execute("%matplotlb inline").traceback().contains("did you mean %matplotlib?"));
        assertTrue(client.execute("%matplotlb inline").traceback().contains("return a BufferedImage"));
        assertTrue(client.execute("%load a.py").traceback().contains("Write !python3 a.py"));
    }

    @Test
    void anErrorOfTheCompilerComesWithAHint() {
        String told = client.execute("LocalDate.of(2026, 1, 1)").traceback();
        assertTrue(told.strip().endsWith("Hint: import java.time.LocalDate;"), told);
        told = client.execute("var sums = new Hashmap<String, Integer>();").traceback();
        assertTrue(told.strip().endsWith("Hint: the nearest is HashMap"), told);
        told = client.execute("int fine = 1;\nfor i in range(10):\n    print(i)").traceback();
        assertTrue(told.contains("Hint: Java counts with for (int i = 0; i < 10; i++)"), told);
        assertFalse(client.execute("int wrong = \"text\"; // print(x)").traceback().contains("Hint"));
    }
}

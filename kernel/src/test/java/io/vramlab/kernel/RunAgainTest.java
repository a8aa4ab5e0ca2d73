package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.TestClient.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cell that runs again unchanged need not be compiled again; it sees all that has changed since all the same. */
class RunAgainTest {

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

    private static String value(String code) {
        Answer answer = client.execute(code);
        assertEquals("ok", answer.status(), () -> code + "\n" + answer.traceback());
        return answer.value();
    }

    private static int number(Answer answer) {
        return answer.reply().get("execution_count").getAsInt();
    }

    @Test
    void itSeesAVariableThatWasAssigned() {
        client.execute("int n = 1;");
        assertEquals("2", value("n + 1"));
        client.execute("n = 5;");
        assertEquals("6", value("n + 1"));
        client.execute("n = 5;");
        client.execute("n++;");
        client.execute("n++;");
        assertEquals("8", value("n + 1"));
    }

    @Test
    void itSeesAVariableOfAnotherType() {
        client.execute("int kind = 3;");
        assertEquals("31", value("kind + \"1\""));
        assertEquals("4", value("kind + 1"));
        client.execute("String kind = \"three\";");
        assertEquals("three1", value("kind + 1"));
    }

    @Test
    void itCallsTheOverloadThatWasAdded() {
        client.execute("String f(long x) { return \"long\"; }");
        assertEquals("long", value("f(1)"));
        assertEquals("long", value("f(1)"));
        client.execute("String f(int x) { return \"int\"; }");
        assertEquals("int", value("f(1)"));
    }

    @Test
    void itCallsTheOverloadThatTheSameCellDeclares() {
        assertEquals("long", value("String g(long x) { return \"long\"; }\ng(1)"));
        assertEquals("long", value("g(1)"));
        assertEquals("int", value("String g(int x) { return \"int\"; }\ng(1)"));
        assertEquals("int", value("g(1)"));
    }

    @Test
    void itTakesTheImportThatCameBetween() {
        assertEquals("error", client.execute("new Attributes().size()").status());
        client.execute("import java.util.jar.*;");
        assertEquals("0", value("new Attributes().size()"));
    }

    @Test
    void aClassOfTheUserTakesTheNameThatAnImportGave() {
        assertEquals("class java.util.BitSet", value("BitSet.class"));
        assertEquals("class java.util.BitSet", value("BitSet.class"));
        client.execute("class BitSet {}");
        assertNotEquals("class java.util.BitSet", value("BitSet.class"));
    }

    @Test
    void itSeesAJarThatWasAdded(@TempDir Path folder) throws Exception {
        String cell = "Class.forName(\"lib.Here\", false, Thread.currentThread().getContextClassLoader()).getSimpleName()";
        assertEquals("error", client.execute(cell).status());
        Files.createDirectories(folder.resolve("lib"));
        Path source = Files.writeString(folder.resolve("Here.java"), "package lib; public class Here {}");
        javax.tools.ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", folder.toString(),
                source.toString());
        client.execute("%classpath " + folder);
        assertEquals("Here", value(cell));
        assertEquals("Here", value("lib.Here.class.getSimpleName()"));
    }

    @Test
    void itsTracebackNamesTheCellThatFailedNow() {
        String cell = "Integer.parseInt(\"no\")";
        Answer first = client.execute(cell);
        Answer second = client.execute(cell);
        assertTrue(first.traceback().contains("In [" + number(first) + "]"), first.traceback());
        assertTrue(second.traceback().contains("In [" + number(second) + "]"), second.traceback());
        assertNotEquals(number(first), number(second));
    }

    @Test
    void itsClassesAreItsOwn() {
        client.execute("List<Object> made = new ArrayList<>();");
        client.execute("made.add(new Object() { });");
        client.execute("made.add(new Object() { });");
        assertEquals("false", value("made.get(0).getClass() == made.get(1).getClass()"));
    }

    @Test
    void eachRunHasAResultOfItsOwn() {
        assertEquals("[]", value("new ArrayList<Integer>()"));
        Answer second = client.execute("new ArrayList<Integer>()");
        assertEquals("[]", second.value());
        assertEquals("[4]", value("var l = new ArrayList<Integer>(); l.add(4); l"));
        assertEquals("[4]", value("var l = new ArrayList<Integer>(); l.add(4); l"));
    }
}

package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.vramlab.kernel.TestClient.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cell is looked at whole before any of it runs: one that does not compile has done nothing. */
class CheckedFirstTest {

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

    @BeforeEach
    void declare() {
        client.execute("int kept = 1;\nList<Integer> list = new ArrayList<>();");
        client.execute("class Kept { static int n = 1; int f() { return n; } }\nint twice(int n) { return 2 * n; }");
        client.execute("Kept.n = 1;");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "%reset kept\nint bad = \"s\";",
            "%reset kept\nbad",
            "%reset kept\nint bad = 1 +",
            "%reset kept list\nlist.add(\"s\").foo();",
            "%env CHECKED_FIRST=1\nint bad = \"s\";",
            "%env CHECKED_FIRST=1\nnoSuchMethod();",
            "%env CHECKED_FIRST=1\nclass Bad { int x = \"s\"; }",
            "%env CHECKED_FIRST=1\nrecord Bad(int n) { Bad { n = \"s\"; } }",
            "%env CHECKED_FIRST=1\nint bad( { }",
            "%env CHECKED_FIRST=1\nfor (int i = 0; i < 3; i++ { }",
            "%env CHECKED_FIRST=1\n%reset kept\nString bad = 1;",
            "%env CHECKED_FIRST=1\nkept = 5;\nkept = \"s\";",
            "kept = 5;\n%env CHECKED_FIRST=1\nkept = \"s\";",
            "kept = 5;\nkept = \"s\";",
            "System.out.println(\"ran\");\nnoSuchMethod();",
            "list.add(7);\nint bad = \"s\";",
            "int made = 3;\nString other = made;",
            "class Made { }\nint bad = new Made();",
            "Kept.n = 9;\nthrow new NoSuchThing();",
            "var made = twice(2);\nSystem.out.println(made);\nmade.foo();",
            "import java.time.Duration;\nlist.add(1);\nDuration.ofNothing();"})
    void aCellThatDoesNotCompileHasDoneNothing(String cell) {
        Answer refused = client.execute(cell);
        assertEquals("error", refused.status());
        assertEquals("CompileError", refused.reply().get("ename").getAsString(), refused.traceback());
        assertEquals("", refused.stdout());
        Answer state = client.execute("\"%d %s %d %d\".formatted(kept, list, Kept.n, twice(4))");
        assertEquals("ok", state.status(), state::traceback);
        assertEquals("1 [] 1 8", state.value());
        assertNotEquals("1", client.execute("%env CHECKED_FIRST").value());
        assertEquals("error", client.execute("made").status());
        assertEquals("error", client.execute("new Made()").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "%reset kept\nint kept = 2;\nkept",
            "int fresh = 1;\n%time twice(fresh)\nfresh + 1",
            "class Fresh { int n = 2; }\nvar f = new Fresh();\nf.n",
            "import java.time.Duration;\nvar d = Duration.ofSeconds(2);\n(int) d.toSeconds()",
            "int early(int n) { return late(n); }\nint late(int n) { return n; }\nearly(2)"})
    void whatTheCellItselfDeclaresIsThereForTheLinesBelow(String cell) {
        Answer answer = client.execute(cell);
        assertEquals("ok", answer.status(), answer::traceback);
        assertEquals("2", answer.value());
    }
}

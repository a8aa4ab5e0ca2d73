package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.vramlab.kernel.TestClient.Answer;
import io.vramlab.kernel.internal.eval.Acceleration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Java cells over real sockets: values, output, errors, and what is kept after them. */
class CellsTest {

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
    void anExpressionIsShownAndADeclarationIsNot() {
        assertEquals("2", client.execute("1+1").value());
        assertNull(client.execute("int quiet = 3;").value());
        assertNull(client.execute("quiet + 1;").value());
        assertEquals("4", client.execute("quiet + 1 // a comment").value());
    }

    @Test
    void aClassOfOneCellIsExtendedInTheNext() {
        client.execute("class Net { int f = 3; int g() { return f; } }");
        client.execute("class Deep extends Net {\n int g() {\n return super.g() * 2;\n }\n}");
        assertEquals("6", client.execute("new Deep().g()").value());
    }

    @Test
    void aCellOfHundredsOfDeclarationsIsReadToItsEnd() {
        String methods = IntStream.range(0, 70).mapToObj("int m%1$d(int a) { return a + %1$d; }\n"::formatted)
                .collect(Collectors.joining());
        assertEquals("74", client.execute(methods + "m69(5)").value());
        assertEquals("8", client.execute("m1(2) + m2(3)").value());
        String variables = IntStream.range(0, 70).mapToObj("int v%1$d = %1$d;\n"::formatted)
                .collect(Collectors.joining());
        assertEquals("69", client.execute(variables + "v69").value());
    }

    @Test
    void thousandsOfStatementsBesideADeclarationRunInOrder() {
        assumeFalse(Acceleration.switchedOff(), "JShell takes them one by one, some 10 ms each");
        String statements = IntStream.range(0, 3000)
                .mapToObj("total = total * 31 + %1$d; if (total < 0) { total = -total; }\n"::formatted)
                .collect(Collectors.joining());
        int total = 1;
        for (int i = 0; i < 3000; i++) {
            total = total * 31 + i;
            total = total < 0 ? -total : total;
        }
        assertEquals(Integer.toString(total), client.execute("int total = 1;\n" + statements + "total").value());
    }

    /** The JVM's short jump goes 32,767 bytes far; 8 bytes of code are the statement, 3 the look whether to stop after it. */
    @ParameterizedTest
    @ValueSource(ints = {3_000, 4_090})
    void aLoopOfThousandsOfStatementsRunsHoweverFarItsJumpIs(int statements) {
        Answer answer = client.execute("var far = new ArrayList<Object>();\nfor (int i = 0; i < 2; i++) {\n"
                + "far.add(\"x\");\n".repeat(statements) + "}\nfar.size()");
        assertEquals(String.valueOf(2 * statements), answer.value(), answer::traceback);
    }

    @Test
    void amongManyStatementsEachIsItselfAlone() {
        String local = "{ int same = 1; reached += same; }\n".repeat(120);
        Answer answer = client.execute(
                "int reached = 0;\n" + local
                        + "label: while (true) { break label; }\nthrow new IOException(\"here\");\n"
                        + local);
        assertTrue(answer.traceback().contains("  123 | throw new IOException(\"here\");"), answer.traceback());
        assertEquals("120", client.execute("reached").value());
    }

    @Test
    void aStatementThatReturnsEndsItselfAlone() {
        for (String before : List.of("int turn = 1;\n", "")) {
            assertEquals("first\nlast\n", client.execute(
                    before + "System.out.println(\"first\");\nif (turn > 0) return null;\nSystem.out.println(\"last\");")
                    .stdout());
        }
    }

    @Test
    void anImportThatMakesWayForANameIsStillThereForTheOthers() {
        // of java.util.stream, which every session imports
        client.execute("class Around { static class BaseStream { } }\nint before = 1;");
        client.execute("char letter = Stream.of(\"x\").collect(Collectors.joining()).charAt(0);");
        client.execute("class BaseStream { }\nString text = Stream.of(\"y\").collect(Collectors.joining());");
        // waits for another method, which only JShell understands: it is told of the others first
        client.execute("int first(int n) { return n <= 0 ? 0 : second(n - 1); }");
        assertEquals("xy1", client.execute("letter + text + before").value());
    }

    @Test
    void severalStatementsRecordsMethodsImportsAndLambdasShareACell() {
        Answer answer = client.execute("""
                import java.util.stream.IntStream;
                record Point(int x, int y) { }
                int twice(int n) { return 2 * n; }
                var p = new Point(1, 2); int sum = 0;
                for (int i = 0; i < 3; i++) {
                    sum += twice(i);
                }
                System.out.println(p);
                IntStream.range(0, 4).map(i -> i + sum).sum()
                """);
        assertEquals("30", answer.value());
        assertEquals("Point[x=1, y=2]\n", answer.stdout());
    }

    @Test
    void anExceptionNamesTheCellAndItsLineWithTheSourceLine() {
        Answer answer = client.execute("int a = 1;\nint b = 0;\nint c = a / b;\n");
        int cell = answer.reply().get("execution_count").getAsInt();
        assertEquals("java.lang.ArithmeticException", answer.reply().get("ename").getAsString());
        assertTrue(answer.traceback().contains("at In [" + cell + "], line 3\n        3 | int c = a / b;"),
                answer.traceback());
        assertFalse(answer.traceback().contains("REPL"), answer.traceback());
    }

    @Test
    void framesOfMethodsLambdasAndClassesOfEarlierCellsCarryTheirOwnCellsAndLines() {
        int first = client.execute("int fail(int n) {\n  // below\n  return 1 / n;\n}").reply().get("execution_count")
                .getAsInt();
        Answer answer = client.execute("Runnable r = () ->\n    fail(0);\nr.run();");
        int second = answer.reply().get("execution_count").getAsInt();
        String text = answer.traceback();
        assertTrue(text.contains("fail (In [" + first + "], line 3)"), text);
        assertTrue(text.contains("In [" + second + "], line 2"), text);
        assertTrue(text.contains("In [" + second + "], line 3"), text);
    }

    @Test
    void aCompileErrorPointsAtItsPlace() {
        Answer answer = client.execute("int okay = 1;\nint bad = \"text\";\n");
        assertEquals("error", answer.status());
        assertEquals("CompileError", answer.reply().get("ename").getAsString());
        assertTrue(answer.traceback().contains("""
                    2 | int bad = "text";
                      |           ^^^^^^
                """), answer.traceback());
    }

    @Test
    void nothingOfACellWithASyntaxErrorRuns() {
        Answer answer = client.execute("System.out.println(\"ran\");\nint 3x = ;");
        assertEquals("error", answer.status());
        assertEquals("", answer.stdout());
    }

    @Test
    void causesAreKeptAndLibraryFramesAreFolded() {
        String text = client.execute("""
                try {
                    java.util.List.of(1).iterator().remove();
                } catch (UnsupportedOperationException e) {
                    throw new IllegalStateException("outer", e);
                }""").traceback();
        assertTrue(text.contains("java.lang.IllegalStateException: outer"), text);
        assertTrue(text.contains("Caused by: java.lang.UnsupportedOperationException"), text);
        assertTrue(text.contains("line 2"), text);
    }

    @Test
    void aStackOverflowIsShortAndTheNextCellWorks() {
        Answer answer = client.execute("int deep(int n) { return deep(n + 1) + 1; }\ndeep(0)");
        assertEquals("java.lang.StackOverflowError", answer.reply().get("ename").getAsString());
        assertTrue(answer.traceback().lines().count() < 12, answer.traceback());
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void exhaustedMemoryIsAnErrorLikeOthers() {
        Answer answer = client.execute("var all = new ArrayList<int[]>(); while (true) all.add(new int[1 << 28]);");
        assertEquals("java.lang.OutOfMemoryError", answer.reply().get("ename").getAsString());
        client.execute("all = null;");
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void aRefusedDeclarationLeavesTheFormerOneInForce() {
        client.execute("int kept = 5; int half(int n) { return n / 2; }");
        assertEquals("error", client.execute("int kept = \"bad\";").status());
        assertEquals("error", client.execute("int half(int n) { return \"bad\"; }").status());
        assertEquals("5", client.execute("kept").value());
        assertEquals("4", client.execute("half(9)").value());
    }

    @Test
    void aVariableKeepsItsValueWhenWhatMadeItIsDeclaredAgain() {
        client.execute("int one() { return 1; }\nvar made = one();");
        client.execute("made = 17;");
        client.execute("int one() { return 2; }");
        assertEquals("17", client.execute("made").value());
        assertEquals("2", client.execute("one()").value());
    }

    @Test
    void declaringAClassAgainNamesTheVariablesThatItStrands() {
        client.execute("class Former { int f = 3; }");
        client.execute("var old = new Former(); var number = old.f;");
        Answer answer = client.execute("class Former { int f = 3; double g; }");
        assertTrue(answer.text("stderr").contains("Former was declared again: old held objects"),
                answer.text("stderr"));
        assertEquals("3", client.execute("number").value());
        assertEquals("error", client.execute("old").status());
    }

    @Test
    void aMethodMayReferToALaterOne() {
        String note = "method early is declared, but there is no method late(): it can be used once there is one";
        assertEquals(note + "\n", client.execute("int early() { return late() + 1; }").text("stderr"));
        Answer tooSoon = client.execute("early()");
        assertTrue(tooSoon.traceback().contains(note), tooSoon.traceback());
        assertEquals("9", client.execute("int late() { return 8; }\nearly()").value());
        Answer together = client.execute("int first() { return second(); }\nint second() { return 2; }\nfirst()");
        assertEquals("2", together.value());
        assertEquals("", together.text("stderr"));
    }

    @Test
    void aClassThatRefersToNoneIsToldThePlainTruth() {
        String note = client.execute("class Holds { LocalDat when; HashMop<String, String> map; }").text("stderr");
        assertEquals(
                "class Holds is declared, but there is no class LocalDat and no class HashMop (the nearest is HashMap)"
                        + ": it can be used once there is each\n",
                note);
        note = client.execute("class Dates { LocalDate when; }").text("stderr");
        assertEquals("class Dates is declared, but there is no class LocalDate (import java.time.LocalDate;)"
                + ": it can be used once there is one\n", note);
        client.execute("import java.time.LocalDate;");
        assertEquals("null", client.execute("new Dates().when").value());
    }

    @Test
    void systemExitIsRefusedWithoutSomeoneToAsk() {
        Answer answer = client.execute("System.exit(3);");
        assertEquals("SystemExit", answer.reply().get("ename").getAsString());
        assertFalse(kernel.exited.isDone());
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void aValueWhoseToStringFailsIsAnErrorOfTheCell() {
        Answer answer = client
                .execute("class Bad { public String toString() { throw new Error(\"no text\"); } }\nnew Bad()");
        assertEquals("error", answer.status());
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void toStringIsCalledOnlyForTheValueShown() {
        client.execute("class Loud { static int calls; public String toString() { calls++; return \"loud\"; } }");
        client.execute("var loud = new Loud(); loud = new Loud(); new Loud();");
        assertEquals("0", client.execute("Loud.calls").value());
        assertEquals("loud", client.execute("loud").value());
        assertEquals("1", client.execute("Loud.calls").value());
    }

    @Test
    void expiredResultsSaySo() {
        int cell = client.execute("new int[]{4}").reply().get("execution_count").getAsInt();
        Answer listing = client.execute("40 + 2");
        assertEquals("42", listing.value());
        client.execute("int unrelated = 1;");
        client.execute("int unrelated2 = 1;");
        // the name of the result is JShell's: look for the newest that expired
        String text = "";
        for (int i = 1; i < 60 && !text.contains("unnamed result of In [" + cell + "]"); i++) {
            Answer answer = client.execute("$" + i);
            text = answer.status().equals("error") ? answer.traceback() : "";
        }
        assertTrue(text.contains("give results that you need a name"), text);
    }

    @Test
    void aCellOfStatementsEndsAtTheLineThatFails() {
        client.execute("int nought = 0;");
        Answer answer = client.execute("System.out.println(\"before\");\n\nSystem.out.println(1 / nought);\n"
                + "System.out.println(\"after\");");
        assertEquals("before\n", answer.stdout());
        assertTrue(answer.traceback().contains("line 3"), answer.traceback());
    }

    @Test
    void statementsBeforeOneThatDoesNotCompileHaveNotRun() {
        Answer answer = client.execute("System.out.println(\"before\");\nneverDeclared();");
        assertEquals("error", answer.status());
        assertEquals("", answer.stdout());
        assertTrue(answer.traceback().contains("neverDeclared"), answer.traceback());
    }

    @Test
    void anImportOfTheSameNameReplacesTheFormer() {
        client.execute("import java.lang.reflect.Proxy;");
        assertEquals("false", client.execute("Proxy.isProxyClass(String.class)").value());
        client.execute("import java.net.Proxy;");
        assertEquals("DIRECT", client.execute("Proxy.NO_PROXY").value());
    }

    @Test
    void aVariableDeclaredWordForWordAfterItWasForgottenIsKnownToTheCompiler() {
        client.execute("int forgotten = 1;");
        client.execute("%reset forgotten");
        client.execute("int forgotten = 1;");
        Answer answer = client.execute("forgotten = 5;\nforgotten = \"s\";");
        assertEquals("error", answer.status());
        assertEquals("1", client.execute("forgotten").value());
    }

    @Test
    void anAssertionIsChecked() {
        assertTrue(client.execute("assert 1 + 1 == 3 : \"it is two\";").traceback().contains("it is two"));
        assertTrue(client.execute("class Checked { Checked(int n) { assert n > 0; } }\nnew Checked(0)").traceback()
                .contains("java.lang.AssertionError"));
        assertEquals("ok", client.execute("assert 1 + 1 == 2;").status());
    }

    @Test
    void whoAsksTheConsoleIsToldThatANotebookHasNone() {
        String told = client.execute("System.console().readLine(\"name? \")").traceback();
        assertTrue(told.contains("Hint: a notebook has no console. input(\"name? \") asks"), told);
    }

    @Test
    void aClassThatCannotBeFoundIsTheUsersMistake() {
        String told = client.execute("Class.forName(\"no.Such\")").traceback();
        assertTrue(told.contains("ClassNotFoundException: no.Such"), told);
        assertFalse(told.contains("VramLab"), told);
        assertTrue(told.contains("| Class.forName(\"no.Such\")"), told);
    }

    @Test
    void aTextThatIsNullIsShownAsNull() {
        assertEquals("null", client.execute("new Object() { public String toString() { return null; } }").value());
    }

    @Test
    void whatDisplayGivesIsNotShownAgain() {
        Answer answer = client.execute("display(\"once\")");
        assertEquals(1, answer.published("display_data").size());
        assertNull(answer.value());
    }
}

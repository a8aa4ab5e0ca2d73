package io.vramlab.kernel.internal.magic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where magics are found, and where a percent sign is something else. */
class CellScannerTest {

    private static List<CellPart> scan(String cell) {
        return new CellScanner(cell, name -> name.equals("who"), name -> null).scan();
    }

    @Test
    void aLineOfItsOwnIsAMagicAndJavaAroundItKeepsItsLines() {
        assertEquals(List.of(new CellPart.Java("int a = 1;\n", 1), new CellPart.Use("who", "-v x", null, 2),
                new CellPart.Java("\nint b = 2;", 2)), scan("int a = 1;\n  %who -v x\nint b = 2;"));
    }

    @Test
    void aCellMagicTakesTheRest() {
        assertEquals(List.of(new CellPart.Use("time", "-n 3", "int a;\n%who", 3)),
                scan("\n\n%%time -n 3\nint a;\n%who"));
        assertEquals(List.of(new CellPart.Use("time", "", "", 1)), scan("%%time"));
    }

    @Test
    void insideTextBlocksStringsAndCommentsThereIsNone() {
        for (String cell : List.of("var s = \"\"\"\n  %who\n  \"\"\";", "/*\n%who\n*/", "// \\\n int a; /* \"\n%who */",
                "var c = '\"';\nvar d = \"\\\"\\\n%who\";")) {
            assertEquals(List.of(new CellPart.Java(cell, 1)), scan(cell), cell);
        }
    }

    @Test
    void theOperatorAtALineStartStaysAnOperator() {
        String cell = "int r = a\n   % b;";
        assertEquals(List.of(new CellPart.Java(cell, 1)), scan(cell));
        String call = "f(a\n % who(3))";
        assertEquals(List.of(new CellPart.Java("int x = 7 % who;", 1)), scan("int x = 7 % who;"));
        assertEquals(List.of(new CellPart.Java(call, 1)), new CellScanner(call, name -> false, name -> null).scan());
    }

    @Test
    void inABlockAndBehindAnEqualsSignItBecomesACall() {
        assertEquals(
                List.of(new CellPart.Java(
                        "for (;;) {\nio.vramlab.kernel.spi.Notebook.tell(\"who\", \"a \\\"b\\\" c\\\\d\");\n}", 1)),
                scan("for (;;) {\n  %who a \"b\" c\\d\n}"));
        assertEquals(List.of(new CellPart.Java("Table t = magic(\"who\", \"--all\");\nt", 1)),
                scan("Table t = %who --all\nt"));
    }

    @Test
    void windowsLineEndsAndEmptyArgumentsAreFine() {
        assertEquals(List.of(new CellPart.Use("who", "", null, 1), new CellPart.Java("\nint a;", 1)),
                scan("%who\r\nint a;"));
        assertEquals(List.of(new CellPart.Use("load", "C:\\temp\\x \"\"", null, 1)), scan("%load C:\\temp\\x \"\""));
    }

    @Test
    void aCommandOfTheShellIsALineOfItsOwn() {
        assertEquals(List.of(new CellPart.Java("int a = 1;\n", 1), new CellPart.Use("sh", "ls -l; pwd", null, 2),
                new CellPart.Java("\nint b = 2;", 2)), scan("int a = 1;\n!ls -l; pwd\nint b = 2;"));
        assertEquals(List.of(new CellPart.Use("sx", "ls", null, 1)), scan("!!ls"));
        assertEquals(List.of(new CellPart.Java("int a = 1\n", 1), new CellPart.Use("sh", "ls", null, 2)),
                scan("int a = 1\n!ls"));
        assertEquals(
                List.of(new CellPart.Java(
                        "for (;;) {\nio.vramlab.kernel.spi.Notebook.tell(\"sh\", \"echo \\\"x\\\";\");\n}", 1)),
                scan("for (;;) {\n  !echo \"x\";\n}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"!done", "boolean b = a &&\n!c;", "boolean done = true;\n!done", "f(a,\n!b)",
            "boolean[] b = {\n!c,\n!d\n};", "var b = new boolean[] {\n!c };", "boolean[][] b = {{\n!c}};",
            "for (int i = 0;\n!ready; i++) { }", "boolean f() { return\n!ready; }", "boolean b = !ready;",
            "boolean g(boolean x) { boolean y = !x; return y; }", "var t = \"\"\"\n!ls\n?x\n\"\"\";",
            "/*\n!ls\n?x\nx?\n*/", "a\n!= b", "() ->\n!x", "boolean b = !list.isEmpty()", "(boolean)\n!done"})
    void aNegationStaysJava(String cell) {
        assertEquals(List.of(new CellPart.Java(cell, 1)),
                new CellScanner(cell, name -> false, name -> name.equals("done") ? "boolean" : null).scan());
    }

    @Test
    void theLinesOfACommandGoIntoAVariable() {
        String lines = " = io.vramlab.kernel.spi.Notebook.<java.util.List<String>>magic(\"sx\", \"ls *.x\");";
        assertEquals(List.of(new CellPart.Java("var files" + lines + "\nfiles", 1)),
                scan("var files = !ls *.x\nfiles"));
        assertEquals(List.of(new CellPart.Java("var files" + lines, 1)), scan("files = !ls *.x"));
        assertEquals(List.of(new CellPart.Java("List<String> files" + lines, 1)),
                scan("List<String> files = !!ls *.x"));
        assertEquals(List.of(new CellPart.Java(" files" + lines, 1)),
                new CellScanner("files = !ls *.x", name -> false, name -> "List<String>").scan());
    }

    @Test
    void aLineWithAQuestionMarkAsks() {
        CellPart asked = new CellPart.Use("pinfo", "Math.max", null, 2);
        CellPart java = new CellPart.Java("int a = 1;\n", 1);
        assertEquals(List.of(java, asked), scan("int a = 1;\nMath.max?"));
        assertEquals(List.of(java, asked), scan("int a = 1;\n?Math.max"));
        assertEquals(List.of(java, new CellPart.Use("pinfo", "--full %who", null, 2)), scan("int a = 1;\n%who??"));
        assertEquals(List.of(java, new CellPart.Use("pinfo", "--full a", null, 2), new CellPart.Java("\na + 1", 2)),
                scan("int a = 1;\n?? a\na + 1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"var x = done\n? 1\n: 2;", "done?\n1 : 2", "var x = done ?\n1 : 2;",
            "int f(boolean b) {\nreturn b\n? 1\n: 2;\n}", "f(done\n?1\n:2)"})
    void theQuestionMarkOfAnExpressionStaysJava(String cell) {
        assertEquals(List.of(new CellPart.Java(cell, 1)), scan(cell));
    }
}

package io.vramlab.kernel.magic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Where magics are found, and where a percent sign is something else. */
class CellScannerTest {

    private static List<CellPart> scan(String cell) {
        return new CellScanner(cell, name -> name.equals("who")).scan();
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
        assertEquals(List.of(new CellPart.Java(call, 1)), new CellScanner(call, name -> false).scan());
    }

    @Test
    void inABlockAndBehindAnEqualsSignItBecomesACall() {
        assertEquals(List.of(new CellPart.Java("for (;;) {\nmagic(\"who\", \"a \\\"b\\\" c\\\\d\");\n}", 1)),
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
}

package io.vramlab.kernel.internal.magic;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which lines that begin with an exclamation mark are Java. */
class NegationTest {

    private static final Map<String, String> VARIABLES = Map.of("done", "boolean", "list", "List<String>", "n", "int",
            "flags", "boolean[]", "test", "boolean", "ls", "List<String>");

    private static boolean java(String line) {
        return new Negation("boolean above = true;\nvar guess = f();\nint[] counts, others;\n", VARIABLES::get)
                .isJava(line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"!done", "! done;", "!done && above", "!done || n > 3", "!list.isEmpty()", "!(n > 3)",
            "!(done)", "!!done", "!above", "!guess", "!flags[0]", "!ready()", "!Cuda.isAvailable()",
            "!new File(\"x\").exists()",
            "!this.done", "!\"a\".isEmpty()", "!(1 < 2)", "!true", "!list.done", "!Settings.DEBUG", "!= 3",
            "!done // not yet",
            "!(list instanceof ArrayList)", "!done ? 1 : 2"})
    void whatCanBeJavaIsJava(String line) {
        assertTrue(java(line), line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"!ls", "!ls -l *.java", "! ls", "!!ls", "!echo done", "!./run.sh", "!/bin/ls", "!~/x",
            "!$HOME/x",
            "!pip install numpy", "!python -c 'print(1)'", "!test -f pom.xml", "!cat a.txt | grep done", "!7z x a.7z",
            "!(cd /tmp && ls)", "!nvidia-smi", "!git log", "!a.out", "!hello() { echo hi; }; hello", "!true -x",
            "!{ echo; }", "!"})
    void allElseIsTheShells(String line) {
        assertFalse(java(line), line);
    }
}

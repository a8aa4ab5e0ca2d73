package io.vramlab.kernel.internal.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of names that the compiler does not know. */
class HintsTest {

    private static final Names NAMES = new Names() {

        @Override
        public List<String> imports() {
            return List.of("java.util.*", "io.vramlab.kernel.spi.*", "java.nio.file.Path");
        }

        @Override
        public List<String> types() {
            return List.of("LayerNorm", "BatchNorm1d");
        }

        @Override
        public Map<String, String> above() {
            return Map.of("Numbers", "ArrayList");
        }

        @Override
        public Map<String, String> waiting() {
            return Map.of("Block", "variable F");
        }

        @Override
        public List<String> methods() {
            return List.of("crossEntropy");
        }

        @Override
        public Map<String, String> variables() {
            return Map.of("learningRate", "double", "f", "java.util.function.IntUnaryOperator");
        }

        @Override
        public ClassLoader loader() {
            return HintsTest.class.getClassLoader();
        }

        @Override
        public List<String> libraryClasses(String simpleName) {
            return simpleName.equals("Local") ? List.of("my.lib.Local") : List.of();
        }
    };

    private static String hint(String symbol, String location, String line) {
        String message = "cannot find symbol\n  symbol:   " + symbol + "\n  location: " + location;
        return new Hints(NAMES).of(new Complaint(message, line, line)).orElse("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            class LocalDate | import java.time.LocalDate;
            class Duration | import java.time.Duration; or import javax.xml.datatype.Duration;
            class Local | import my.lib.Local;
            variable Instant | import java.time.Instant;
            class ObjectMapper | %maven com.fasterxml.jackson.core:jackson-databind:2.18.2 brings it, then import com.fasterxml.jackson.databind.ObjectMapper;
            class Hashmap | the nearest is HashMap
            class ArayList | the nearest is ArrayList
            class GroupNorm | the nearest are LayerNorm and BatchNorm1d
            class Qwxzy | ''
            variable learning_rate | the nearest is learningRate
            variable learnigRate | the nearest is learningRate
            method cross_entropy(int) | the nearest is crossEntropy()
            method clear_output(boolean) | write Notebook.clearOutput(…)
            method f(int) | f is a variable: write f.applyAsInt(…)
            variable lists | ''
            method qwxzy() | ''
            """)
    void aNameOfTheCellIsTold(String symbol, String told) {
        assertEquals(told, hint(symbol, "class ", "f(x);"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            method get_or_default(int,int) | variable m of type Map<String,Integer> | Map has getOrDefault()
            method adde(int) | variable l of type List<Integer> | List has add()
            variable size | variable l of type List<Integer> | size is a method of List: write size()
            method executionCont() | interface Session | Session has executionCount()
            method qwxzy() | interface Session | ''
            method f() | class Unheard | ''
            """)
    void aMemberIsToldWithItsClass(String symbol, String location, String told) {
        assertEquals(told, hint(symbol, location, "f(x);"));
    }

    @Test
    void aPackageBeforeANameIsLeftOut() {
        assertEquals("names need no package here: new ArrayList(…)", hint("variable util", "class ",
                "util.ArrayList(3)"));
        assertEquals("write Notebook.clearOutput(…)",
                hint("variable torch", "class ", "torch.display.clear_output(true)"));
    }

    @Test
    void aVariableThatIsOnlySetIsToBeDeclared() {
        assertEquals("a variable is declared once: var rate = 5", hint("variable rate", "class ", "rate = 5"));
        assertEquals("the nearest is learningRate", hint("variable learningrate", "class ", "learningrate == 5"));
    }

    @Test
    void whatIsIndexedButNoArrayNamesItsMethod() {
        String message = "array required, but java.util.List<java.lang.String> found";
        assertEquals("only arrays have [ ]; List has get(): write x.get(…)",
                new Hints(NAMES).of(new Complaint(message, "names[0]", "names[0]")).orElse(""));
        message = "array required, but int found";
        assertEquals(Optional.empty(), new Hints(NAMES).of(new Complaint(message, "n[0]", "n[0]")));
    }

    private static String said(String message, String line) {
        return new Hints(NAMES).of(new Complaint(message, line, line)).orElse("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            + | java.math.BigInteger | java.math.BigInteger | Java's operators are for numbers; BigInteger has add(): write x.add(y)
            < | java.math.BigInteger | int                  | Java's operators are for numbers; BigInteger has compareTo(): write x.compareTo(y) < 0
            * | int                  | java.math.BigInteger | Java's operators are for numbers; BigInteger has multiply(): write y.multiply(x) for x * y
            - | int                  | java.math.BigInteger | Java's operators are for numbers; BigInteger has negate(): write y.negate().add(x) for x - y
            / | int                  | java.math.BigInteger | ''
            + | java.lang.Object     | int                  | ''
            """)
    void anOperatorOnObjectsIsAMethod(String operator, String first, String second, String told) {
        assertEquals(told, said("bad operand types for binary operator '%s'\n  first type:  %s\n  second type: %s"
                .formatted(operator, first, second), "x"));
    }

    @Test
    void anOperatorOnOneObjectIsAMethod() {
        assertEquals("Java's operators are for numbers; BigInteger has negate(): write x.negate()",
                said("bad operand type java.math.BigInteger for unary operator '-'", "-x"));
    }

    @Test
    void anArrayIsAskedAsArraysAre() {
        String location = "variable parts of type Tensor[]";
        assertEquals("parts is an array: write parts[0]", hint("method get(int)", location, "parts.get(0)"));
        assertEquals("parts is an array: write parts.length", hint("method size()", location, "parts.size()"));
        assertEquals("List has add()", hint("method adde(int)", "variable l of type List<int[]>", "l.adde(3)"));
    }

    @Test
    void anArgumentHasNoName() {
        assertEquals("Java has no named arguments: give the value alone, in its place (SGD? shows the order)",
                hint("variable lr", "class ", "var o = new SGD(m.parameters(), lr=0.1);"));
        assertEquals("Java has no named arguments: give the value alone, in its place (x.sum? shows the order)",
                hint("variable dim", "class ", "f(x.sum(dim = 1))"));
        assertEquals("", hint("variable dim", "class ", "x.sum(dim == 1)"));
    }

    @Test
    void aCallWithOtherArgumentsIsTold() {
        assertTrue(said("no suitable method found for to(java.lang.String)\n    method …", "x.to(\"cuda\")")
                .contains("x.cuda()"));
        assertTrue(said("method print in class java.lang.IO cannot be applied to given types;", "print(a, b)")
                .contains("one value"));
        assertTrue(said("double cannot be dereferenced", "x.get(0).shape()").contains("select(0, i)"));
        assertEquals("", said("double cannot be dereferenced", "mean.abs()"));
    }

    @Test
    void aClassOfACellIsWhatItExtends() {
        assertEquals("ArrayList has removeIf()", hint("method remove_if(int)", "variable n of type Numbers", "n"));
    }

    @Test
    void aClassThatWaitsIsNotImported() {
        assertEquals(
                "Block was declared, and waits for variable F: declare that, or run its cell again with another name",
                hint("class Block", "class ", "new Block()"));
    }

    @Test
    void onlyWhatIsNoJavaIsReadAsPython() {
        String line = "x = y if z else None";
        assertEquals("Java writes null",
                new Hints(NAMES).of(new Complaint("';' expected", line, line)).orElse(""));
        assertEquals(Optional.empty(),
                new Hints(NAMES).of(new Complaint("incompatible types: int cannot be converted", line, line)));
        assertEquals("Java writes null",
                new Hints(NAMES).of(new Complaint("';' expected", "z", "z\nvar x = None;")).orElse(""));
    }

    @Test
    void everyLibraryIsWhereItsNameSays() {
        assertTrue(Libraries.CLASSES.size() > 20);
        Libraries.CLASSES.forEach((name, home) -> {
            assertTrue(home.className().endsWith("." + name), name);
            assertTrue(home.coordinates().matches("[\\w.-]+:[\\w.-]+:\\d[\\w.-]+"), home.coordinates());
        });
    }

    @Test
    void whatADeclarationWaitsForIsLookedUpToo() {
        Hints hints = new Hints(NAMES);
        assertEquals(Optional.of("import java.time.LocalDate;"), hints.ofUnresolved("class LocalDate", ""));
        assertEquals(Optional.of("the nearest is crossEntropy()"),
                hints.ofUnresolved("method crossentropy(int,int)", ""));
        assertEquals(Optional.of("the nearest is learningRate"), hints.ofUnresolved("variable learning_rate", ""));
    }

    private static String missingPackage(String name, String line) {
        return new Hints(NAMES).of(new Complaint("package " + name + " does not exist", line, line)).orElse("");
    }

    @Test
    void aClassWrittenSmallIsNamed() {
        assertEquals("the nearest is System", missingPackage("system", "system.out.println(1)"));
        assertEquals("the nearest is System", missingPackage("Sytem", "Sytem.out.println(1)"));
    }

    @Test
    void ofAnImportThatIsWrongTheRightOneIsToldAndNoVariable() {
        assertEquals("import java.time.LocalDate;", missingPackage("java.tme", "import java.tme.LocalDate;"));
        assertEquals("", missingPackage("f0", "import f0.Bar;"));
    }

    @Test
    void aValueWithoutASemicolonAboveAnotherLineIsPointedAt() {
        String cell = "int c = 1;\nc\nc + 1;\nc + 2";
        assertTrue(new Hints(NAMES).of(new Complaint("';' expected", "c + 1;", cell)).orElse("")
                .startsWith("the line above has no ;"));
        assertEquals("",
                new Hints(NAMES).of(new Complaint("';' expected", "int d = 2 int e;", "int c;\nint d = 2 int e;"))
                        .orElse(""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"% memory_summary", "%", "%%", "%%  time"})
    void aSignWithoutItsMagicIsSaidToBeOne(String line) {
        assertTrue(new Hints(NAMES).of(new Complaint("illegal start of expression", line, line)).orElse("")
                .startsWith("a magic's name follows % at once"));
    }
}

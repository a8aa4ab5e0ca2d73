package io.vramlab.kernel.judge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Java that a user may type and that JShell, or what stands between it and the user, once took for something else. */
class AnyJavaTest {

    private static final String END = "=> ";

    /** Programs: cells divided by lines of dashes; the last line is the value, or {@code !} and what is thrown. */
    private static Stream<Arguments> both(List<String> programs) {
        return Stream.of(true, false)
                .flatMap(accelerated -> programs.stream().map(each -> Arguments.of(accelerated, each)));
    }

    private static void shows(boolean accelerated, String program) {
        int at = program.lastIndexOf(END);
        String expected = program.substring(at + END.length()).strip();
        try (Session session = new Session(accelerated, SessionImports.all())) {
            Seen last = null;
            for (String cell : program.substring(0, at).split("(?m)^---\\R")) {
                assertNull(last == null ? null : last.thrown(), () -> "before\n" + cell);
                last = session.run(cell.stripTrailing());
            }
            assertNotNull(last);
            Seen seen = last;
            if (expected.startsWith("!")) {
                assertNotNull(seen.thrown(), seen.toString());
                assertTrue(seen.thrown().startsWith(expected.substring(1)), seen.toString());
            } else {
                assertNull(seen.thrown(), seen.thrown());
                assertEquals(expected, (seen.out().strip() + " " + (seen.shown() == null ? "" : seen.shown())).strip());
            }
        }
    }

    static Stream<Arguments> programsInWhichObjectsOfSeveralClassesMeet() {
        return both(Programs.meetings());
    }

    @ParameterizedTest
    @MethodSource("programsInWhichObjectsOfSeveralClassesMeet")
    void objectsOfSeveralClassesMeetInOneVariable(boolean accelerated, String program) {
        shows(accelerated, program);
    }

    static Stream<Arguments> declarationsOfNamesThatAreImported() {
        return both(Programs.names());
    }

    @ParameterizedTest
    @MethodSource("declarationsOfNamesThatAreImported")
    void whatTheUserDeclaresWinsOverWhatTheSessionImports(boolean accelerated, String program) {
        shows(accelerated, program);
    }

    static Stream<Arguments> snippetsWithoutTheirLastSemicolon() {
        return both(Programs.open());
    }

    @ParameterizedTest
    @MethodSource("snippetsWithoutTheirLastSemicolon")
    void theLastSemicolonOfACellMayBeMissing(boolean accelerated, String program) {
        shows(accelerated, program);
    }

    static Stream<Arguments> declarationsThatAreRefused() {
        return both(Programs.refused());
    }

    @ParameterizedTest
    @MethodSource("declarationsThatAreRefused")
    void aRefusedDeclarationLeavesTheTypesOfVariablesAsTheyWere(boolean accelerated, String refused) {
        try (Session session = new Session(accelerated, SessionImports.all())) {
            session.run("class Good { int n = 1; int twice() { return n * 2; } }\nrecord Pair(int a, String b) { }");
            session.run("Good good = new Good();\nvar pair = new Pair(1, \"b\");\nList<Pair> pairs = List.of(pair);\n"
                    + "var numbers = new int[] {1, 2};\nMap<String, Good> goods = new TreeMap<>();");
            Map<String, String> before = session.variables();
            Seen seen = session.run(refused);
            assertNotNull(seen.thrown(), "it was not refused");
            assertTrue(seen.thrown().startsWith(Session.REFUSED), seen.thrown());
            List<String> types = new ArrayList<>();
            before.values().forEach(each -> types.add(each.substring(0, each.indexOf(' '))));
            assertEquals(List.of("Good", "Map<String,Good>", "int[]", "Pair", "List<Pair>"), types);
            assertEquals(before, session.variables());
            session.run("var later = pair;");
            assertEquals("Pair Pair:Pair[a=1, b=b]", session.variables().get("later"));
            assertEquals("String:b4",
                    session.run("pair.b() + (good.twice() + pairs.size() + numbers.length - 1)").shown());
        }
    }
}

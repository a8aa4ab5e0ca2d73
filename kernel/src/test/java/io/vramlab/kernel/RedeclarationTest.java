package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.vramlab.kernel.TestClient.Answer;
import io.vramlab.kernel.internal.eval.Acceleration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Declaring things again and again: what stays the same, what sees the new, and what goes. */
class RedeclarationTest {

    private static KernelUnderTest kernel;
    private static TestClient client;

    @BeforeAll
    static void start() throws Exception {
        kernel = new KernelUnderTest();
        client = kernel.client;
        run("import java.lang.ref.WeakReference;");
        run("""
                class Alive {
                    static List<WeakReference<Object>> all = new ArrayList<>();
                    static <T> T watch(T each) { all.add(new WeakReference<>(each)); return each; }
                    static long count() {
                        for (int i = 0; i < 3; i++) System.gc();
                        return all.stream().filter(each -> each.get() != null).count();
                    }
                }""");
    }

    @AfterAll
    static void stop() throws Exception {
        kernel.close();
    }

    private static void run(String code) {
        Answer answer = client.execute(code);
        assertEquals("ok", answer.status(), () -> code + "\n" + answer.traceback());
    }

    private static void isNow(String value, String code) {
        Answer answer = client.execute(code);
        assertEquals("ok", answer.status(), () -> code + "\n" + answer.traceback());
        assertEquals(value, answer.value(), code);
    }

    @Test
    void aLambdaSeesAVariableThatIsDeclaredAgain() {
        run("int seen = 1;");
        run("Supplier<Integer> see = () -> seen;");
        isNow("1", "see.get()");
        run("int seen = 2;");
        isNow("2", "see.get()");
    }

    @Test
    void aLambdaCallsTheNewestMethod() {
        run("long sum(int a, long b, double c, String... d) { return a + b + (long) c + d.length; }");
        run("Supplier<Long> summed = () -> sum(1, 2L, 3.0, \"x\", \"y\");");
        isNow("8", "summed.get()");
        run("long sum(int a, long b, double c, String... d) { return -a - b; }");
        isNow("-3", "summed.get()");
        run("void nothing() throws IOException { throw new IOException(\"first\"); }");
        assertEquals("java.io.IOException", client.execute("nothing()").reply().get("ename").getAsString());
        run("void nothing() throws IOException { }");
        run("nothing()");
    }

    @Test
    void whatRunsGoesOnWithTheCodeThatItBeganWith() {
        run("int deep(int n) { if (n == 0) return 0; return 1 + deep(n - 1); }");
        isNow("9000", "deep(9000)");
        run("int deep(int n) { return n == 0 ? 100 : 1 + deep(n - 1); }");
        isNow("103", "deep(3)");
    }

    @Test
    void methodsMayHaveEverythingThatMethodsHave() {
        run("""
                int all(Object given) {
                    assert given != null;
                    enum Colour { RED, GREEN }
                    record Pair(int left, Object right) { private static int twice(int n) { return 2 * n; } }
                    class Local { private int hidden = 5; private int get() { return hidden; } }
                    var anonymous = new Object() { int n = 7; int get() { return n; } };
                    int coloured = switch (Colour.valueOf("GREEN")) { case RED -> 1; case GREEN -> 2; };
                    int matched = switch (given) {
                        case String text when text.length() > 2 -> text.length();
                        case Pair(int left, Object _) -> left;
                        default -> IntStream.range(0, 4).map(i -> i * coloured).sum();
                    };
                    return new Local().hidden + new Local().get() + anonymous.get() + Pair.twice(matched);
                }""");
        isNow("25", "all(\"four\")");
        isNow("41", "all(4)");
    }

    @Test
    void whatIsDeclaredAgainWordForWordFailsOnItsNewLine() {
        run("int[] five = new int[5];");
        run("int at = 1;");
        run("int picked = five[at];");
        run("at = 7;");
        assertTrue(client.execute("// a line more\n\n/* and\nmore */ int picked = five[at];").traceback()
                .contains("    4 | more */ int picked = five[at];"));
    }

    @Test
    void overloadsOfSeveralCellsCallEachOther() {
        run("int size(int n) { return n; }\nint size(String text) { return size(text.length()); }");
        run("int size(List<?> many) { return size(many.size()) + size(\"ab\"); }");
        isNow("5", "size(List.of(1, 2, 3))");
        run("int size(int n) { return n * 10; }");
        isNow("50", "size(List.of(1, 2, 3))");
    }

    @Test
    void sealedTypesAndTheirSubtypesMayStandInSeveralCells() {
        run("sealed interface Shape permits Circle, Square { }\nrecord Circle(double r) implements Shape { }\n"
                + "record Square(double a) implements Shape { }");
        run("double area(Shape s) { return switch (s) { case Circle c -> 3 * c.r(); case Square q -> q.a() * q.a(); }; }");
        isNow("16.0", "area(new Square(4))");
    }

    @Test
    void whatAClassHidesFromOtherPackagesItsSubclassesOfLaterCellsSee() {
        run("abstract class Layer { protected int n = 2; abstract int width(); int both() { return n + width(); } Layer() { } }");
        run("class Wide extends Layer { int width() { return n * 10; } }");
        isNow("22", "new Wide().both()");
    }

    @Test
    void anObjectOfAFormerClassStillFindsWhatItsCodeNames() {
        run("class Helper { int f() { return 7; } }\nclass User { int g() { return new Helper().f(); } }");
        run("Object kept = new User();");
        isNow("7", "new Helper().f()");
        run("class Helper { long other; int f() { return 8; } }");
        run("class User { long other; int g() { return new Helper().f(); } }");
        // the former Helper is not yet known to the former User, and a collection does not take it away
        run("Alive.count();");
        isNow("7", "(Object) kept.getClass().getMethod(\"g\").invoke(kept)");
        isNow("8", "new User().g()");
    }

    @Test
    void classesThatWereReplacedGo() {
        assumeFalse(Acceleration.switchedOff(), "only the accelerator makes JShell do so");
        run("Alive.all.clear();");
        for (int i = 0; i < 8; i++) {
            run("class Changing { int f%d; Supplier<Integer> g() { return () -> f%d; } }".formatted(i, i));
            run("{ Alive.watch(Changing.class); new Changing().g().get(); }");
            run((i % 2 == 0 ? "int" : "String") + " typed = " + (i % 2 == 0 ? "1" : "\"1\"") + ";");
            run("var made = Stream.of(1).map(n -> Alive.watch(new int[n])).toList();");
            run("int method(int n) { return IntStream.range(0, n).map(k -> k + %d).sum(); }".formatted(i));
            run("method(3);");
        }
        // one class is the newest; one array is held by the newest list
        isNow("2", "Alive.count()");
    }

    @Test
    void manyDeclarationsLeaveNoClassesBehind() {
        assumeFalse(Acceleration.switchedOff(), "only the accelerator makes JShell do so");
        String count = "{ Alive.count(); System.out.println(java.lang.management.ManagementFactory"
                + ".getClassLoadingMXBean().getLoadedClassCount()); }";
        long[] classes = new long[3];
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 20; i++) {
                run("var list = Stream.of(1, 2, %d).map(n -> n + 1).toList();".formatted(i));
                run("class Turn%d { int f%d; }".formatted(i % 2, i));
                run("new Turn%d().f%d = 3;".formatted(i % 2, i));
            }
            classes[round] = Long.parseLong(client.execute(count).stdout().strip());
        }
        // 60 declarations a round: the JDK may load a few classes late, one for each of ours would be more
        assertTrue(classes[2] <= classes[1] + 15, "%d, then %d, then %d".formatted(classes[0], classes[1], classes[2]));
    }
}

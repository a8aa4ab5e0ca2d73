package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Woven code lets go of a tensor when CPython would: variables, arguments and results of methods. */
class WovenTest extends WovenCase {

    @Test
    void anUnnamedResultGoesWhenTheCallThatTookItHasReturned() throws Exception {
        marks("", "var y = one().add(1).mul(2).sub(3); mark();", 1);
        // two at a time: what goes in and what comes out
        assertEquals(2, peak());
        assertEquals(0, left());
    }

    @Test
    void aVariableMayEndWhereNothingCanCome() throws Exception {
        // the last statement of the handler and what follows are not reached: the compiler leaves them out, and the end of e
        marks("static int f(Tensor a) { try { try { if (false || true) throw new UnsupportedOperationException(); }"
                + " finally { a = a.add(1); } } catch (RuntimeException e) { String m = e.toString(); if (!(false)) return 1;"
                + " switch ((Object) m) { case String q -> { } default -> { String n = m; } } }"
                + " return (switch (\"x\") { case \"a\": yield 8; default: yield 2; }); }",
                "var x = one(); f(x); mark();", 1);
    }

    @Test
    void aVariableLetsItsOldValueGoAfterTheNewOneIsMade() throws Exception {
        marks("", "var x = one(); mark(); x = x.add(1); mark(); x = null; mark();", 1, 1, 0);
        assertEquals(2, peak());
    }

    @Test
    void anAliasKeepsIt() throws Exception {
        marks("", "var x = one(); var y = x; x = x.add(1); mark(); y = null; mark();", 2, 1);
        assertEquals(0, left());
    }

    @Test
    void aMethodLetsItsLocalsGoAtItsEnd() throws Exception {
        marks("static Tensor f(Tensor a) { var b = a.add(1); var c = b.mul(2); mark(); return c; }",
                "var x = one(); var y = f(x); mark(); f(x); mark();", 3, 2, 4, 2);
        assertEquals(0, left());
    }

    @Test
    void aParameterThatIsAssignedLeavesTheCallersValue() throws Exception {
        marks("static Tensor f(Tensor a) { a = a.add(1); a = a.mul(2); return a; }",
                "var x = one(); var y = f(x); mark(); x.add(0); f(f(x)); mark();", 2, 2);
        assertEquals(0, left());
    }

    @Test
    void anInPlaceOperationGivesTheSameTensor() throws Exception {
        marks("", "var x = one(); x.add_(1).mul_(2); mark(); var y = one().add_(1); mark(); x = y.mul_(2); mark();", 1,
                2, 1);
        assertEquals(0, left());
    }

    @Test
    void aClassWithAMethodThatWouldBeTooLargeIsRefused() {
        String many = "all.add(one().add(all.get(0)));\n".repeat(700);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> Woven.run(MAKE, "var all = new ArrayList<Tensor>(); all.add(one());\n" + many));
        assertTrue(refused.getMessage().contains("Code length"), refused.getMessage());
        // one that would fit, but leave no room for what else is woven in
        String fewer = "all.add(one().add(all.get(0)));\n".repeat(560);
        refused = assertThrows(IllegalArgumentException.class,
                () -> Woven.run(MAKE, "var all = new ArrayList<Tensor>(); all.add(one());\n" + fewer));
        assertTrue(refused.getMessage().contains("too large"), refused.getMessage());
    }

    @Test
    void aClassWithAJumpThatWouldBeTooFarIsRefused() {
        // to the loop's beginning, more than 32,767 bytes away in a method that would fit
        String far = "for (int i = 0; i < 2; i++) {\n" + "all.add(one().add(all.get(0)));\n".repeat(340) + "}";
        assertThrows(IllegalArgumentException.class,
                () -> Woven.run(MAKE, "var all = new ArrayList<Tensor>(); all.add(one());\n" + far));
    }

    @Test
    void manyThrowsAndReturnsDoNotMakeAMethodTooLarge() throws Exception {
        // each switch has its MatchException, each try two handlers; there are 60 variables to let go of at each exit
        StringBuilder body = new StringBuilder("static int many(Object x) {\n");
        for (int i = 0; i < 60; i++) {
            body.append("""
                    try {
                        Tensor t%1$d = one();
                        if (x == t%1$d) return %1$d;
                        switch (new Box(x)) { case Box(String s) when s.length() == %1$d -> { return s.length(); }
                            case Box(var other) -> { } }
                    } catch (IllegalStateException e) { if (x == e) return -%1$d; throw e; }
                    """.formatted(i));
        }
        marks("record Box(Object x) { }\n" + body + "return 0; }", "many(\"abc\"); mark(); many(7); mark();", 0, 0);
    }

    @Test
    void aChoiceHoldsWhatItChose() throws Exception {
        marks("", """
                var a = one();
                for (int i = 0; i < 4; i++) {
                    var b = i % 2 == 0 ? a : one();
                    var c = (i % 2 == 0 ? one() : a).add(1);
                    int n = i;
                    var d = switch (n) { case 0 -> a; case 1 -> one(); default -> { var e = one(); yield e.add(1); } };
                }
                mark();
                """, 4 + 1);
        assertEquals(0, left());
    }

    @Test
    void anExceptionKeepsTheVariablesItHasLeftUntilItHasBeenHandled() throws Exception {
        // x, and the b that the traceback keeps; what was unnamed is gone
        marks("static Tensor fails(Tensor a) { var b = a.add(1); mark(); if (true) throw new IllegalStateException(); return b; }",
                """
                        var x = one();
                        try {
                            one().add(fails(x)).mul(2);
                        } catch (IllegalStateException e) {
                            mark();
                        }
                        mark();
                        """, 3, 2, 1);
        assertEquals(0, left());
    }

    @Test
    void anExceptionThatIsThrownOnKeepsThemToo() throws Exception {
        marks("""
                static void fails() { var b = one(); throw new IllegalStateException(); }
                static void through() {
                    var c = one();
                    try {
                        fails();
                    } catch (IllegalStateException e) {
                        mark();
                        throw e;
                    } finally {
                        mark();
                    }
                }""", """
                try {
                    through();
                } catch (IllegalStateException e) {
                    mark();
                } finally {
                    mark();
                }
                """, 2, 2, 2, 0);
    }

    @Test
    void aVariableLivesToTheEndOfItsMethodAndIsOneWithTheOthersOfItsName() throws Exception {
        marks("", """
                for (int i = 0; i < 2; i++) {
                    var a = one();
                    mark();
                }
                mark();
                if (true) {
                    var b = one();
                    mark();
                }
                {
                    var a = one().add(1);
                    mark();
                }
                {
                    Tensor b = null;
                    mark();
                }
                """, 1, 1, 1, 2, 2, 1);
    }

    @Test
    void anUnnamedArgumentIsGivenAwayAsInCPython() throws Exception {
        // a itself is gone before its sum is doubled
        marks("static Tensor f(Tensor a) { a = a.add(1); mark(); return a.mul(2); }",
                "var x = f(one()); mark(); var y = f(x); mark();", 1, 1, 2, 2);
    }
}

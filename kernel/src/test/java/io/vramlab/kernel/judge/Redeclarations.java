package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** Sessions in which a handful of names is declared again and again, before and after what names them. */
final class Redeclarations {

    private static final int CELLS = 12;

    private final Dice dice;

    private Redeclarations(Dice dice) {
        this.dice = dice;
    }

    /** The session that this seed stands for. */
    static CellSequence sequence(long seed) {
        Redeclarations made = new Redeclarations(new Dice(seed));
        List<Cell> cells = new ArrayList<>();
        for (int i = 0; i < CELLS; i++) {
            cells.add(new Cell(List.of(new Part.Action(made.cell())), false));
        }
        return new CellSequence(seed, cells);
    }

    private String cell() {
        int n = dice.upTo(20);
        return switch (dice.upTo(14)) {
            case 0 -> dice.pick("int", "int", "long") + " x = " + n + ";";
            case 1 -> "String s = \"t" + n + "\";";
            case 2, 3 ->
                "class A { int j = %d; int k() { return %s; } }".formatted(n, dice.pick("j", "j + 1", "f(j)", "j * x"));
            case 4 -> dice.pick("class B extends A { int k() { return super.k() + %d; } }",
                    "class B extends A { int m() { return %d; } }").formatted(n);
            case 5 -> dice.pick("record R(int n) { int twice() { return n * %d; } }",
                    "record R(int n, int... more) { int twice() { return %d; } }").formatted(n);
            case 6 ->
                dice.pick("int f(int n) { return n + %d; }", "int f(int n) { return n > 100 ? 0 : g(n * 2) + %d; }")
                        .formatted(n);
            case 7 -> dice.pick("int g(int n) { return n - %d; }", "int g(int n) { return new A().j + n - %d; }",
                    "int g(int n) { return s.length() + %d; }").formatted(n);
            case 8 -> dice.pick("A a = new A();", "A b = new B();", "R r = new R(%d);", "var v = new A();",
                    "int y = f(%d);", "int[] many = {%d, 2};").formatted(n);
            case 9 -> dice.pick("E e = E.TWO;", "enum E { ONE, TWO; int o() { return ordinal() + %d; } }",
                    "interface I { default int d() { return %d; } }", "class C implements I { }").formatted(n);
            // wrong ones in the middle
            case 10 -> dice.pick("int x = \"no\";", "class A { int k() { return \"no\"; } }", "f(\"no\")",
                    "undeclared + 1", "int g(int n) { }", "throw new IllegalStateException(\"%d\");").formatted(n);
            default -> dice.pick("x", "f(%d)", "g(%d)", "new A().k()", "new B().k()", "new R(%d).twice()", "s + x",
                    "a.k()", "b.k()", "r", "v.j", "y",
                    "x += %d", "s = s + %d", "a.j = %d", "many[0]++", "System.out.println(s + x);", "e.o()",
                    "new C().d()").formatted(n);
        };
    }
}

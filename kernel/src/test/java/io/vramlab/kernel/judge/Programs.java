package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** What {@link AnyJavaTest} tries: cells divided by {@code ---}, and behind {@code =>} what the last one prints and shows. */
final class Programs {

    private static final String FAMILY = """
            class P { int n() { return 1; } }
            class Bl extends P { int n() { return 2; } }
            class Cl extends P { int n() { return 3; } }
            """;

    private Programs() {
    }

    private static List<String> after(String begin, String... ends) {
        List<String> all = new ArrayList<>();
        for (String each : ends) {
            all.add(begin + "---\n" + each);
        }
        return all;
    }

    /** Where the compiler's frames, and ours, have to find the class that two others extend. */
    static List<String> meetings() {
        List<String> all = new ArrayList<>(after(FAMILY,
                "P p = Math.random() < 2 ? new Bl() : new Cl();\n---\np.n()\n=> Integer:2",
                "P p = Math.random() > 2 ? new Bl() : new Cl();\np.n()\n=> Integer:3",
                "var p = Math.random() < 2 ? new Bl() : new Cl();\n---\np.n()\n=> Integer:2",
                "P p = switch ((int) (Math.random() * 0)) { case 0 -> new Bl(); case 1 -> new Cl(); default -> new P(); };\n---\np.n()\n=> Integer:2",
                "P p = switch (\"c\") { case \"b\": yield new Bl(); default: yield new Cl(); };\n---\np.n()\n=> Integer:3",
                "P choose(int k) { return k > 0 ? new Bl() : new Cl(); }\n---\nchoose(1).n() * 10 + choose(0).n()\n=> Integer:23",
                "P choose(int k) { P p; if (k > 0) p = new Bl(); else p = new Cl(); return p; }\n---\nchoose(1).n() * 10 + choose(0).n()\n=> Integer:23",
                "int sum() { int s = 0; for (P p : new P[] {new Bl(), new Cl()}) { try { try { s += p.n(); } finally { s *= 10; } } catch (RuntimeException e) { p = new P(); } } return s; }\n---\nsum()\n=> Integer:230",
                "{ P p = new Bl(); for (int i = 0; i < 3; i++) { try { if (i == 1) throw new Error(); System.out.print(p.n()); } catch (Error e) { p = new Cl(); } } }\n=> 23",
                "P p = new Bl();\nwhile (p.n() < 3) { p = p instanceof Bl ? new Cl() : p; }\np.n()\n=> Integer:3",
                "(Math.random() < 2 ? new Bl() : new Cl()).n()\n=> Integer:2",
                "new P[] {new Bl(), Math.random() < 2 ? new Cl() : new Bl()}[1].n()\n=> Integer:3",
                "List<P> all = new ArrayList<>();\nfor (int i = 0; i < 2; i++) all.add(i == 0 ? new Bl() : new Cl());\nall.stream().mapToInt(P::n).sum()\n=> Integer:5",
                "Supplier<P> make(boolean b) { return b ? Bl::new : () -> new Cl(); }\n---\nmake(true).get().n() + make(false).get().n()\n=> Integer:5",
                "Supplier<P> s = () -> { P p = new Bl(); if (p.n() == 2) { P q = p; p = new Cl(); p = q.n() > 5 ? q : p; } return p; };\n---\ns.get().n()\n=> Integer:3",
                "Object o = Math.random() < 2 ? new Bl() : \"text\";\n---\no instanceof P p ? p.n() : -1\n=> Integer:2",
                "int n(Object o) { return switch (o) { case Bl b when b.n() > 5 -> 0; case Bl b -> b.n(); case P p -> 10 * p.n(); default -> -1; }; }\n---\nn(new Bl()) + n(new Cl())\n=> Integer:32",
                "class Holder { P p; Holder(boolean b) { p = b ? new Bl() : new Cl(); } static P made = Math.random() < 2 ? new Cl() : new Bl(); }\n---\nnew Holder(true).p.n() * 10 + Holder.made.n()\n=> Integer:23",
                "P[] both = {new Bl(), new Cl()};\nboth[both.length > 1 ? 1 : 0].n()\n=> Integer:3",
                "<T extends P> T first(T a, T b) { T t = a; for (int i = 0; i < 1; i++) { t = t == a ? b : a; } return t; }\n---\nfirst(new Bl(), new Cl()).n() + Stream.of(new Bl(), new Cl()).map(p -> p.n() > 2 ? p : new P()).mapToInt(P::n).sum()\n=> Integer:7",
                "P p = null;\nlabel: for (int i = 0; ; i++) { for (P q = new Bl(); ; q = new Cl()) { if (q.n() == 3) { p = q; break label; } } }\np.n()\n=> Integer:3",
                "P p;\n---\np = Math.random() < 2 ? new Bl() : new Cl();\n---\np.n()\n=> Integer:2"));
        all.addAll(after("""
                interface I { default int n() { return 1; } }
                record A(int k) implements I { public int n() { return k; } }
                enum E implements I { ONE, TWO { public int n() { return 20; } } }
                """,
                "I i = Math.random() < 2 ? new A(4) : E.ONE;\ni.n()\n=> Integer:4",
                "int sum = 0;\nfor (I i = new A(1); i.n() < 20; i = i instanceof A ? E.ONE : E.TWO) { sum += i.n(); if (sum > 50) break; }\nsum\n=> Integer:2",
                "I i = new I() { }; { I j = i.n() == 1 ? E.TWO : new A(9); System.out.print(j.n()); }\n=> 20"));
        return all;
    }

    /** Names that the session imports. */
    static List<String> names() {
        return List.of(
                "sealed interface Shape permits Circle, Square {}\nrecord Circle(double r) implements Shape { }\nrecord Square(double a) implements Shape { }\n---\nShape s = new Circle(2);\nswitch (s) { case Circle c -> 2 * c.r(); case Square q -> q.a() + 1; }\n=> Double:4.0",
                "sealed interface Shape permits Circle, Square {}\n---\nrecord Circle(double r) implements Shape { }\nrecord Square(double a) implements Shape { }\n---\ndouble of(Shape s) { return switch (s) { case Circle c -> c.r(); case Square q -> q.a(); }; }\n---\nof(new Square(3))\n=> Double:3.0",
                "record Shape(int corners) { }\n---\nnew Shape(3).corners()\n=> Integer:3",
                "class Shape { int corners = 4; }\nnew Shape().corners\n=> Integer:4",
                "enum Shape { ROUND, FLAT }\n---\nShape.valueOf(\"FLAT\").ordinal()\n=> Integer:1",
                "Shape none = null;\n---\nclass Shape { int corners = 4; }\n---\nnew Shape().corners\n=> Integer:4",
                "class List { int n = 1; }\n---\nnew List().n\n=> Integer:1",
                "List<Integer> before = List.of(1);\nbefore.size()\n---\nclass List { int n = 7; }\n---\nnew List().n\n=> Integer:7",
                "record Scanner(String text) { }\n---\nnew Scanner(\"a\").text()\n=> String:a",
                "enum Future { NEAR, FAR }\n---\nFuture.FAR.name()\n=> String:FAR",
                "interface Function { int of(int n); }\n---\nFunction f = n -> n + 1;\n---\nf.of(2)\n=> Integer:3",
                "class Optional<T> { T t; Optional(T t) { this.t = t; } }\n---\nvar o = new Optional<>(\"x\");\no.t\n=> String:x",
                "String magic(String text) { return \"mine \" + text; }\n---\nmagic(\"a\")\n=> String:mine a",
                "magic(\"a\")\n---\nString magic(String text) { return \"mine \" + text; }\n---\nmagic(\"a\")\n=> String:mine a",
                "int WIDTH = 3;\n---\nWIDTH\n=> Integer:3",
                "WIDTH\n---\nString WIDTH = \"w\";\n---\nWIDTH + 1\n=> String:w1",
                "WIDTH\n=> Integer:100",
                "magic(\"a\")\n=> String:given a",
                "import java.util.concurrent.Flow.*;\nclass Subscriber { int n = 5; }\n---\nnew Subscriber().n\n=> Integer:5",
                "class Stack { int n = 2; }\nclass Queue extends Stack { }\n---\nnew Queue().n\n=> Integer:2",
                "class Date { int y = 1; Date next() { Date d = new Date(); d.y = y + 1; return d; } }\n---\nDate d = new Date().next();\nd.y\n=> Integer:2",
                "record Matcher(int k) { }\nrecord Pattern(Matcher m) { }\n---\n((Object) new Pattern(new Matcher(3))) instanceof Pattern(Matcher(int k)) ? k : -1\n=> Integer:3",
                "class Shape { static int count = 0; Shape() { count++; } }\n---\nnew Shape();\nShape.count\n---\nclass Shape { static int count = 10; Shape() { count++; } }\n---\nnew Shape();\nShape.count\n=> Integer:11");
    }

    /** Kinds of snippets whose last semicolon may be missing. */
    static List<String> open() {
        List<String> all = new ArrayList<>(after("int f(int a, int b) { return a * b; }\nint x = 1;\n",
                "var y = f(2, 2)\n---\ny\n=> Integer:4",
                "int y = 3\n---\ny\n=> Integer:3",
                "int y\n---\ny\n=> Integer:0",
                "int y = 3, z = 4\n---\ny + z\n=> Integer:7",
                "int[] y = {1, 2}\n---\ny.length\n=> Integer:2",
                "String y = \"a;\"\n---\ny\n=> String:a;",
                "var y = 'c' // a comment; with a semicolon\n---\ny\n=> Character:c",
                "var y = 5 /* a comment */\n---\ny\n=> Integer:5",
                "var y = 5 // a\n// b\n\n---\ny\n=> Integer:5",
                "final var y = new ArrayList<Integer>()\n---\ny.size()\n=> Integer:0",
                "import java.time.Duration\n---\nDuration.ofSeconds(1).toMillis()\n=> Long:1000",
                "import java.time.*\n---\nDuration.ofSeconds(2).toMillis()\n=> Long:2000",
                "import static java.lang.Math.abs\n---\nabs(-2)\n=> Integer:2",
                "x = 4\n=> Integer:4",
                "x += 4\n=> Integer:5",
                "x++\n---\nx\n=> Integer:2",
                "System.out.println(x)\n=> 1",
                "throw new IllegalStateException(\"told\")\n=> !java.lang.IllegalStateException: told",
                "do x++; while (x < 5)\n---\nx\n=> Integer:5",
                "do { x++; } while (x < 6) // until six\n---\nx\n=> Integer:6",
                "for (int i = 0; i < 3; i++) x += i\n---\nx\n=> Integer:4",
                "if (x > 0) x = 9\n---\nx\n=> Integer:9",
                "if (x > 5) x = 9; else x = 8\n---\nx\n=> Integer:8",
                "while (x < 7) x++\n---\nx\n=> Integer:7",
                "for (;;) if (x++ > 3) break\n---\nx\n=> Integer:5",
                "Supplier<Integer> y = () -> 3\n---\ny.get()\n=> Integer:3",
                "Supplier<Integer> y = () -> { return 3; }\n---\ny.get()\n=> Integer:3",
                "Function<Integer, Integer> y = n ->\n  n + x\n---\ny.apply(2)\n=> Integer:3",
                "Object y = new Object() { public String toString() { return \"anonymous\"; } }\n---\ny.toString()\n=> String:anonymous",
                "int y = switch (x) { case 1 -> 10; default -> 20; }\n---\ny\n=> Integer:10",
                "assert x == 1\n---\nx\n=> Integer:1",
                "new int[] {1, 2}.clone()\n=> int[]{Integer:1, Integer:2}",
                "x = 2; int y = x\n---\ny\n=> Integer:2",
                "int g(int n) { return n + 1; } var y = g(x)\n---\ny\n=> Integer:2",
                "label: for (int i = 0; ; i++) if (i > 2) break label\n---\nx\n=> Integer:1",
                "synchronized (\"\") { x = 3; }\n---\nx\n=> Integer:3"));
        return all;
    }

    /** Cells that do not compile. */
    static List<String> refused() {
        return List.of("class Bad { int x = \"s\"; }", "record Bad(int n) { Bad { n = \"s\"; } }",
                "record Bad(int n) { public Bad { return; } }", "record Bad(int n) { private Bad { } int n; }",
                "class Bad { void f() { int x = \"s\"; } }",
                "class Bad extends Good { String twice() { return \"\"; } }",
                "class Bad implements Runnable { }", "enum Bad { A, B; int n = \"s\"; }",
                "interface Bad { int n; }", "interface Bad { default int f() { return \"s\"; } }",
                "sealed interface Bad permits Good { }", "final class Bad { abstract void f(); }",
                "class Good { int n = \"s\"; }", "record Pair(int a, String b) { Pair { a = b; } }",
                "int bad() { return \"s\"; }", "int bad = \"s\";", "Good good = new Pair(1, \"b\");", "var bad = null;",
                "class Bad { Bad() { this(); } }", "class Bad { int f() { } }",
                "class Bad { static { throw new Error(); } }",
                "@Override class Bad { }", "class Bad extends Bad { }", "for (int i = 0; i < \"s\"; i++) { }",
                "enum Pair { A(1); }");
    }
}

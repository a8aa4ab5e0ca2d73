package io.vramlab.kernel.judge;

/** Records, their compact constructors, and their patterns, one in another. */
final class Records implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String point = draft.name("Point");
        String pair = draft.name("Pair");
        draft.type("""
                record %s(int x, int y) implements Comparable<%s> {
                    static final int LIMIT = %d;
                    %s%s {
                        if (x > LIMIT) throw new IllegalArgumentException("x is " + x);
                        y = y * %d;
                    }
                    %s(int both) { this(both, both); }
                    int sum() { return x + y; }
                    public int compareTo(%s other) { return Integer.compare(sum(), other.sum()); }
                    static %s origin() { return new %s(0); }
                }""", point, point, 20 + dice.upTo(20),
                dice.chance(Integer.getInteger("judge.compact", 0)) ? "" : "public ", point, draft.small(), point,
                point, point, point);
        draft.type("record %s<A, B extends Comparable<B>>(A left, B right, int... rest) { B right() { return right; } }"
                .replace(" { B right() { return right; } }",
                        dice.chance(50)
                                ? " { public B right() { System.out.println(\"right\"); return right; } }"
                                : " { }"),
                pair);
        String p = draft.variable(point, "new %s(%d, %s)".formatted(point, draft.small(), draft.expression("int")));
        String q = draft.name("v");
        draft.add(new Part.Variable("%s<%s, String>".formatted(pair, point), q,
                "new %s<>(%s, %s, 1, 2)".formatted(pair, p, draft.expression("String")), false));
        draft.value(p);
        draft.value("%s.equals(new %s(%s.x(), 0)) || %s.hashCode() == new %s(%s.x(), %d).hashCode()", p, point, p, p,
                point, p, draft.small());
        String match = draft.name("match");
        draft.method("""
                String %s(Object given) {
                    return switch (given) {
                        case %s(int x, int y) when x > y -> "big " + x;
                        case %s(%s(var a, int b), String s, var rest) when rest.length > 1 -> s + a + b + rest[1];
                        case %s(Integer i, Long l, int[] _) -> "numbers " + (i + l);
                        case %s(var left, var right, _) -> "pair " + left + "," + right;
                        case int[] many -> "ints " + many.length;
                        case null -> "nothing";
                        default -> given.getClass().getSimpleName();
                    };
                }""", match, point, pair, point, pair, pair);
        for (String each : new String[]{p, q, "new %s<>(3, 4L)".formatted(pair), "new int[2]", "null",
                "new %s<>(\"l\", 2.5)".formatted(pair), draft.expression("int")}) {
            if (dice.chance(60)) {
                draft.value("%s(%s)", match, each);
            }
        }
        draft.action(
                "if (%s instanceof %s(%s(int a, var b), String s, _) && a < b) { System.out.println(s + a); } else { System.out.println(\"no \" + %s); }",
                "((Object) " + q + ")", pair, point, p);
        draft.value("new %s(%d)", point, 10 + dice.upTo(30));
        draft.value(
                "Stream.of(%s, %s.origin(), new %s(2, 1)).sorted().map(%s::toString).collect(Collectors.joining(\";\"))",
                p, point, point, point);
    }
}

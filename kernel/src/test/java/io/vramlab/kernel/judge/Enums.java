package io.vramlab.kernel.judge;

/** Enums with bodies, constructors and switches over them. */
final class Enums implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String op = draft.name("Op");
        draft.type("""
                enum %s {
                    PLUS("+") { int apply(int a, int b) { return a + b; } },
                    TIMES("*") { int apply(int a, int b) { return a * b; } int order() { return super.order() * %d; } },
                    LAST("?") { int apply(int a, int b) { return values().length * a - b; } };
                    final String sign;
                    private static final Map<String, %s> BY_SIGN = new TreeMap<>();
                    static { for (%s each : values()) BY_SIGN.put(each.sign, each); }
                    %s(String sign) { this.sign = sign; }
                    abstract int apply(int a, int b);
                    int order() { return ordinal() + %d; }
                    static %s of(String sign) { return BY_SIGN.get(sign); }
                }""", op, draft.small(), op, op, op, draft.small(), op);
        String o = draft.variable(op, "%s.of(\"%s\")".formatted(op, dice.pick("+", "*", "?")));
        draft.value("%s.apply(%s, %s) + %s.order()", o, draft.expression("int"), draft.expression("int"), o);
        String old = draft.name("old");
        draft.method(
                """
                        int %s(%s given) {
                            int n = %d;
                            switch (given) {
                                case PLUS: n++;
                                case TIMES: n += 10; break;
                                default: n = -n;
                            }
                            return n + switch (given) { case PLUS -> 1; case TIMES -> { int k = n; yield k * 2; } case LAST -> 3; };
                        }""",
                old, op, draft.small());
        draft.action("for (var each : %s.values()) System.out.println(each + \" \" + %s(each) + each.sign);", op, old);
        String map = draft.name("v");
        draft.add(new Part.Variable("EnumMap<%s, Integer>".formatted(op), map, "new EnumMap<>(%s.class)".formatted(op),
                false));
        draft.action("%s.put(%s, %s);", map, o, draft.expression("int"));
        draft.action("%s.merge(%s.LAST, 5, Integer::sum);", map, op);
        draft.value(map);
        draft.value("%s.valueOf(\"%s\").compareTo(%s.LAST)", op, dice.pick("PLUS", "TIMES", "MINUS"), op);
        draft.value("switch (%s) { case PLUS, TIMES -> \"known\"; case LAST -> \"last\"; }", o);
    }
}

package io.vramlab.kernel.judge;

/** Methods of one name, between which the types of the arguments decide. */
final class Overloads implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String f = draft.name("over");
        boolean ofArrays = dice.chance(50);
        for (String parameters : new String[]{"int a", "long a", "Object a", "Integer a", "char a", "double a, int b",
                "String a", "List<?> a", "long a, long b", "boolean a"}) {
            if (parameters.equals("Object a") || dice.chance(50)) {
                draft.method("String %s(%s) { return \"%s \" + a; }", f, parameters, parameters);
            }
        }
        if (ofArrays) {
            draft.method("String %s(int%s a) { return \"many \" + a.length; }", f, dice.pick("[]", "..."));
        }
        for (String argument : new String[]{"1", "2L", "'c'", "(byte) 3", "\"s\"", "Integer.valueOf(4)", "List.of(5)",
                "1.5f",
                "(short) 6 + 1", "true", draft.expression("int"), draft.expression("long"),
                draft.expression("String")}) {
            if (dice.chance(40)) {
                draft.value("%s(%s)", f, argument);
            }
        }
        if (ofArrays) {
            draft.value("%s(new int[] {7, 8})", f);
        }
        String g = draft.name("over");
        draft.method("int %s(long n) { return n <= 0 ? 100 : %s(n - %d) + 10; }", g, g, draft.small());
        draft.method("int %s(int n) { return n <= 0 ? 1 : %s((long) n - 1) + 1; }", g, g);
        draft.value("%s(%d)", g, 3 * draft.small());
        draft.value("%s(%dL)", g, 3 * draft.small());
        draft.value("IntStream.range(0, 3).map(%s -> %s(%s)).sum()", "k", g, "k");
    }
}

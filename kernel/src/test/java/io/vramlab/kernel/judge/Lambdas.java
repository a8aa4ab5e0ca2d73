package io.vramlab.kernel.judge;

/** Lambdas and method references that capture what can be captured, kept in variables and made by methods. */
final class Lambdas implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String adder = draft.name("adder");
        String holder = draft.name("Holder");
        draft.method(
                "Function<Integer, Function<Integer, Integer>> %s(int by) { long wide = by; double d = by / 2.0; return a -> { int k = a + by; return b -> (int) (k * b + wide + d); }; }",
                adder);
        draft.type(
                "class %s { int n; %s(int n) { this.n = n; } int plus(int m) { return n + m; } static int neg(int m) { return -m; } Supplier<IntSupplier> later() { return () -> () -> n++ + %d; } }",
                holder, holder, draft.small());
        String f = draft.name("v");
        draft.add(new Part.Variable("Function<Integer, Function<Integer, Integer>>", f,
                adder + "(%d)".formatted(draft.small()), dice.chance(50)));
        draft.value("%s.apply(%s).apply(%s)", f, draft.expression("int"), draft.expression("int"));
        String h = draft.variable(holder, "new %s(%d)".formatted(holder, draft.small()));
        String op = draft.name("v");
        draft.add(new Part.Variable("IntUnaryOperator", op,
                dice.pick(h + "::plus", holder + "::neg", "n -> n * " + h + ".n",
                        "new %s(3)::plus".formatted(holder), "IntUnaryOperator.identity().andThen(k -> k + 1)"),
                false));
        draft.value("%s.applyAsInt(%s)", op, draft.expression("int"));
        draft.action("%s.n += 5;", h);
        draft.value("%s.andThen(%s).applyAsInt(%d)", op, op, draft.small());
        draft.value("Stream.of(1, 2, 3).map(%s::new).map(each -> each.plus(%s)).toList()", holder,
                draft.expressions.of("int", draft.scope.captured(), 1));
        String again = draft.name("v");
        draft.add(new Part.Variable("IntSupplier", again, h + ".later().get()", false));
        draft.action("System.out.println(%s.getAsInt() + %s.getAsInt() * 100 + %s.n);", again, again, h);
        String rec = draft.name("v");
        draft.add(new Part.Variable("Function<Integer, Integer>[]", rec, "new Function[1]", false));
        draft.action("%s[0] = n -> n <= 1 ? 1 : n * %s[0].apply(n - 1);", rec, rec);
        draft.value("%s[0].apply(%d)", rec, draft.small());
        draft.add(new Part.Variable("Runnable", draft.name("v"),
                "() -> System.out.println(%s)".formatted(draft.expression("String")), false));
        draft.action("((Runnable) () -> { %s System.out.println(\"ran\"); }).run();",
                draft.statements.atTop(draft.scope.captured(), 2) + "\n");
        draft.value("((Supplier<Supplier<String>>) () -> () -> %s).get().get()",
                draft.expressions.of("String", draft.scope.captured(), 2));
    }
}

package io.vramlab.kernel.judge;

/** Exceptions in the middle of a cell: what was done before stays, what stands behind is not done. */
final class Failures implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String boom = draft.name("Boom");
        String deep = draft.name("deep");
        String v = draft.variable("int", Integer.toString(draft.small()));
        draft.type(
                "class %s extends %s { final int code; %s(String m, int code, Throwable cause) { super(m, cause); this.code = code; } }",
                boom, dice.pick("Exception", "RuntimeException", "Error", "java.io.IOException"), boom);
        draft.method("""
                int %s(int n) throws %s {
                    try {
                        if (n == 0) throw new IllegalStateException("at the bottom");
                        return %s(n - 1) + 1;
                    } catch (IllegalStateException e) {
                        throw new %s("level " + n, n, e);
                    } finally {
                        %s++;
                    }
                }""", deep, boom, deep, boom, v);
        draft.action("%s(%d);", deep, draft.small());
        draft.action(
                "try { %s(2); } catch (%s e) { System.out.println(e.getMessage() + e.code + e.getCause().getMessage()); }",
                deep, boom);
        String lost = draft.name("v");
        draft.add(new Part.Variable("int", lost, "%s(1) + 3".formatted(deep), false));
        draft.value(lost);
        String kept = draft.name("v");
        draft.add(new Part.Variable("String", kept, "null", false));
        draft.value("%s.length()", kept);
        draft.action("%s",
                dice.pick("throw new %s(\"thrown\", 1, null);".formatted(boom),
                        "System.out.println(new int[] {1, 2}[%s + 2]);".formatted(v),
                        "System.out.println((Integer) (Object) \"x\");",
                        "List.of(1).add(2);", "new int[-%d].clone();".formatted(draft.small()),
                        "assert %s > 1000 : \"told\";".formatted(v),
                        "Integer.parseInt(\"x\" + %s);".formatted(v), "List.of(1, 2).get(%s + 5);".formatted(v),
                        "new ArrayDeque<>().pop();",
                        "((Object[]) new String[1])[0] = 1;"));
        String flow = draft.name("flow");
        draft.method(
                "int %s(int n) { try { if (n %% 2 == 0) throw new RuntimeException(); return n; } catch (RuntimeException e) { return -n; } finally { if (n > 3) return 1000; %s++; } }",
                flow, v);
        draft.value("%s(1) + %s(2) * 10 + %s(%d) * 100", flow, flow, flow, draft.small());
        draft.action(
                "%s += 100; System.out.println(%s); if (%s > 0) throw new %s(\"after printing\", %s, new Error(\"cause\"));",
                v, v, v, boom, v);
        draft.value(v);
    }
}

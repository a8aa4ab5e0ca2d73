package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** Classes that extend one another and implement interfaces with defaults, and places where objects of several meet. */
final class Families implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String base = draft.name("Base");
        String role = null;
        if (dice.chance(50)) {
            role = draft.name("Role");
            draft.type("""
                    interface %s {
                        int K = %d;
                        int size(int x);
                        default String title() { return "%s of " + getClass().getSimpleName() + size(K); }
                        static int twice(int n) { return n * 2 + K; }
                    }""", role, draft.small(), role);
        }
        boolean onlyInterface = role != null && dice.chance(25);
        List<String> classes = new ArrayList<>();
        if (onlyInterface) {
            base = role;
        } else {
            declareBase(draft, base, role);
        }
        String root = base;
        int count = 2 + dice.upTo(3);
        for (int i = 0; i < count; i++) {
            boolean deeper = !classes.isEmpty() && dice.chance(30);
            String parent = deeper ? dice.of(classes) : root;
            String name = draft.name("Leaf");
            declareLeaf(draft, name, parent, !deeper && onlyInterface, deeper || !onlyInterface && dice.chance(50));
            classes.add(name);
        }
        List<String> makers = new ArrayList<>(classes.stream().map(each -> "new " + each + "(%s)").toList());
        draft.scope.families.add(new Scope.Family(root, makers));
        use(draft, root);
    }

    private static Scope members(Draft draft) {
        Scope scope = new Scope();
        scope.local("int", "x", true);
        scope.names.add(new Scope.Name("int", "f", true, true));
        return scope;
    }

    private static void declareBase(Draft draft, String base, String role) {
        draft.type("""
                abstract class %s%s {
                    protected int f;
                    private final int kept;
                    static int made;
                    %s(int x) { f = %s; kept = f ^ 3; made++; }
                    %s int size(int x) { %s }
                    int both(int x) { return size(x) + size(x + 1) * made - kept; }
                    %s
                }""", base, role == null ? "" : " implements " + role, base,
                draft.expressions.of("int", members(draft), 1), role == null ? "" : "public",
                draft.statements.body("int", members(draft), 1),
                draft.dice.chance(40) ? "public String toString() { return \"" + base + " \" + f; }" : "");
    }

    private static void declareLeaf(Draft draft, String name, String parent, boolean implementing, boolean callsSuper) {
        Scope inside = members(draft);
        if (callsSuper) {
            inside.functions.add(new Scope.Function("int", "super.size", List.of("int")));
        }
        String body = draft.statements.body("int", inside, 2);
        if (implementing) {
            draft.type("class %s implements %s { int f; %s(int x) { f = x; } public int size(int x) {\n%s} }", name,
                    parent, name, body);
        } else {
            draft.type(
                    "class %s extends %s { private int own = f + %d; %s(int x) { super(x + %d); } public int size(int x) {\n%s} int own() { return own; } }",
                    name, parent, draft.small(), name, draft.small(), body);
        }
    }

    /** Places where javac's stack maps, and ours, must find the common supertype. */
    private static void use(Draft draft, String base) {
        Dice dice = draft.dice;
        String made = draft.expression(base);
        String p = draft.variable(base, "%s ? %s : %s".formatted(draft.expressions.of("boolean", draft.scope, 1),
                draft.expressions.of(base, draft.scope.inner(), 0), made));
        draft.value("%s.size(%d)", p, draft.small());
        if (dice.chance(60)) {
            String choose = draft.name("choose");
            Scope inside = draft.scope.captured();
            inside.local("int", "k", true);
            inside.local(base, "r", false);
            draft.method("""
                    %s %s(int k) {
                        %s r = null;
                        if (fuel-- < 0) return %s;
                        %s
                    }""", base, choose, base, p, draft.statements.body(base, inside, 2));
            draft.scope.functions.add(new Scope.Function(base, choose, List.of("int")));
            draft.value("%s(%d) == null ? -1 : %s(%d).size(2)", choose, draft.small(), choose, draft.small());
        }
        if (dice.chance(60)) {
            String all = draft.name("v");
            draft.add(new Part.Variable("List<" + base + ">", all, "new ArrayList<>(List.<%s>of(%s, %s))"
                    .formatted(base, draft.expression(base), draft.expression(base)), false));
            draft.action("for (%s each : %s) { System.out.println(each.size(%d)); }", base, all, draft.small());
            draft.value("%s.stream().mapToInt(e -> e.size(%d)).boxed().toList()", all, draft.small());
        }
        if (dice.chance(50)) {
            String array = draft.name("v");
            draft.add(new Part.Variable(base + "[]", array, "{%s, %s, null}".formatted(draft.expression(base),
                    draft.expression(base)), false));
            draft.value("%s[%d].size(%d)", array, dice.upTo(3), draft.small());
        }
        if (dice.chance(50)) {
            draft.variable(base, "switch (%s %% 3) { case 0 -> %s; case 1 -> { var t = %s; yield t; } default -> %s; }"
                    .formatted("(" + draft.expression("int") + ")", draft.expression(base), draft.expression(base),
                            draft.expression(base)));
        }
        draft.add(new Part.Action(draft.statements.atTop(draft.scope, 3)));
    }
}

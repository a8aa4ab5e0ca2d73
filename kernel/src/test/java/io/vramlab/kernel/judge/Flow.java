package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** Methods full of statements, resources that close, and forward references. */
final class Flow implements Feature {

    private static final List<String> TYPES = List.of("int", "long", "double", "String", "boolean", "char");

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String resource = draft.name("Res");
        draft.type(
                """
                        class %s implements AutoCloseable {
                            private final String name;
                            %s(String name) { this.name = name; System.out.println("open " + name); if (name.length() > 40) throw new IllegalStateException("long"); }
                            void use(int n) { if (n %% %d == 1) throw new IllegalStateException("use " + n); }
                            public void close() { System.out.println("close " + name); if (name.startsWith("%s")) throw new IllegalStateException("close"); }
                        }""",
                resource, resource, 2 + dice.upTo(3), dice.pick("a", "b", "x"));
        draft.scope.resources.add(resource);
        for (String type : TYPES) {
            if (dice.chance(50)) {
                draft.variable(type, draft.expression(type));
            }
        }
        List<Scope.Function> made = new ArrayList<>();
        int count = 1 + dice.upTo(3);
        for (int i = 0; i < count; i++) {
            String returned = dice.of(TYPES);
            String name = draft.name("f");
            List<String> types = new ArrayList<>();
            List<String> parameters = new ArrayList<>();
            Scope inside = draft.scope.captured();
            for (int k = 0; k < dice.upTo(3); k++) {
                String type = dice.of(TYPES);
                types.add(type);
                parameters.add(type + " p" + k);
                inside.local(type, "p" + k, dice.chance(50));
            }
            String stop = draft.expressions.of(returned, new Scope(), 0);
            draft.add(new Part.Method("%s %s(%s) {\nif (fuel-- < 0) return %s;\n%s}".formatted(returned, name,
                    String.join(", ", parameters), stop, draft.statements.body(returned, inside, 3))));
            Scope.Function function = new Scope.Function(returned, name, types);
            draft.scope.functions.add(function);
            made.add(function);
        }
        for (Scope.Function each : made) {
            draft.add(new Part.Value(draft.expressions.call(each, draft.scope, 2)));
        }
        for (int i = 0; i < 2; i++) {
            draft.add(new Part.Action(draft.statements.atTop(draft.scope, 3)));
        }
        for (String type : TYPES) {
            if (dice.chance(30)) {
                draft.add(new Part.Value(draft.expression(type)));
            }
        }
        String first = draft.name("early");
        String second = draft.name("late");
        String type = draft.name("Late");
        draft.method("int %s(int n) { return n <= 0 ? 0 : %s(n - 1) + new %s().k(); }", first, second, type);
        draft.method("int %s(int n) { return %s(n) * 2; }", second, first);
        draft.type("class %s { int k() { return %d; } }", type, draft.small());
        draft.value("%s(%d)", first, draft.small());
    }
}

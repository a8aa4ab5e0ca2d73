package io.vramlab.kernel.judge;

/** Classes in classes, with private members of one another, anonymous ones, and local ones that capture. */
final class Nested implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String outer = draft.name("Outer");
        String greeter = draft.name("Greeter");
        draft.type("interface %s { String greet(String who); default %s twice() { return w -> greet(greet(w)); } }",
                greeter, greeter);
        draft.type(
                """
                        class %s {
                            private int hidden = %d;
                            private static int count;
                            class Inner {
                                private int own = hidden++ + count;
                                class Deepest { int all() { return own * hidden + %s.this.hidden; } }
                                Deepest deepest() { return new Deepest(); }
                            }
                            static class Node<T> {
                                private final T value; private Node<T> next;
                                Node(T value) { this.value = value; count++; }
                                static <T> Node<T> of(T... all) { Node<T> first = null; for (T each : all) { Node<T> n = new Node<>(each); n.next = first; first = n; } return first; }
                            }
                            private enum State { ON, OFF; State other() { return this == ON ? OFF : ON; } }
                            private record Kept(int n, State s) { }
                            interface Step { int step(int n); }
                            Step stepper(int by) {
                                int twice = by * 2;
                                class Local implements Step { int calls; public int step(int n) { calls++; hidden += calls; return n + twice; } }
                                return new Local();
                            }
                            Object state() { return new Kept(hidden, State.ON.other()); }
                            Inner inner() { return new Inner(); }
                            int list() { int sum = 0; for (Node<Integer> n = Node.of(1, 2, %d); n != null; n = n.next) sum = sum * 10 + n.value; return sum + count; }
                        }""",
                outer, draft.small(), outer, draft.small());
        String o = draft.variable(outer, "new %s()".formatted(outer));
        draft.add(new Part.Variable(outer + ".Inner", draft.name("v"),
                dice.chance(50) ? o + ".inner()" : o + ".new Inner()", dice.chance(50)));
        draft.value("%s.inner().deepest().all()", o);
        draft.value("%s.new Inner().new Deepest().all()", o);
        draft.value("%s.state()", o);
        draft.value("%s.list()", o);
        String step = draft.name("v");
        draft.add(new Part.Variable(outer + ".Step", step, o + ".stepper(%d)".formatted(draft.small()), false));
        draft.action("{ int n = 0; while (n < %d) { n = %s.step(n); System.out.println(n); } }", 10 * draft.small(),
                step);
        String g = draft.name("v");
        draft.add(new Part.Variable(greeter, g, """
                new %s() {
                    int times = %d;
                    { times += 1; }
                    public String greet(String who) { return who + times++ + %s; }
                }""".formatted(greeter, draft.small(), draft.expressions.of("int", draft.scope.captured(), 1)), false));
        draft.value("%s.twice().greet(%s)", g, draft.expression("String"));
        draft.value("new Object() { int n = %d; int get() { return n + %s; } }.get()", draft.small(),
                draft.expression("int"));
        draft.action(
                "{ var both = new Object() { int a = 1; String b = \"b\"; }; both.a += %d; System.out.println(both.b + both.a); }",
                draft.small());
    }
}

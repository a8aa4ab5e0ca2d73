package io.vramlab.kernel.judge;

/** Generic classes and methods, wildcards, bridges. */
final class Generics implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String box = draft.name("Box");
        String sorted = draft.name("Sorted");
        draft.type(
                """
                        class %s<T extends Comparable<T>> implements Iterable<T>, Comparable<%s<T>> {
                            private final List<T> all = new ArrayList<>();
                            @SafeVarargs %s(T... first) { for (T each : first) add(each); }
                            %s<T> add(T each) { all.add(each); return this; }
                            T best() { T best = null; for (T each : all) best = best == null || each.compareTo(best) > 0 ? each : best; return best; }
                            <R extends Comparable<R>> %s<R> map(Function<? super T, ? extends R> f) {
                                %s<R> to = new %s<>();
                                all.forEach(each -> to.add(f.apply(each)));
                                return to;
                            }
                            public Iterator<T> iterator() {
                                return new Iterator<T>() {
                                    private int at;
                                    public boolean hasNext() { return at < all.size(); }
                                    public T next() { return all.get(at++); }
                                };
                            }
                            public int compareTo(%s<T> other) { return best().compareTo(other.best()); }
                        }""",
                box, box, box, box, box, box, box, box);
        draft.type("class %s extends %s<Integer> { %s add(Integer each) { super.add(each + %d); return this; } }",
                sorted, box,
                sorted, draft.small());
        String most = draft.name("most");
        draft.method(
                "<T extends Comparable<? super T>> T %s(Collection<? extends T> many, T other) { T found = other; for (T each : many) if (each.compareTo(found) > 0) found = each; return found; }",
                most);
        String b = draft.name("v");
        draft.add(
                new Part.Variable(box + "<String>", b, "new %s<>(\"p\", %s)".formatted(box, draft.expression("String")),
                        dice.chance(50)).inferred()
                                ? new Part.Variable(box + "<String>", b, "new %s<String>(\"p\", \"q\")".formatted(box),
                                        true)
                                : new Part.Variable(box + "<String>", b, "new %s<>(\"p\", \"r\")".formatted(box),
                                        false));
        String s = draft.variable(sorted, "new %s().add(%s).add(4)".formatted(sorted, draft.expression("int")));
        draft.value("%s.add(\"w\").map(String::length).best()", b);
        draft.value("%s.best() + %s(List.of(1, 2, %d), 3)", s, most, draft.small());
        draft.action("for (String each : %s) { System.out.println(each); }", b);
        draft.action("for (var each : %s) System.out.println(each + 1);", s);
        draft.value("%s.compareTo(new %s<Integer>(%d))", s, box, draft.small());
        draft.value("%s(List.of(\"a\", \"b\"), %s)", most, draft.expression("String"));
        draft.value("((%s) (%s<?>) %s).best()", box, box, dice.chance(50) ? s : b);
    }
}

package io.vramlab.kernel.judge;

/** Streams with collectors, over what the session declared. */
final class Streams implements Feature {

    @Override
    public void write(Draft draft) {
        Dice dice = draft.dice;
        String words = draft.name("v");
        draft.add(new Part.Variable("List<String>", words,
                "List.of(\"pear\", \"fig\", %s, \"apple\")".formatted(draft.expression("String")), dice.chance(50)));
        String item = draft.name("Item");
        draft.type("record %s(String name, int price) { boolean dear() { return price > %d; } }", item, draft.small());
        String items = draft.name("v");
        draft.add(new Part.Variable("List<%s>".formatted(item), items,
                "%s.stream().map(w -> new %s(w, w.length() * %d)).toList()".formatted(words, item, draft.small()),
                dice.chance(50)));
        draft.value(
                "%s.stream().collect(Collectors.groupingBy(w -> w.length(), TreeMap::new, Collectors.mapping(String::toUpperCase, Collectors.joining(\",\"))))",
                words);
        draft.value("%s.stream().collect(Collectors.partitioningBy(%s::dear, Collectors.summingInt(%s::price)))", items,
                item, item);
        draft.value(
                "%s.stream().max(Comparator.comparingInt(%s::price).thenComparing(%s::name)).map(%s::name).orElse(\"none\")",
                items, item, item, item);
        draft.action(
                "%s.stream().filter(%s::dear).sorted(Comparator.comparing(%s::name).reversed()).forEach(System.out::println);",
                items, item, item);
        draft.value(
                "IntStream.iterate(1, i -> i < %d, i -> i * 2).mapToObj(i -> i %% 3 == 0 ? \"x\" : String.valueOf(i)).toList()",
                100 * draft.small());
        draft.value(
                "Stream.iterate(new int[] {0, 1}, p -> new int[] {p[1], p[0] + p[1]}).limit(%d).mapToInt(p -> p[0]).summaryStatistics()",
                draft.small());
        draft.value("%s.parallelStream().mapToLong(%s::price).reduce(%s, Long::sum)", items, item, "0L");
        draft.value(
                "Stream.of(1, 2, 3, 4).<Integer>mapMulti((n, to) -> { if (n %% 2 == 0) { to.accept(n); to.accept(n * %d); } }).toList()",
                draft.small());
        draft.value("%s.stream().map(w -> w.charAt(%d)).toList()", words, dice.upTo(5));
    }
}

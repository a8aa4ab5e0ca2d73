package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.tensor.Lifetimes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Streams, and what the JDK makes of given values, hold tensors as Python's lists and generators do. */
class WovenStreamsTest extends CheckedWovenCase {

    private static final String MAKE = """
            static UnaryOperator<Tensor> adding(Tensor one) { return x -> one.add(x); }
            static Tensor one() { return Tensor.ones(128); }
            static List<Tensor> some() { return List.of(one(), one(), one()); }
            """;

    WovenStreamsTest() {
        super(MAKE);
    }

    private void marks(String statements, long... expected) throws Exception {
        marks("", statements, expected);
    }

    @Test
    void aListOfWhatAStreamMakesHoldsIt() throws Exception {
        marks("""
                var all = some().stream().map(each -> each.add(1)).map(Tensor::relu).toList();
                mark();
                all = IntStream.range(0, 5).mapToObj(i -> one().mul(i)).filter(each -> each.max().item() > 2).toList();
                mark();
                var list = all.stream().map(each -> each).collect(Collectors.toList());
                all = null;
                mark();
                list.remove(0);
                mark();
                list = null;
                mark();""", 3, 2, 2, 1, 0);
    }

    @Test
    void whatAStreamComesFromIsHeldUntilItIsAtItsEnd() throws Exception {
        marks("""
                var later = some().stream().map(each -> each.add(1));
                mark();
                later.forEach(each -> mark());
                mark();
                double sum = some().stream().mapToDouble(each -> each.sum().item()).sum();
                mark();
                var numbers = some().stream().mapToDouble(each -> each.sum().item());
                mark();
                if (numbers.sum() != sum || some().stream().anyMatch(each -> each.sum().item() == 0)) {
                    throw new AssertionError();
                }
                mark();
                var total = some().stream().map(each -> each.mul(2)).reduce(one(), Tensor::add);
                mark();""", 3, 4, 4, 4, 0, 0, 3, 0, 1);
    }

    @Test
    void whatIsMadeOfGivenValuesHoldsThem() throws Exception {
        marks("""
                var array = new Tensor[]{one(), one()};
                var view = Arrays.asList(array);
                array = null;
                mark();
                view.set(0, view.get(0).add(1));
                mark();
                var map = Map.of("a", one(), "b", one());
                mark();
                var a = map.get("a");
                var copy = List.copyOf(new ArrayList<>(view));
                view = null;
                map = null;
                mark();
                for (var each : Map.of("a", one(), "b", one()).entrySet()) {
                    each.getValue().add(1);
                }
                copy = null;
                mark();
                var both = Stream.of(one(), a).map(each -> each.add(1)).toArray(Tensor[]::new);
                a = null;
                mark();
                var sums = Arrays.stream(both).map(each -> each.sum()).toList();
                both = null;
                mark();""", 2, 2, 4, 3, 2, 3, 3);
    }

    @Test
    void aListOfCodeHoldsWhatThatHasCaptured() throws Exception {
        marks("""
                var one = one();
                List<UnaryOperator<Tensor>> all = List.of(adding(one));
                one = null;
                mark();
                all.get(0).apply(all.get(0).apply(one()));
                mark();
                all = null;
                mark();
                all = Stream.of(one()).map(each -> adding(each)).toList();
                mark();
                all.get(0).apply(one());
                all = null;
                mark();""", 1, 1, 0, 1, 0);
    }

    @Test
    void whatTheJdkMayKeepIsLeftToTheCollector() throws Exception {
        Woven.run(MAKE,
                """
                        var first = some().stream().findFirst().get();
                        var sorted = some().stream().sorted(Comparator.comparing(each -> each.sum().item())).toList();
                        var grouped = some().stream().map(each -> each.add(1))
                                .collect(Collectors.groupingBy(each -> each.sum().item(), Collectors.toList()));
                        var joined = Stream.concat(some().stream(), some().stream().map(each -> each.mul(2))).toList();
                        var flat = Stream.of(some(), some()).flatMap(each -> each.stream()).toList();
                        var it = some().stream().map(each -> each.mul(3)).iterator();
                        var best = some().stream().map(each -> each.mul(4)).reduce((x, y) -> x.add(y)).orElseThrow();
                        var parallel = some().parallelStream().map(each -> each.mul(5)).toList();
                        var skipped = some().stream().skip(1).limit(1).toList();
                        var kept = some().stream().limit(2).toList();
                        Function<Tensor, Tensor> add = each -> each.add(1);
                        var composed = some().stream().map(add.andThen(each -> each.mul(2))).toList();
                        var map = some().stream().collect(Collectors.toMap(each -> System.identityHashCode(each), each -> each));
                        System.gc();
                        for (var each : List.of(sorted, joined, flat, parallel, skipped, kept, composed)) {
                            each.forEach(one -> one.add(1));
                        }
                        grouped.values().forEach(each -> each.forEach(one -> one.add(1)));
                        map.values().forEach(each -> each.add(1));
                        while (it.hasNext()) it.next().add(1);
                        first.add(best);""");
        assertEquals(List.of(), Lifetimes.reachableThoughClosed());
    }
}

package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What other code may hold is never closed. */
class WovenEscapesTest extends WovenCase {

    @Test
    void whatEscapesMayBeDeepAndHoldItself() throws Exception {
        marks("", """
                List<Object> list = new ArrayList<>();
                var in = list;
                for (int i = 0; i < 100_000; i++) {
                    List<Object> l = new ArrayList<>();
                    in.add(l);
                    in = l;
                }
                in.add(list);
                in.add(one());
                in = null;
                var foreign = new java.util.concurrent.atomic.AtomicReference<Object>(list);
                list = null;
                mark();
                List<Object> again = (List<Object>) foreign.get();
                foreign.set(null);
                again = null;
                mark();""", 1, 1);
    }

    @Test
    void theCheckFindsWhatIsClosedAndCanBeReached() {
        Lifetimes.check(true);
        try {
            var kept = io.vramlab.tensor.Tensor.ones(128);
            Lifetimes.holdFresh(kept);
            // as a miscounted program would
            Lifetimes.drop(kept);
            assertEquals(1, Lifetimes.reachableThoughClosed().size());
            assertTrue(kept.isClosed());
            assertEquals(0, Lifetimes.reachableThoughClosed().size());
        } finally {
            Lifetimes.check(false);
        }
    }

    @Test
    void whatOtherCodeMayHoldIsNeverClosed() throws Exception {
        Woven.run(MAKE + """
                record P(Tensor t) { }
                """, """
                var list = new LinkedList<Tensor>();
                list.add(one());
                Consumer<Tensor> add = list::add;
                add.accept(one());
                Stream.of(one(), one()).map(t -> t.add(1)).forEach(list::add);
                var some = Stream.generate(() -> one()).limit(3).map(t -> { var u = t; return u; }).toList();
                var p = new ArrayList<P>();
                p.add(new P(one()));
                var ts = p.stream().map(P::t).toList();
                p.clear();
                var m = new TreeMap<String, Tensor>(Map.of("a", one()));
                var counted = new ArrayList<Tensor>(List.of(one()));
                counted.add(one());
                var copy = List.copyOf(counted);
                counted.clear();
                var array = new Tensor[]{one(), one()};
                var fixed = Arrays.asList(array);
                array = null;
                var o = Optional.of(one()).map(t -> t.mul(2)).get();
                var all = new ArrayList<Tensor>();
                all.addAll(list);
                all.addAll(some);
                all.addAll(ts);
                all.addAll(m.values());
                all.addAll(copy);
                all.addAll(fixed);
                all.add(o);
                for (var each : all) each.add(1);
                for (var each : list) each.add(1);
                for (var each : some) each.add(1);
                for (var each : ts) each.add(1);
                for (var each : copy) each.add(1);
                for (var each : fixed) each.add(1);
                m.get("a").add(1);
                """);
    }

    @Test
    void whatAClassInheritsMayHoldIt() throws Exception {
        Woven.run(MAKE + """
                static class Mine extends ArrayList<Tensor> { }
                static class Scaled implements Function<Tensor, Tensor> {
                    Tensor by = one();
                    public Tensor apply(Tensor x) { return x.mul(by); }
                }
                static class Work extends Thread {
                    Tensor x = one(), y;
                    public void run() { y = x.add(1); }
                }
                """, """
                var mine = new Mine();
                mine.add(one());
                mine.add(one().mul(2));
                var recent = new LinkedHashMap<String, Tensor>(16, 0.75f, true);
                recent.put("a", one());
                var cache = new LinkedHashMap<String, Tensor>() {
                    protected boolean removeEldestEntry(Map.Entry<String, Tensor> e) { return size() > 2; }
                };
                for (int i = 0; i < 4; i++) cache.put("k" + i, one());
                var f = new Scaled().andThen(new Scaled());
                var work = new Work();
                work.start();
                work.join();
                mine.get(0).add(mine.get(1)).add(recent.get("a")).add(cache.get("k3")).add(f.apply(one())).add(work.y);
                """);
    }
}

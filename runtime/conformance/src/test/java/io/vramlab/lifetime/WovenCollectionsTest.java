package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists, maps and arrays hold what is in them. */
class WovenCollectionsTest extends WovenCase {

    @Test
    void aListOfTensorsHoldsThemAsATupleDoes() throws Exception {
        marks("", """
                var pair = List.of(one(), one());
                mark();
                var first = pair.get(0);
                pair = null;
                mark();
                var all = new ArrayList<Tensor>(List.of(first, one()));
                all.add(Tensor.cat(List.of(one(), one()), 0));
                mark();
                first = null;
                all = null;
                mark();
                for (var each : List.of(one(), one(), one(), one(), one(), one(), one(), one(), one(), one(), one())) {
                    first = each.add(1);
                }
                mark();""", 2, 1, 4, 0, 2);
        // of the last list the loop's variable and what was made of it are left until the end: those two
        assertEquals(0, left());
    }

    @Test
    void aListOfTensorsIsAsUnchangeableAsAnyOther() throws Exception {
        marks("", """
                var pair = List.of(one(), one());
                try {
                    pair.remove(0);
                } catch (UnsupportedOperationException e) {
                    mark();
                }
                try {
                    pair.contains(null);
                } catch (NullPointerException e) {
                    mark();
                }
                if (List.of("a", "b").getClass() != List.of(pair, "b").getClass() && pair.indexOf(pair.get(1)) == 1) {
                    mark();
                }""", 2, 2, 2);
    }

    @Test
    void aListHoldsItsElements() throws Exception {
        marks("", """
                List<Tensor> all = new ArrayList<>();
                for (int i = 0; i < 3; i++) all.add(one());
                mark();
                all.remove(0);
                mark();
                var last = all.get(1);
                all.clear();
                mark();
                last = null;
                mark();
                all.add(one());
                for (var each : all) each.add(1);
                mark();
                all = null;
                // as in Python, the loop's variable has the last one still
                mark();
                """, 3, 2, 1, 0, 1, 1);
    }

    @Test
    void aDequeAndAMapHoldTheirs() throws Exception {
        marks("record Step(Tensor s, double reward) { }", """
                var memory = new ArrayDeque<Step>();
                for (int i = 0; i < 5; i++) {
                    memory.addLast(new Step(one(), i));
                    if (memory.size() > 3) memory.removeFirst();
                }
                mark();
                var map = new HashMap<String, Tensor>();
                map.put("a", one());
                map.put("a", one());
                mark();
                map.remove("a");
                memory.clear();
                mark();
                """, 3, 4, 0);
    }

    @Test
    void anArrayHoldsItsElements() throws Exception {
        marks("static int count(Tensor... all) { mark(); return all.length; }", """
                var all = new Tensor[3];
                for (int i = 0; i < 3; i++) all[i] = one();
                all[0] = one();
                mark();
                all[1] = null;
                mark();
                count(one(), one());
                mark();
                all = null;
                mark();
                """, 3, 2, 4, 2, 0);
    }

    @Test
    void aLoopHoldsTheUnnamedListItGoesThrough() throws Exception {
        marks("""
                static List<Tensor> three() {
                    var all = new ArrayList<Tensor>();
                    for (int i = 0; i < 3; i++) all.add(one());
                    return all;
                }""", """
                for (var each : three()) { each.add(1); mark(); }
                mark();
                """, 3, 3, 3, 1);
    }

    @Test
    void theValuesAndEntriesOfAMapStayCountedInALoop() throws Exception {
        marks("", """
                var map = new LinkedHashMap<String, Tensor>();
                map.put("a", one());
                map.computeIfAbsent("b", k -> one());
                // the last value stays in the variable of the loop
                for (var each : map.values()) each.add(1);
                for (var entry : map.entrySet()) { entry.setValue(entry.getValue().add(1)); entry = null; }
                mark();
                map.clear();
                mark();
                var array = new ArrayDeque<>(List.of()).toArray();
                var list = new ArrayList<Tensor>();
                list.add(one());
                Functional.cat(0, list.toArray(new Tensor[0]));
                mark();
                list.clear();
                mark();
                """, 3, 1, 2, 1);
    }
}

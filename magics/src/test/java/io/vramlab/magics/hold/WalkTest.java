package io.vramlab.magics.hold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class WalkTest {

    /** Stands for a tensor. */
    private static final class Thing {
    }

    private static final class Holder {
        private final Object kept;
        private final Map<Hostile, Object> byHostile = new HashMap<>();

        Holder(Object kept) {
            this.kept = kept;
        }
    }

    private static final class Hostile {
        @Override
        public String toString() {
            throw new IllegalStateException("toString was called");
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    private final Thing thing = new Thing();
    private final Walk walk = new Walk(List.of(), o -> o instanceof Thing ? o : null);

    private List<String> paths(Object... values) {
        List<Root> roots = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            roots.add(new Root(Root.Kind.VARIABLE, String.valueOf((char) ('a' + i)), values[i]));
        }
        return walk.paths(roots, thing, 10).stream().map(HoldPath::text).toList();
    }

    @Test
    void aVariableAndItsAliasAreBothNamed() {
        assertEquals(List.of("a", "b"), paths(thing, thing));
    }

    @Test
    void elementsKeysAndFieldsAreNamed() {
        assertEquals(List.of("a[1]"), paths(List.of("x", thing)));
        assertEquals(List.of("a[\"best\"]"), paths(Map.of("best", thing)));
        assertEquals(List.of("a[7].kept"), paths(Map.of(7, new Holder(thing))));
        assertEquals(List.of("a[1][0]"), paths((Object) new Object[]{1, new Object[]{thing}}));
        assertEquals(List.of("a.get()"), paths(new AtomicReference<>(thing)));
        assertEquals(List.of("a{Thing}"), paths(new LinkedHashSet<>(List.of(thing))));
        assertEquals(List.of("a[0].kept"), paths(new ArrayBlockingQueue<>(2, false, List.of(new Holder(thing)))));
    }

    @Test
    void aWeakMapHoldsItsValuesAndNotItsKeys() {
        assertEquals(List.of("a[\"k\"]"),
                paths(new WeakHashMap<>(Map.of("k", thing)), new WeakHashMap<>(Map.of(thing, "v"))));
    }

    @Test
    void whatALambdaCapturedIsNamed() {
        Supplier<Object> lambda = () -> thing.hashCode();
        Thing local = thing;
        Supplier<Object> capturing = () -> local;
        assertEquals(List.of("a.captured[0]"), paths(capturing));
        assertEquals(List.of(), paths(() -> "nothing"));
        assertEquals(List.of(), paths(new int[3]));
        assertFalse(lambda.get() == null);
    }

    private List<String> paths(Supplier<Object> lambda) {
        return paths((Object) lambda);
    }

    @Test
    void hostileKeysAreNotCalled() {
        Holder holder = new Holder(null);
        holder.byHostile.put(new Hostile(), thing);
        assertEquals(List.of("a.byHostile[Hostile]"), paths(holder));
        assertEquals(List.of("a[\"<img src=x onerror=alert(1)>\"]"),
                paths(Map.of("<img src=x onerror=alert(1)>", thing)));
    }

    @Test
    void aStaticFieldOfAUsersClassIsARoot() {
        notebook.Cache.kept = thing;
        try {
            List<HoldPath> paths = walk.paths(List.of(new Root(Root.Kind.VARIABLE, "c", new notebook.Cache())), thing,
                    5);
            assertEquals("Cache.kept", paths.get(0).text());
            assertEquals(Root.Kind.STATIC, paths.get(0).root().kind());
        } finally {
            notebook.Cache.kept = null;
        }
    }

    @Test
    void loopsEnd() {
        List<Object> loop = new ArrayList<>();
        loop.add(loop);
        loop.add(thing);
        assertEquals(List.of("a[1]"), paths(loop));
    }

    @Test
    void theShortestPathGivesTheName() {
        Map<Object, HoldPath> names = walk.names(List.of(new Root(Root.Kind.VARIABLE, "deep", List.of(List.of(thing))),
                new Root(Root.Kind.VARIABLE, "near", List.of(thing))));
        assertEquals("near[0]", names.get(thing).text());
    }

    @Test
    void aWalkWithoutEndStopsAndSaysSo() {
        List<Object> many = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Object[] wide = new Object[100_000];
            for (int j = 0; j < wide.length; j++) {
                wide[j] = new Object[0];
            }
            many.add(wide);
        }
        assertEquals(List.of(), paths(many));
        assertFalse(walk.complete());
        paths(thing);
        assertTrue(walk.complete());
    }
}

package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.Lifetimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Woven code lets go of a tensor when CPython would. Each mark tells how many tensors of 512 bytes there are. */
class WovenTest {

    private final Device before = Device.current();
    private final Device device = Device.simulated("1GiB");

    @BeforeEach
    void useIt() {
        Device.set(device);
        Lifetimes.count(true);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.count(false);
        Device.set(before);
        device.close();
    }

    private static final String MAKE = "static Tensor one() { return Tensor.ones(128); }\n";

    private void marks(String declarations, String statements, long... expected) throws Exception {
        List<Long> all = new ArrayList<>();
        Arrays.stream(expected).forEach(all::add);
        assertEquals(all, Woven.run(MAKE + declarations, statements));
    }

    private long peak() {
        return Allocators.of(device).stats().get("allocated_bytes.all.peak") / 512;
    }

    private long left() {
        return Allocators.of(device).stats().get("allocated_bytes.all.current") / 512;
    }

    @Test
    void anUnnamedResultGoesWhenTheCallThatTookItHasReturned() throws Exception {
        marks("", "var y = one().add(1).mul(2).sub(3); mark();", 1);
        // two at a time: what goes in and what comes out
        assertEquals(2, peak());
        assertEquals(0, left());
    }

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
    void whatHoldsWhatHoldsIsLetGoHoweverDeep() throws Exception {
        marks("static class Node { Node next; Tensor held; Node(Node next) { this.next = next; } }", """
                Node head = null;
                for (int i = 0; i < 100_000; i++) {
                    head = new Node(head);
                    if (i % 25_000 == 0) {
                        head.held = one();
                    }
                }
                mark();
                head = null;
                mark();
                List<Object> list = new ArrayList<>();
                Map<String, Object> map = new HashMap<>();
                Object[] array = new Object[1];
                var inList = list;
                var inMap = map;
                var inArray = array;
                for (int i = 0; i < 100_000; i++) {
                    inList.add(new ArrayList<Object>());
                    inList = (List<Object>) inList.get(0);
                    inMap.put("next", new HashMap<String, Object>());
                    inMap = (Map<String, Object>) inMap.get("next");
                    inArray[0] = new Object[1];
                    inArray = (Object[]) inArray[0];
                }
                inList.add(one());
                inMap.put("last", one());
                inArray[0] = one();
                inList = null;
                inMap = null;
                inArray = null;
                mark();
                list = null;
                map = null;
                mark();
                array = null;
                mark();""", 4, 0, 3, 1, 0);
    }

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
    void aCheckpointedSequenceLetsGoOfWhatItsPartsReturn() throws Exception {
        // x and y, and the input of the second part, which its backward pass needs
        marks("", """
                List<UnaryOperator<Tensor>> parts = List.of(t -> t.add(1), t -> t.exp(), t -> t.add(3), t -> t.add(4));
                var x = one();
                x.requiresGrad_(true);
                var y = io.vramlab.autograd.Checkpoint.sequential(parts, 2, x);
                mark();
                y = null;
                mark();""", 2, 1);
        assertEquals(0, left());
    }

    @Test
    void whatAParameterOrABufferIsMultipliedToGoesAsWell() throws Exception {
        // the two themselves are their modules'
        marks("static class Scale extends io.vramlab.nn.Module {"
                + " final Parameter weight = new Parameter(one()); final Buffer shift = new Buffer(one());"
                + " public Tensor forward(Tensor x) { return weight.mul(x.mul(2)).add(shift.neg()); } }",
                "try (var off = new io.vramlab.autograd.NoGrad()) { var s = new Scale(); var x = one(); x = s.call(x);"
                        + " mark(); x = null; mark(); }",
                3, 2);
    }

    @Test
    void theNormThatClippingReturnsGoes() throws Exception {
        marks("", "var p = one().requiresGrad_(true); p.sum().backward(); mark();"
                + " GradientClipping.clipGradNorm(List.of(p), 1.0); mark();", 2, 2);
    }

    @Test
    void aReferenceToAnInheritedMethodOfACapturedObjectIsCounted() throws Exception {
        marks("static class Net extends io.vramlab.nn.Module { final Sequential middle = new Sequential(new ReLU());"
                + " public Tensor forward(Tensor x) { return io.vramlab.autograd.Checkpoint.checkpoint(middle::call, x); } }",
                "var x = one().requiresGrad_(true); var y = new Net().call(x); mark(); y = null; mark();", 2, 1);
    }

    @Test
    void aVariableMayEndWhereNothingCanCome() throws Exception {
        // the last statement of the handler and what follows are not reached: the compiler leaves them out, and the end of e
        marks("static int f(Tensor a) { try { try { if (false || true) throw new UnsupportedOperationException(); }"
                + " finally { a = a.add(1); } } catch (RuntimeException e) { String m = e.toString(); if (!(false)) return 1;"
                + " switch ((Object) m) { case String q -> { } default -> { String n = m; } } }"
                + " return (switch (\"x\") { case \"a\": yield 8; default: yield 2; }); }",
                "var x = one(); f(x); mark();", 1);
    }

    @Test
    void aVariableLetsItsOldValueGoAfterTheNewOneIsMade() throws Exception {
        marks("", "var x = one(); mark(); x = x.add(1); mark(); x = null; mark();", 1, 1, 0);
        assertEquals(2, peak());
    }

    @Test
    void anAliasKeepsIt() throws Exception {
        marks("", "var x = one(); var y = x; x = x.add(1); mark(); y = null; mark();", 2, 1);
        assertEquals(0, left());
    }

    @Test
    void aMethodLetsItsLocalsGoAtItsEnd() throws Exception {
        marks("static Tensor f(Tensor a) { var b = a.add(1); var c = b.mul(2); mark(); return c; }",
                "var x = one(); var y = f(x); mark(); f(x); mark();", 3, 2, 4, 2);
        assertEquals(0, left());
    }

    @Test
    void aParameterThatIsAssignedLeavesTheCallersValue() throws Exception {
        marks("static Tensor f(Tensor a) { a = a.add(1); a = a.mul(2); return a; }",
                "var x = one(); var y = f(x); mark(); x.add(0); f(f(x)); mark();", 2, 2);
        assertEquals(0, left());
    }

    @Test
    void anInPlaceOperationGivesTheSameTensor() throws Exception {
        marks("", "var x = one(); x.add_(1).mul_(2); mark(); var y = one().add_(1); mark(); x = y.mul_(2); mark();", 1,
                2, 1);
        assertEquals(0, left());
    }

    @Test
    void aFieldHoldsWhatItsObjectHolds() throws Exception {
        marks("static class H { Tensor h; H other; }",
                "var h = new H(); h.h = one(); h.h = h.h.add(1); mark(); h.other = new H(); h.other.h = one(); mark();"
                        + "var g = h.other; h = null; mark(); g = null; mark();",
                1, 2, 1, 0);
    }

    @Test
    void aRecordHoldsItsComponents() throws Exception {
        marks("record P(Tensor a, Tensor b) { } static P two() { return new P(one(), one()); }",
                "var p = two(); mark(); var a = two().a(); mark(); p = null; mark(); a = p == null ? null : a; mark();",
                2, 3,
                1, 0);
    }

    @Test
    void aConstructorMayHandOutWhatItMakes() throws Exception {
        marks("""
                static class Box {
                    final List<Tensor> all = new ArrayList<>();
                    Box(Tensor... first) { for (var each : first) add(each).add(each); }
                    Box add(Tensor each) { all.add(each); return this; }
                }""",
                "var box = new Box(one(), one()); mark(); box.add(one()).all.get(0).add(1); mark(); box = null; mark();",
                2, 3, 0);
    }

    @Test
    void aClassWithAMethodThatWouldBeTooLargeIsRefused() {
        String many = "all.add(one().add(all.get(0)));\n".repeat(700);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> Woven.run(MAKE, "var all = new ArrayList<Tensor>(); all.add(one());\n" + many));
        assertTrue(refused.getMessage().contains("Code length"), refused.getMessage());
        // one that would fit, but leave no room for what else is woven in
        String fewer = "all.add(one().add(all.get(0)));\n".repeat(560);
        refused = assertThrows(IllegalArgumentException.class,
                () -> Woven.run(MAKE, "var all = new ArrayList<Tensor>(); all.add(one());\n" + fewer));
        assertTrue(refused.getMessage().contains("too large"), refused.getMessage());
    }

    @Test
    void aClassWithAJumpThatWouldBeTooFarIsRefused() {
        // to the loop's beginning, more than 32,767 bytes away in a method that would fit
        String far = "for (int i = 0; i < 2; i++) {\n" + "all.add(one().add(all.get(0)));\n".repeat(340) + "}";
        assertThrows(IllegalArgumentException.class,
                () -> Woven.run(MAKE, "var all = new ArrayList<Tensor>(); all.add(one());\n" + far));
    }

    @Test
    void manyThrowsAndReturnsDoNotMakeAMethodTooLarge() throws Exception {
        // each switch has its MatchException, each try two handlers; there are 60 variables to let go of at each exit
        StringBuilder body = new StringBuilder("static int many(Object x) {\n");
        for (int i = 0; i < 60; i++) {
            body.append("""
                    try {
                        Tensor t%1$d = one();
                        if (x == t%1$d) return %1$d;
                        switch (new Box(x)) { case Box(String s) when s.length() == %1$d -> { return s.length(); }
                            case Box(var other) -> { } }
                    } catch (IllegalStateException e) { if (x == e) return -%1$d; throw e; }
                    """.formatted(i));
        }
        marks("record Box(Object x) { }\n" + body + "return 0; }", "many(\"abc\"); mark(); many(7); mark();", 0, 0);
    }

    @Test
    void aStaticFieldHoldsIt() throws Exception {
        marks("static Tensor s;", "s = one(); mark(); s = s.add(1); mark(); s = null; mark();", 1, 1, 0);
    }

    @Test
    void aSubclassHoldsWhatItInherits() throws Exception {
        marks("static class A { Tensor a = one(); } static class B extends A { Tensor b = one(); }",
                "A x = new B(); mark(); x = new A(); mark(); x = null; mark();", 2, 1, 0);
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
    void aChoiceHoldsWhatItChose() throws Exception {
        marks("", """
                var a = one();
                for (int i = 0; i < 4; i++) {
                    var b = i % 2 == 0 ? a : one();
                    var c = (i % 2 == 0 ? one() : a).add(1);
                    int n = i;
                    var d = switch (n) { case 0 -> a; case 1 -> one(); default -> { var e = one(); yield e.add(1); } };
                }
                mark();
                """, 4 + 1);
        assertEquals(0, left());
    }

    @Test
    void anExceptionKeepsTheVariablesItHasLeftUntilItHasBeenHandled() throws Exception {
        // x, and the b that the traceback keeps; what was unnamed is gone
        marks("static Tensor fails(Tensor a) { var b = a.add(1); mark(); if (true) throw new IllegalStateException(); return b; }",
                """
                        var x = one();
                        try {
                            one().add(fails(x)).mul(2);
                        } catch (IllegalStateException e) {
                            mark();
                        }
                        mark();
                        """, 3, 2, 1);
        assertEquals(0, left());
    }

    @Test
    void anExceptionThatIsThrownOnKeepsThemToo() throws Exception {
        marks("""
                static void fails() { var b = one(); throw new IllegalStateException(); }
                static void through() {
                    var c = one();
                    try {
                        fails();
                    } catch (IllegalStateException e) {
                        mark();
                        throw e;
                    } finally {
                        mark();
                    }
                }""", """
                try {
                    through();
                } catch (IllegalStateException e) {
                    mark();
                } finally {
                    mark();
                }
                """, 2, 2, 2, 0);
    }

    @Test
    void whatALambdaCapturedLivesAsLongAsTheLambda() throws Exception {
        marks("static Function<Tensor, Tensor> adding(Tensor x) { return y -> y.add(x).mul(2); }", """
                var f = adding(one());
                mark();
                var z = f.apply(one());
                mark();
                z = f.apply(z);
                mark();
                var g = f;
                f = null;
                mark();
                g = null;
                mark();
                Supplier<Tensor> made = () -> one();
                var w = made.get();
                w = made.get();
                mark();
                """, 1, 2, 2, 2, 1, 2);
        assertEquals(0, left());
    }

    @Test
    void aVariableLivesToTheEndOfItsMethodAndIsOneWithTheOthersOfItsName() throws Exception {
        marks("", """
                for (int i = 0; i < 2; i++) {
                    var a = one();
                    mark();
                }
                mark();
                if (true) {
                    var b = one();
                    mark();
                }
                {
                    var a = one().add(1);
                    mark();
                }
                {
                    Tensor b = null;
                    mark();
                }
                """, 1, 1, 1, 2, 2, 1);
    }

    @Test
    void anUnnamedArgumentIsGivenAwayAsInCPython() throws Exception {
        // a itself is gone before its sum is doubled
        marks("static Tensor f(Tensor a) { a = a.add(1); mark(); return a.mul(2); }",
                "var x = f(one()); mark(); var y = f(x); mark();", 1, 1, 2, 2);
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

    @Test
    void aLambdaThatTheJdkRunsAtOnceIsLetGoWithWhatItHasCaptured() throws Exception {
        marks("""
                static List<Tensor> sums(Tensor y) {
                    var some = new ArrayList<Tensor>();
                    Collections.unmodifiableList(new LinkedList<>(Set.of("a", "b"))).forEach(each -> some.add(y.add(1)));
                    return some;
                }
                """,
                """
                        var x = one();
                        var y = x;
                        var kept = sums(y);
                        kept = sums(y);
                        mark();
                        kept = null;
                        IntStream.range(0, 2).forEach(i -> y.mul(i));
                        mark();
                        var names = new TreeMap<Runnable, String>((a, b) -> 0);
                        names.computeIfAbsent(() -> y.add(1), key -> "kept");
                        names.firstKey().run();
                        mark();""", 3, 1, 1);
    }

    @Test
    void aLoopOfTrainingHoldsOneStep() throws Exception {
        marks("""
                static class Net extends io.vramlab.nn.Module {
                    Linear a = new Linear(8, 16), b = new Linear(16, 8);
                    Tensor seen;
                    public Tensor forward(Tensor x) {
                        x = a.call(x).relu();
                        seen = x.detach();
                        return b.call(x);
                    }
                }
                """, """
                var net = new Net();
                var x = Tensor.randn(4, 8);
                long first = 0;
                for (int i = 0; i < 5; i++) {
                    var y = net.call(x);
                    var loss = y.mul(y).mean();
                    loss.backward();
                    net.zeroGrad();
                    mark();
                }
                """, marksOfTraining());
    }

    private static long[] marksOfTraining() {
        // 4 parameters, x, y, loss, seen: the same after every step
        long[] all = new long[5];
        Arrays.fill(all, 8);
        return all;
    }

    @Test
    void whatAModuleReturnsAsItWasGivenLivesOn() throws Exception {
        marks("static class Same extends io.vramlab.nn.Module { public Tensor forward(Tensor x) { return x; } }", """
                var same = new Same();
                var y = same.call(one().add(1));
                mark();
                y = same.call(y).add(1);
                mark();
                y = null;
                mark();""", 1, 1, 0);
    }

    @Test
    void whatAModuleKeepsOutsideOfCountingLivesOnInASequential() throws Exception {
        // a LinkedList is not counted: what the module puts there escapes, and the Sequential must not close it
        marks("""
                static class Keeps extends io.vramlab.nn.Module {
                    final LinkedList<Tensor> kept = new LinkedList<>();
                    public Tensor forward(Tensor x) { kept.add(x); return x.add(1); }
                }
                """, """
                var keeps = new Keeps();
                var net = new Sequential(new ReLU(), keeps, new ReLU());
                var y = net.call(one());
                mark();
                y = keeps.kept.get(0).add(1);
                mark();""", 2, 2);
    }

    @Test
    void aTensorThatBecameAParameterCanStillBeUsed() throws Exception {
        marks("", """
                var t = one();
                var p = new Parameter(t);
                var y = t.add(1);
                mark();
                t = null;
                y = p.add(1);
                mark();""", 2, 2);
    }

    @Test
    void theGradientsThatAHookStoresLiveOn() throws Exception {
        // x, its gradient and what the hook kept of y's; y and the sum are gone
        marks("", """
                var x = one().requiresGrad_(true);
                var kept = new ArrayList<Tensor>();
                var y = x.mul(2);
                y.registerHook(g -> { kept.add(g); return null; });
                y.sum().backward();
                y = null;
                mark();
                var twice = kept.get(0).mul(2);
                mark();
                kept.clear();
                twice = null;
                mark();""", 3, 4, 2);
    }
}

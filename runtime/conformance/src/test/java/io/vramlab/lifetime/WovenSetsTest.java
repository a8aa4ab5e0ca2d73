package io.vramlab.lifetime;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Sets hold tensors and modules as Python's sets do, and are the JDK's otherwise. */
class WovenSetsTest extends CheckedWovenCase {

    private static final String MAKE = """
            record Named(String name, int rank) { }
            record Boxed(String name, Tensor one) {
                public boolean equals(Object other) { return other instanceof Boxed boxed && boxed.name.equals(name); }
                public int hashCode() { return name.hashCode(); }
            }
            static Tensor one() { return Tensor.ones(128); }
            static void same(Object ours, Object theirs) {
                if (!Objects.equals(ours, theirs)) { throw new IllegalStateException(ours + " is not " + theirs); }
            }
            static void refused(Runnable call) {
                try { call.run(); } catch (UnsupportedOperationException meant) { return; }
                throw new IllegalStateException("not refused");
            }
            """;

    WovenSetsTest() {
        super(MAKE);
    }

    private void marks(String statements, long... expected) throws Exception {
        marks("", statements, expected);
    }

    @Test
    void aSetHoldsWhatIsAddedUntilItIsTakenOutOrTheSetGoes() throws Exception {
        for (String each : List.of("HashSet", "LinkedHashSet")) {
            marks("var set = new " + each + """
                    <Tensor>();
                    var x = one();
                    set.add(x);
                    set.add(x);
                    set.add(one());
                    set.add(one());
                    x = null;
                    mark();
                    var first = set.iterator().next();
                    set.remove(first);
                    mark();
                    first = null;
                    mark();
                    set.clear();
                    mark();
                    set.add(one());
                    var same = set;
                    set = null;
                    mark();
                    same = null;
                    mark();""", 3, 3, 2, 0, 1, 0);
        }
    }

    @Test
    void whatManyAreTakenOutByLetsThemGo() throws Exception {
        marks("""
                var all = new ArrayList<>(List.of(one(), one().mul(2), one().mul(3), one().mul(4), one().mul(5)));
                Set<Tensor> set = new HashSet<>(all);
                set.removeAll(List.of(all.get(0)));
                all.remove(0);
                mark();
                all.remove(3);
                set.retainAll(all);
                all = null;
                mark();
                set.removeIf(each -> each.max().item() == 2);
                mark();
                for (var i = set.iterator(); i.hasNext();) { if (i.next().max().item() == 3) { i.remove(); } }
                mark();
                set.removeAll(set);
                mark();
                same(true, set.isEmpty());""", 4, 3, 2, 1, 0);
        marks("""
                Set<Tensor> set = new LinkedHashSet<>();
                for (int i = 0; i < 5; i++) { set.add(one().mul(i)); }
                mark();
                set.removeIf(each -> each.max().item() == 2);
                mark();
                var i = set.iterator();
                i.next();
                i.remove();
                i = null;
                mark();
                set.retainAll(new ArrayList<Tensor>());
                mark();""", 5, 4, 3, 0);
    }

    @Test
    void givenSetsHoldTheirsToo() throws Exception {
        marks("""
                var two = Set.of(one(), one());
                mark();
                var copy = Set.copyOf(two);
                two = null;
                mark();
                for (var each : copy) { each.add(1); }
                copy = null;
                mark();""", 2, 2, 1);
        marks("""
                var all = new HashSet<Object>();
                all.add(List.of(one()));
                all.add(new Tensor[]{one()});
                all.add(new Linear(128, 1, false));
                mark();
                all = null;
                mark();""", 3, 0);
        marks("""
                var two = new HashSet<>(List.of(one(), one()));
                double sum = two.stream().mapToDouble(each -> each.sum().item()).sum();
                same(256., sum);
                var array = two.toArray(new Tensor[0]);
                two = null;
                mark();
                array = null;
                mark();""", 2, 0);
    }

    @Test
    void parametersThatWereSeenGoWithTheirModel() throws Exception {
        marks("""
                var model = new Sequential(new Linear(128, 1, false), new Linear(128, 1, false));
                Set<Parameter> seen = new HashSet<>();
                for (var p : model.parameters()) { if (seen.add(p)) { seen.contains(p); } }
                model = null;
                mark();
                seen = null;
                mark();""", 2, 1);
    }

    @Test
    void ofTwoThatAreEqualTheFirstIsHeld() throws Exception {
        marks("""
                var set = new HashSet<Boxed>();
                set.add(new Boxed("a", one()));
                set.add(new Boxed("a", one()));
                mark();
                set.remove(new Boxed("a", one()));
                mark();""", 1, 0);
    }

    @Test
    void whatOtherCodeSeesIsTheCollectors() throws Exception {
        marks("""
                Set<Tensor> set = new LinkedHashSet<>();
                set.add(one());
                var list = new LinkedList<>(set);
                set = null;
                mark();
                list.get(0).add(1);""", 1);
    }

    @Test
    void otherwiseTheyAreTheJdks() throws Exception {
        marks("""
                var names = new ArrayList<String>();
                for (int i = 0; i < 40; i++) { names.add("name " + i * 37 % 41); }
                Set<Object> theirs = Collections.newSetFromMap(HashMap.newHashMap(40));
                theirs.addAll(names);
                same(theirs.toString(), new HashSet<>(names).toString());
                same(new HashSet<>(names), theirs);
                same(new HashSet<>(names).hashCode(), theirs.hashCode());
                var ordered = new LinkedHashSet<>(List.of("b", "c"));
                ordered.addFirst("a");
                ordered.addLast("b");
                same("[a, c, b]", ordered.toString());
                same("[b, c, a]", ordered.reversed().toString());
                same("a", ordered.removeFirst());
                same("b", ordered.removeLast());
                same("c", ordered.getFirst() + "");
                same(ordered, ordered.clone());
                same(Set.of(new Named("a", 1)), new HashSet<>(List.of(new Named("a", 1))));
                var fixed = Set.of(one());
                refused(() -> fixed.clear());
                refused(() -> fixed.remove(1));
                refused(() -> fixed.add(one()));
                try { Set.of(names.get(0), names.get(0)); throw new IllegalStateException(); }
                catch (IllegalArgumentException meant) { same(true, meant.getMessage().contains("duplicate")); }""");
    }
}

package io.vramlab.lifetime;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Objects hold what their fields hold, and let it go when they go. */
class WovenFieldsTest extends WovenCase {

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
    void aStaticFieldHoldsIt() throws Exception {
        marks("static Tensor s;", "s = one(); mark(); s = s.add(1); mark(); s = null; mark();", 1, 1, 0);
    }

    @Test
    void aSubclassHoldsWhatItInherits() throws Exception {
        marks("static class A { Tensor a = one(); } static class B extends A { Tensor b = one(); }",
                "A x = new B(); mark(); x = new A(); mark(); x = null; mark();", 2, 1, 0);
    }
}

package io.vramlab.kernel.internal.heap;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What fills a heap is told from what does not, whoever's collection holds it. */
class WeightTest {

    private static final int ARRAYS = 100;
    private static final int LONGS = 1000;
    /** 100 arrays of 1,000 numbers of 8 bytes. */
    private static final long BYTES = 8L * ARRAYS * LONGS;

    /** As the lists that count what they hold: of this product, and not of the JDK. */
    private static final class OwnList extends ArrayList<Object> {

        private static final long serialVersionUID = 1;
    }

    private static final class OwnMap extends HashMap<Object, Object> {

        private static final long serialVersionUID = 1;
    }

    private record Box(Object held) {
    }

    private static List<Object> filled(List<Object> list) {
        for (int i = 0; i < ARRAYS; i++) {
            list.add(new long[LONGS]);
        }
        return list;
    }

    private static void isHeavy(Object held) {
        long weight = Weight.of(held);
        assertTrue(weight >= BYTES && weight < 2 * BYTES, held.getClass() + " weighs " + weight);
    }

    @Test
    void listsAndMapsOfTheJdkAndOfOursWeighWhatTheyHold() {
        isHeavy(filled(new ArrayList<>()));
        isHeavy(filled(new LinkedList<>()));
        isHeavy(filled(new OwnList()));
        Map<Object, Object> map = new OwnMap();
        filled(new ArrayList<>()).forEach(each -> map.put(map.size(), each));
        isHeavy(map);
    }

    @Test
    void soDoesWhatHoldsThem() {
        isHeavy(new Box(filled(new OwnList())));
        isHeavy(List.of(new Box(filled(new OwnList()))));
    }
}

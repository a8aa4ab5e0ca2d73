package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.tensor.Lifetimes;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random programs keep alive what CPython kept when it ran their Python twins: lifetimes.py and those that extend it recorded it. */
class LifetimesOfPythonTest {

    private static final int TOGETHER = 25;
    private static final String FIRST = "lifetimes.json.gz";
    private static final String STREAMS = "lifetimes-streams.json.gz";
    private static final String MODULES = "lifetimes-modules.json.gz";
    private static final String OWNERS = "lifetimes-owners.json.gz";
    private static final String STATES = "lifetimes-states.json.gz";
    private static final String SETS = "lifetimes-sets.json.gz";
    private static final String EXTENDING = "lifetimes-extending.json.gz";

    private final Device before = Device.current();
    private final Device device = Device.shapesOnly("H200");

    @BeforeEach
    void count() {
        Device.set(device);
        Lifetimes.count(true);
        Lifetimes.check(true);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.check(false);
        Lifetimes.count(false);
        Device.set(before);
        device.close();
    }

    @Test
    void theFirstTwentyFiveProgramsKeepAliveWhatCPythonKept() throws Exception {
        compare(FIRST, 0, TOGETHER);
    }

    @Test
    void programsWithStreamsAndListsOfGivenValuesDo() throws Exception {
        compare(STREAMS, 0, 2 * TOGETHER);
    }

    @Test
    void programsWithModulesHooksAndFunctionsOfTheirOwnDo() throws Exception {
        compare(MODULES, 0, 2 * TOGETHER);
    }

    @Test
    void programsWithModulesThatExtendTheLibrarysDo() throws Exception {
        compare(EXTENDING, 0, 2 * TOGETHER);
    }

    @Test
    void programsThatTakeModulesApartAndDropThemDo() throws Exception {
        compare(OWNERS, 0, 2 * TOGETHER);
    }

    @Test
    void programsThatKeepAndLoadStatesAndCopyModulesDo() throws Exception {
        compare(STATES, 0, TOGETHER);
        compare(STATES, 2 * TOGETHER, 3 * TOGETHER);
    }

    @Test
    void programsWithSetsDo() throws Exception {
        compare(SETS, 0, TOGETHER);
    }

    @Test
    @Tag("long")
    void allProgramsDo() throws Exception {
        compare(FIRST, 0, Integer.MAX_VALUE);
        compare(STREAMS, 0, Integer.MAX_VALUE);
        compare(MODULES, 0, Integer.MAX_VALUE);
        compare(EXTENDING, 0, Integer.MAX_VALUE);
        compare(OWNERS, 0, Integer.MAX_VALUE);
        compare(STATES, 0, Integer.MAX_VALUE);
        compare(SETS, 0, Integer.MAX_VALUE);
    }

    private static void compare(String recording, int from, int to) throws Exception {
        List<Recorded.Program> all;
        try (InputStream in = LifetimesOfPythonTest.class.getResourceAsStream("/oracle/" + recording)) {
            all = Recorded.programs(in);
        }
        Tally tally = new Tally();
        for (int i = from; i < Math.min(to, all.size()); i += TOGETHER) {
            Recorded.run(all.subList(i, Math.min(i + TOGETHER, all.size()))).forEach(tally::take);
            tally.reachable.addAll(Lifetimes.reachableThoughClosed());
        }
        System.out.println(tally);
        assertEquals(List.of(), tally.different, tally.toString());
        assertEquals(List.of(), tally.shorter, "something was gone that CPython kept");
        assertEquals(List.of(), tally.reachable, "something was closed that can be reached");
        assertTrue(tally.programs >= TOGETHER, tally.toString());
    }

    /** What was seen. */
    private static final class Tally {

        private int programs;
        private int equal;
        private long marks;
        private final List<String> different = new ArrayList<>();
        private final List<String> shorter = new ArrayList<>();
        private final List<String> reachable = new ArrayList<>();

        void take(Recorded.Outcome outcome) {
            programs++;
            marks += outcome.marks().size();
            String name = outcome.program().name();
            if (outcome.isShort()) {
                shorter.add(name);
            }
            if (outcome.failure() != null) {
                different.add(name + " threw " + outcome.failure());
            } else if (outcome.differs() < 0) {
                equal++;
            } else {
                different.add(name + " differs at mark " + outcome.differs());
            }
        }

        @Override
        public String toString() {
            return programs + " programs, " + marks + " marks: " + equal + " equal; others "
                    + different;
        }
    }
}

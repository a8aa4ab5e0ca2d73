package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The first kernel that a program launches opens a hole among the segments' addresses. */
class LaunchesTest {

    private static final long MIB = 1L << 20;
    private static final String IMAGES = "[\"T\",1,\"float32\",[2,3,8,8],[192,64,8,1],0,1]\n"
            + "[\"T\",2,\"float32\",[2,3,8,8],[192,64,8,1],0,0]\n[\"T\",3,\"float32\",[2,3,8,8],[192,1,24,3],0,0]\n"
            + "[\"T\",4,\"float16\",[2,3,8,8],[192,64,8,1],0,0]\n";

    @Test
    void bytesThatAreBroughtAsTheyLieAreTheCopyEngines() throws IOException {
        assertFalse(isLaunched("aten._to_copy.default", "{\"t\":[0,1]}", "{\"t\":[1,2]}", "[1,1536]"));
    }

    @Test
    void channelsAreLaidAsideByAKernel() throws IOException {
        assertTrue(isLaunched("aten._to_copy.default", "{\"t\":[0,1]}", "{\"t\":[1,3]}", "[1,1536]"));
    }

    @Test
    void withinTheDeviceAnotherTypeIsAKernelsWorkAndACopyIsNot() throws IOException {
        assertTrue(isLaunched("aten._to_copy.default", "{\"t\":[1,2]}", "{\"t\":[2,4]}", "[2,768]"));
        assertFalse(isLaunched("aten.clone.default", "{\"t\":[1,2]}", "{\"t\":[2,2]}", "[2,1536]"));
    }

    @Test
    void viewsAndMemoryThatNobodyWritesLaunchNothing() throws IOException {
        assertFalse(isLaunched("aten.view.default", "{\"t\":[1,2]},[2,192]", "{\"t\":[1,2]}", ""));
        assertFalse(isLaunched("aten.empty_like.default", "{\"t\":[1,2]}", "{\"t\":[2,2]}", "[2,1536]"));
        assertTrue(isLaunched("aten.relu.default", "{\"t\":[1,2]}", "{\"t\":[2,2]}", "[2,1536]"));
        assertTrue(isLaunched("aten.relu_.default", "{\"t\":[1,2]}", "{\"t\":[1,2]}", ""));
        assertFalse(isLaunched("aten.relu.default", "{\"t\":[0,1]}", "{\"t\":[0,1]}", ""));
    }

    /**
     * The context's region ends 2 MiB after what its threads have, 414 MiB; the first small segment takes these two. A segment of 30 MiB
     * finds no room and gets a region of 32 below. With the first kernel the 414 are free, and are filled from below, after cuBLAS's 64.
     */
    @Test
    void segmentsFillWhatTheFirstKernelFrees() {
        SegmentMemory memory = Placement.SEEN.memory("H100", 80L << 30);
        long first = memory.allocate(2 * MIB);
        assertEquals(first - 446 * MIB, memory.allocate(30 * MIB));

        memory.firstKernel();

        assertEquals(first - 414 * MIB, memory.allocate(30 * MIB));
        memory.firstProduct();
        assertEquals(first - 320 * MIB, memory.allocate(32 * MIB));
    }

    private static boolean isLaunched(String name, String arguments, String result, String made) throws IOException {
        ProgramTrace trace = Recordings
                .of("[\"O\",1,\"" + name + "\"]\n" + IMAGES + "[\"o\",1,0,0,0,[" + arguments + "],{},"
                        + result + ",[" + made + "],\"\"]\n");
        return trace.events().stream().anyMatch(e -> e instanceof Operation o && Launches.isLaunched(o));
    }
}

package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What Inductor tried and compiled in an earlier run lies on disk, and a run that finds it there does not do it again. */
class KeptKernelsTest {

    private static final long MIB = 1L << 20;

    /** A tensor of 64 MiB, and a trial beside it that takes 192: 256 at once, 64 where the kernels were tried before. */
    @Test
    void theRangeHasRunsThatTryNoKernels() throws IOException {
        Plan plan = plan(made(1, 64) + "[\"m\",\"trial\",0]\n" + made(2, 192) + "[\"f\",2]\n[\"m\",\"tried\",0]\n"
                + "[\"f\",1]\n");
        assertEquals(256 * MIB, plan.allocated());
        assertEquals(256 * MIB, plan.mostAllocated());
        assertEquals(64 * MIB, plan.leastAllocated());
    }

    /**
     * Besides, the search for patterns takes 32 MiB that are let go later: 64 + 32 + 192 in a first run, 64 + 32 where another process
     * tried the kernels, 64 where the graphs are kept too.
     */
    @Test
    void theRangeHasRunsThatFindWholeGraphs() throws IOException {
        Plan plan = plan(made(1, 64) + "[\"m\",\"compiling\",0]\n" + made(2, 32) + "[\"m\",\"compiled\",0]\n"
                + "[\"m\",\"trial\",0]\n" + made(3, 192) + "[\"f\",3]\n[\"m\",\"tried\",0]\n"
                + "[\"f\",2]\n[\"f\",1]\n");
        assertEquals(288 * MIB, plan.allocated());
        assertEquals(64 * MIB, plan.leastAllocated());
        ProgramTrace trace = trace(
                made(1, 64) + "[\"m\",\"compiling\",0]\n" + made(2, 32) + "[\"m\",\"compiled\",0]\n");
        assertEquals(1, new Scripts(trace, DeviceProfile.find("H200").orElseThrow()).kept().size());
    }

    @Test
    void aProgramThatCompilesNothingHasNoOtherRuns() throws IOException {
        assertTrue(new Scripts(trace(made(1, 64)), DeviceProfile.find("H200").orElseThrow()).kept().isEmpty());
    }

    private static String made(int storage, int mebibytes) {
        return "[\"o\",1,0,0,0,[],{},{\"t\":[%1$d,1]},[[%1$d,%2$d]],\"\"]\n".formatted(storage, mebibytes * MIB);
    }

    private static Plan plan(String lines) throws IOException {
        return Plan.of(trace(lines), DeviceProfile.find("H200").orElseThrow(), "");
    }

    private static ProgramTrace trace(String lines) throws IOException {
        return Recordings
                .of("[\"T\",1,\"float32\",[16777216],[1],0,0]\n[\"O\",1,\"aten.empty.memory_format\"]\n" + lines);
    }
}

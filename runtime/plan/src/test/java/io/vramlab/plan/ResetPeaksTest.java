package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A program that resets its peaks, trains first and answers then: what it tells at its end is not what it needed. */
class ResetPeaksTest {

    private static final long GIB = 1L << 30;

    /** 2 GiB, let go of; the cache is emptied and the peaks reset; then 64 MiB. */
    private static ProgramTrace program(String reset) throws IOException {
        return Recordings.of("""
                ["O",1,"aten.empty.memory_format"]
                ["T",1,"uint8",[2147483648],[1],0,0]
                ["T",2,"uint8",[67108864],[1],0,0]
                ["o",1,0,0,0,[[2147483648]],{},{"t":[1,1]},[[1,2147483648]],""]
                ["f",1]
                ["m","empty_cache",0]
                %s["o",1,0,0,0,[[67108864]],{},{"t":[2,2]},[[2,67108864]],""]
                """.formatted(reset));
    }

    private static Plan plan(long room) throws IOException {
        return Plan.of(program("[\"m\",\"reset_peak\",0]\n"), DeviceProfile.of("H200:" + room), "");
    }

    @Test
    void thePeakIsWhatPyTorchTellsAtTheEndAndTheWholeRunsIsToldBeside() throws IOException {
        Plan plan = plan(100 * GIB);
        // max_memory_allocated and max_memory_reserved after the reset: the second tensor, in a segment of its own
        assertEquals(64L << 20, plan.allocated());
        assertEquals(64L << 20, plan.reserved());
        assertEquals(2 * GIB, plan.highestAllocated());
        assertEquals(2 * GIB, plan.highestReserved());
        assertEquals(2 * GIB, plan.holders().getFirst().bytes());
        String text = PlanReport.text(program("[\"m\",\"reset_peak\",0]\n"), List.of(plan), List.of());
        assertTrue(text.contains("in the whole run 2,048.00 MiB (2,147,483,648 bytes) allocated"), text);
    }

    @Test
    void aGpuWithoutRoomForWhatCameBeforeTheResetIsTooSmall() throws IOException {
        assertEquals(FitVerdict.DOES_NOT_FIT, plan(2 * GIB).verdict());
        assertTrue(plan(2 * GIB).failedAt().startsWith("aten.empty.memory_format"));
        assertEquals(FitVerdict.DOES_NOT_FIT,
                Plan.brief(program("[\"m\",\"reset_peak\",0]\n"), DeviceProfile.of("H200:" + 2 * GIB)).verdict());
    }

    @Test
    void withoutAResetNothingIsToldBeside() throws IOException {
        ProgramTrace trace = program("");
        Plan plan = Plan.of(trace, DeviceProfile.of("H200"), "");
        assertEquals(2 * GIB, plan.allocated());
        assertFalse(plan.isReset());
        assertFalse(PlanReport.text(trace, List.of(plan), List.of()).contains("in the whole run"));
    }
}

package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.memory.Sizes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a plan says of a device that is short of room, in PyTorch's words. */
class DeviceRoomTest {

    private static final long MIB = 1L << 20;
    private static final String MADE = """
            ["O",1,"aten.empty.memory_format"]
            ["T",1,"uint8",[209715200],[1],0,0]
            ["T",2,"uint8",[314572800],[1],0,0]
            ["o",1,0,0,0,[[209715200]],{},{"t":[1,1]},[[1,209715200]],""]
            """;
    private static final String AND_MORE = "[\"o\",1,0,0,0,[[314572800]],{},{\"t\":[2,2]},[[2,314572800]],\"\"]\n";

    private static DeviceProperties with(long bytes) {
        return DeviceProfile.of(bytes / MIB + "MiB");
    }

    /**
     * 200 MiB that went and 300 MiB need 500 without a limit; a device with 400 beside its context gives the 200 back and reserves at
     * most 300.
     */
    @Test
    void cachedMemoryThatIsGivenBackIsNotReservedTwice() throws IOException {
        long context = Outside.context(with(8192 * MIB));
        long bytes = 400 * MIB + context + MIB - 1;
        Plan plan = Plan.of(Recordings.of(MADE + "[\"f\",1]\n" + AND_MORE), with(bytes / MIB * MIB), "");
        assertEquals(List.of(FitVerdict.TIGHT, 500 * MIB, 300 * MIB),
                List.of(plan.verdict(), plan.reserved(), plan.reservedOnDevice()));
        String text = PlanReport.text(Recordings.of(MADE + "[\"f\",1]\n" + AND_MORE), List.of(plan), List.of());
        assertTrue(text.contains("on this GPU cached memory is given back where room is short, and at most 300.00 MiB"),
                text);
    }

    /** Its capacity is the whole device's, of which the context, too, is in use by this process. */
    @Test
    void whatRunsOutTellsTheWholeDevicesCapacity() throws IOException {
        long context = Outside.context(with(8192 * MIB));
        long bytes = (400 * MIB + context) / MIB * MIB;
        Plan plan = Plan.of(Recordings.of(MADE + AND_MORE), with(bytes), "");
        long free = bytes - context - 200 * MIB;
        assertEquals("CUDA out of memory. Tried to allocate 300.00 MiB. GPU 0 has a total capacity of "
                + Sizes.text(bytes) + " of which " + Sizes.text(free)
                + " is free. Including non-PyTorch memory, this process has "
                + Sizes.text(bytes - free)
                + " memory in use. Of the allocated memory 200.00 MiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated.",
                plan.failure().substring(0, plan.failure().indexOf(" If reserved")));
        assertEquals(0, plan.reservedOnDevice());
    }

    /** A device of 16 MiB has no room beside its context: none is free, and all of it is in use. */
    @Test
    void aDeviceSmallerThanItsContextHasNothingFree() throws IOException {
        Plan plan = Plan.of(Recordings.of(MADE), with(16 * MIB), "");
        assertTrue(plan.failure().contains(
                "total capacity of 16.00 MiB of which 0 bytes is free. Including non-PyTorch memory, this process has 16.00 MiB memory in use."),
                plan.failure());
    }

    /** A quarter of 1,000 MiB is for the process, whoever says so: 200 MiB fit and 300 more do not, though the device has room. */
    @Test
    void aProgramThatLimitsItselfRunsOutThere() throws IOException {
        String limited = "[\"m\",\"memory_fraction\",0,0.25]\n" + MADE + AND_MORE;
        String unlimited = MADE + AND_MORE;
        DeviceProperties device = with(1000 * MIB + Outside.context(with(8192 * MIB)));
        String allowed = Sizes.text((long) (0.25 * device.totalBytes())) + " allowed; Of the allocated memory";
        assertEquals(FitVerdict.FITS, Plan.of(Recordings.of(unlimited), device, "").verdict());
        for (Plan plan : List.of(Plan.of(Recordings.of(limited), device, ""),
                Plan.of(Recordings.of(unlimited), device, "per_process_memory_fraction:0.25"),
                Plan.brief(Recordings.of(limited), device))) {
            assertEquals(FitVerdict.DOES_NOT_FIT, plan.verdict());
            assertTrue(plan.failure().contains(allowed), plan.failure());
        }
    }

    /** What is taken before a program limits itself stays, as PyTorch looks at the limit where it asks the driver for more. */
    @Test
    void aLimitHoldsFromWhereItIsSet() throws IOException {
        String late = MADE + AND_MORE + "[\"m\",\"memory_fraction\",0,0.25]\n";
        DeviceProperties device = with(1000 * MIB + Outside.context(with(8192 * MIB)));
        assertEquals(FitVerdict.FITS, Plan.of(Recordings.of(late), device, "").verdict());
    }

    /** Recorders of before wrote what PyTorch raises ValueError for. */
    @Test
    void noProgramLimitsItselfToMoreThanTheDevice() {
        for (String fraction : List.of("1.5", "-0.5")) {
            TraceFormatException told = assertThrows(TraceFormatException.class,
                    () -> Recordings.of("[\"m\",\"memory_fraction\",0," + fraction + "]\n" + MADE));
            assertEquals("the program limits itself to " + fraction
                    + " of the device's memory, and PyTorch takes 0 to 1, for which it raises ValueError: record it with such a fraction",
                    told.getMessage());
        }
    }
}

package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DriverStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the driver takes for itself while a program runs, and where segments lie for it: addresses as an H100's driver gave them. */
class DriverStepsTest {

    private static final long MIB = 1L << 20;

    private final SegmentMemory memory = Placement.SEEN.memory("H100", 80L << 30, 0);
    /** The end of the context's last region, behind the 414 MiB of local memory. */
    private final long first = memory.allocate(2 * MIB);

    /**
     * From the driver's calls: with the first segment of 2 MiB at 0, one of 20 is at 74; what a filling asked for took 2 MiB behind it
     * and behind another 2 for pinned memory, gave the 414 back, and took 504 MiB in a region of 512 below, and 2 in this region's end.
     * A small segment came next, 6 MiB before that region's end; one of 20 at -414, of 30 at -394.
     */
    @Test
    void theFirstKernelsTakeMoreLocalMemoryAndFreeTheContexts() {
        assertEquals(first + 74 * MIB, memory.allocate(20 * MIB));
        memory.step(DriverStep.HOST);
        memory.step(DriverStep.KERNEL);
        memory.step(DriverStep.STACK);

        assertEquals(first - 420 * MIB, memory.allocate(2 * MIB));
        assertEquals(first - 414 * MIB, memory.allocate(20 * MIB));
        assertEquals(first - 394 * MIB, memory.allocate(30 * MIB));
        // a sum: 8.3 MiB, after which 2 MiB pages begin again: of two segments on either side of it the second was 10 MiB further
        memory.step(DriverStep.CHECK);
        assertEquals(first - 354 * MIB, memory.allocate(20 * MIB));
        memory.step(DriverStep.PRODUCTS);
        assertEquals(first - 270 * MIB, memory.allocate(32 * MIB));
    }

    /** Before any kernel of PyTorch's own a segment of 30 MiB finds no room in the context's regions and gets one below them. */
    @Test
    void drawnNumbersAloneLeaveTheContextsLocalMemory() {
        memory.step(DriverStep.KERNEL);

        assertEquals(first - 446 * MIB, memory.allocate(30 * MIB));
    }

    /** 0 copied to the device; drawn numbers, a sum of them read back, and twice their product with themselves. */
    @Test
    void eachStepComesOnceInTheOrderOfTheProgram() throws IOException {
        ProgramTrace trace = Recordings.of("""
                ["T",1,"float32",[64,64],[64,1],0,0]
                ["T",2,"float32",[],[],0,0]
                ["O",1,"aten.randn.default"]
                ["O",2,"aten.sum.default"]
                ["O",3,"aten._local_scalar_dense.default"]
                ["O",4,"aten.mm.default"]
                ["o",1,0,0,0,[[64,64]],{},{"t":[1,1]},[[1,16384]],""]
                ["o",2,0,0,0,[{"t":[1,1]}],{},{"t":[2,2]},[[2,4]],""]
                ["o",3,0,0,0,[{"t":[2,2]}],{},1.0,[],""]
                ["o",4,0,0,0,[{"t":[1,1]},{"t":[1,1]}],{},{"t":[3,1]},[[3,16384]],""]
                ["o",4,0,0,0,[{"t":[1,1]},{"t":[1,1]}],{},{"t":[4,1]},[[4,16384]],""]
                """);
        assertEquals(List.of(DriverStep.KERNEL, DriverStep.STACK, DriverStep.CHECK, DriverStep.HOST,
                DriverStep.PRODUCTS), steps(trace));
    }

    private static List<DriverStep> steps(ProgramTrace trace) {
        Script script = Script.of(trace, DeviceProfile.find("H200").orElseThrow());
        List<DriverStep> steps = new ArrayList<>();
        for (int i = 0; i < script.length(); i++) {
            if (script.kind(i) == Script.DRIVER) {
                steps.add(script.step(i));
            }
        }
        return steps;
    }
}

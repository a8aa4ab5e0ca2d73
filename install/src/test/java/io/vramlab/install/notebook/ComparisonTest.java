package io.vramlab.install.notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

class ComparisonTest {

    private static final Output MEMORY = new Output("data", "text/html, text/plain", "allocated  4,194,304");
    private static final Output OOM = new Output("error", "OutOfMemoryException", "Tried to allocate 2.00 GiB");

    private static List<Comparison.Difference> compare(List<Output> recorded, List<Output> now) {
        return Comparison.of(new Notebook.CodeCell(3, "", Set.of(), recorded), now);
    }

    private static Output printed(String text) {
        return new Output("stream", "stdout", text);
    }

    @Test
    void theSameOutputsDoNotDiffer() {
        assertEquals(List.of(), compare(List.of(MEMORY, OOM), List.of(MEMORY, OOM)));
    }

    @Test
    void oneByteMoreIsADifferenceAndItsLineIsShown() {
        var found = compare(List.of(printed("a\nallocated 512\n")), List.of(printed("a\nallocated 513\n")));
        assertEquals(
                List.of(new Comparison.Difference(3, "another text from line 2 on", "allocated 512", "allocated 513")),
                found);
    }

    @Test
    void timesAddressesAndIdentitiesAreNotCompared() {
        assertEquals(List.of(), compare(List.of(printed("took 12 ms at 0x7f01 by Net@1b2c3d4e")),
                List.of(printed("took 3.5 s at 0x7fff by Net@5f6a7b8c  "))));
    }

    @Test
    void onAnotherGpuItsNameAndKindAreNotDifferencesAndItsFiguresAre() {
        String simulated = """
                device  name            kind       current  total bytes
                ------  --------------  ---------  -------  -----------
                cuda:0  Simulated 8GiB  simulated  yes        8,589,934
                """;
        String real = """
                device  name         kind  current  total bytes
                ------  -----------  ----  -------  -----------
                cuda:0  NVIDIA H200  cuda  yes        8,589,934
                """;
        assertEquals(Comparison.ofAnyGpu(simulated), Comparison.ofAnyGpu(real));
        assertNotEquals(Comparison.ofAnyGpu(simulated), Comparison.ofAnyGpu(real.replace("8,589,934", "8,589,933")));
    }

    @Test
    void aFaultIsTheSameWhateverTheGpuKnowsOfIt() {
        String simulated = "CUDA error: device-side assert triggered (index_select: index 9 is out of bounds, in indexSelect "
                + "at In [2]:1). Simulated 8GiB is lost since then: every call fails. To go on, %device reset.";
        String real = "CUDA error: device-side assert triggered (CUDA_ERROR_ASSERT (710)). GPU 0 (NVIDIA H200) is lost "
                + "since then: every call fails. To go on, restart the kernel.";
        assertEquals(Comparison.ofAnyGpu(simulated), Comparison.ofAnyGpu(real));
        assertNotEquals(Comparison.ofAnyGpu(simulated),
                Comparison.ofAnyGpu(real.replace("device-side assert triggered", "unspecified launch failure")));
    }

    @Test
    void sizesAreCompared() {
        assertEquals(1, compare(List.of(printed("2 MiB")), List.of(printed("3 MiB"))).size());
    }

    @Test
    void aFixedBugIsRecognised() {
        var found = compare(List.of(OOM), List.of(MEMORY));
        assertEquals("the recorded failure no longer occurs", found.getFirst().what());
        assertEquals("OutOfMemoryException: Tried to allocate 2.00 GiB", found.getFirst().recorded());
    }

    @Test
    void anotherErrorAMissingOneAndANewOneAreTold() {
        assertEquals("another error",
                compare(List.of(OOM), List.of(new Output("error", "Other", ""))).getFirst().what());
        assertEquals("a recorded output is missing", compare(List.of(MEMORY), List.of()).getFirst().what());
        assertEquals("an output that was not recorded", compare(List.of(), List.of(OOM)).getFirst().what());
        assertEquals("another kind of output", compare(List.of(MEMORY), List.of(printed("x"))).getFirst().what());
    }

    @Test
    void aTableThatLostItsHtmlIsADifference() {
        assertTrue(compare(List.of(MEMORY), List.of(new Output("data", "text/plain", MEMORY.text()))).getFirst().what()
                .contains("form"));
    }
}

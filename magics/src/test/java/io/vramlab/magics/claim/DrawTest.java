package io.vramlab.magics.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DrawTest {

    private Device before;

    @BeforeEach
    void onAnEmptyDevice() {
        before = Device.current();
        Device.set(Device.simulated("1GiB"));
    }

    @AfterEach
    void onTheFormerDevice() {
        Device.set(before);
    }

    /** Two tensors of 4 MiB, of which one is left. */
    private static Marks run(String example) {
        Marks marks = Marks.start(example);
        Tensor x = Tensor.randn(1024, 1024);
        Tensor y = Tensor.randn(1024, 1024);
        marks.set("xy");
        y.close();
        marks.set("x");
        x.close();
        return marks;
    }

    @Test
    void aPictureSaysInWordsWhatItShows() {
        ReportTable held = Draw.held("two tensors", run("").named("mine"));
        assertEquals("two tensors: mine ends with 4.00 MiB, 8.00 MiB at its peak", held.picture().get().alt());
        assertTrue(held.picture().get().text().endsWith(" mine"), held.picture().get().text());

        ReportTable peaks = Draw.peaks("the most", run("").named("mine"), run("").named("yours"));
        assertEquals("the most: mine 8.00 MiB; yours 8.00 MiB", peaks.picture().get().alt());
        assertEquals("at one moment: mine 8.00 MiB",
                Draw.at("at one moment", "xy", run("").named("mine")).picture().get().alt());
    }

    @Test
    void theTableComparesWithPyTorchWhereThereIsARecording() {
        ReportTable alone = Draw.peaks("the most", run("").named("mine"));
        assertFalse(alone.columnNames().contains("equal to PyTorch's"));

        ReportTable compared = Draw.peaks("the most", run("s002_5_out_of_place").named("mine"));
        assertEquals(12_582_912, compared.longColumn("PyTorch's peak bytes").get(0));
        // start and xy are as recorded; what comes then is another program
        assertTrue(compared.stringColumn("equal to PyTorch's").get(0).startsWith("2 of 4 moments"),
                compared.toString());
    }

    @Test
    void whatIsDrawnAtOneMomentIsWhatItsTableSays() {
        ReportTable at = Draw.at("at one moment", "xy", run("s002_5_out_of_place").named("mine"));
        assertEquals(List.of("run", "after xy bytes", "PyTorch's bytes"), at.columnNames());
        assertEquals(8_388_608, at.longColumn("after xy bytes").get(0));
        assertEquals(8_388_608, at.longColumn("PyTorch's bytes").get(0));
    }

    @Test
    void ticksAreRoundAndTheLegendIsDrawnAsItsLine() {
        String svg = Draw.held("two", run("").named("mine"), run("").named("yours")).picture().get().svg();
        assertTrue(svg.contains(">8 MiB</text>") && svg.contains(">2 MiB</text>"), svg);
        assertEquals(2, svg.split("stroke-dasharray").length - 1, "the broken line of the second run, and its legend");
    }

    @Test
    void aPeakThatTheLineMissesStandsInTheLegend() {
        Marks above = Marks.start();
        Tensor.randn(1024, 1024).close();
        above.set("nothing left");
        String missed = Draw.held("one", above.named("mine")).picture().get().svg();
        assertTrue(missed.contains(">mine; peak 4.00 MiB, between two moments</text>"), missed);

        String drawn = Draw.held("two", run("").named("mine")).picture().get().svg();
        assertTrue(drawn.contains(">mine</text>"), drawn);
    }

    @Test
    void runsOfNothingCanBeDrawn() {
        assertEquals("nothing: empty ends with 0 bytes, 0 bytes at its peak",
                Draw.held("nothing", Marks.start().named("empty")).picture().get().alt());
        assertEquals("nothing: empty 0 bytes",
                Draw.peaks("nothing", Marks.start().named("empty")).picture().get().alt());
    }
}

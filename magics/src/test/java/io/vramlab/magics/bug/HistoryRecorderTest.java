package io.vramlab.magics.bug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonPrimitive;
import io.vramlab.device.Device;
import io.vramlab.magics.OnAFreshGpu;
import io.vramlab.memory.Allocator;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HistoryRecorderTest extends OnAFreshGpu {

    private static final int CELLS = 60;
    private static final int BLOCKS_A_CELL = 10_000;

    private HistoryRecorder recorder = new HistoryRecorder(HistoryRecorder.BUDGET);

    @AfterEach
    void nobodyListensAnyMore() {
        recorder.stop();
    }

    private List<RecordedPart> cell(int number, Runnable body) {
        recorder.cellStarted();
        body.run();
        return recorder.cellFinished(number);
    }

    /** Blocks of sizes that no compression foresees; every thousandth stays. */
    private static void churn(Random random, List<Long> kept) {
        Allocator allocator = allocator();
        for (int i = 0; i < BLOCKS_A_CELL; i++) {
            long address = allocator.allocate(1 + random.nextInt(1 << 20), 0);
            if (i % 1000 == 0) {
                kept.add(address);
            } else {
                allocator.free(address);
            }
        }
    }

    /** What a part adds to the file: its text as a JSON string, the text twin, and the output's own frame. */
    private static long inTheFile(RecordedPart part) {
        return new JsonPrimitive(part.json()).toString().length() + part.text().length() + 400;
    }

    @Test
    void aLongRunStaysBelowTwoMegabytesAndSaysWhatWasLeftOut() throws Exception {
        recorder.start();
        Random random = new Random(1);
        List<Long> kept = new ArrayList<>();
        List<RecordedPart> parts = new ArrayList<>();
        for (int cell = 1; cell <= CELLS; cell++) {
            parts.addAll(cell(cell, () -> churn(random, kept)));
        }
        // 60 cells of 10,000 allocations of 20 random bits, and 9,990 frees: base64 alone takes 10,000 * 20 / 6 * 60 characters
        assertEquals(19_990 + segmentsOf(parts.getFirst()), parts.getFirst().happened());
        assertFalse(parts.getFirst().thinned());
        assertTrue(parts.getLast().thinned());
        assertTrue(parts.getLast().text().contains("of which"), parts.getLast().text());
        long bytes = parts.stream().mapToLong(HistoryRecorderTest::inTheFile).sum();
        assertTrue(bytes < 2_000_000, bytes + " bytes");
        kept.forEach(allocator()::free);
    }

    private static int segmentsOf(RecordedPart part) {
        int gains = 0;
        for (int i = 0; i < part.events().size(); i++) {
            gains += part.events().kind(i) == Events.Kind.GAIN ? 1 : 0;
        }
        return gains;
    }

    @Test
    void whenNotEvenWhatLastsFitsTheRecordingEndsAndSaysSo() throws Exception {
        recorder = new HistoryRecorder(6_000);
        recorder.start();
        Random random = new Random(1);
        List<Long> kept = new ArrayList<>();
        List<RecordedPart> parts = new ArrayList<>();
        for (int cell = 1; cell <= CELLS; cell++) {
            parts.addAll(cell(cell, () -> churn(random, kept)));
        }
        assertTrue(parts.size() < CELLS);
        assertTrue(parts.getLast().ended());
        assertTrue(parts.getLast().text().endsWith("Recording ends here: the notebook has grown by 2 MB"));
        assertTrue(RecordedPart.read(new JsonPrimitive(parts.getLast().json())).ended());
        assertFalse(recorder.isOn());
        kept.forEach(allocator()::free);
    }

    @Test
    void theStateTablesTellTheStatisticsAndWhatIsAlive() {
        recorder.start();
        List<Tensor> kept = new ArrayList<>();
        RecordedPart part = cell(1, () -> {
            kept.add(Tensor.zeros(256, 256));
            kept.add(Tensor.ones(256, 256));
            Tensor.zeros(512).close();
            Tensor x = Tensor.zeros(1024);
            kept.add(x.requiresGrad_(true).mul(x).sum());
            x.close();
        }).getFirst();
        // two of 256 x 256 x 4 bytes; x, closed but in the graph; its square; the sum
        assertEquals(List.of(new StateTables.Alike("float32 [256, 256]", "other", 2, 524_288),
                new StateTables.Alike("float32 [1024]", "other", 1, 4096),
                new StateTables.Alike("without an open tensor", "parameter", 1, 4096),
                new StateTables.Alike("float32 []", "other", 1, 4)), part.state().tensors());
        // 524,288 + 2 * 4,096 and a block of 512; 512 x 4 bytes more came and went
        assertEquals(532_992, part.state().statistics().get("allocated_bytes.all.current"));
        assertEquals(535_040, part.state().statistics().get("allocated_bytes.all.allocated"));
        assertFalse(part.state().statistics().containsKey("num_ooms"));
        kept.forEach(Tensor::close);
    }

    @Test
    void theKernelsOptionTurnsItOnFromTheFirstCell() {
        assertFalse(HistoryRecorder.opened(null).isOn());
        recorder = HistoryRecorder.opened("on");
        List<Tensor> kept = new ArrayList<>();
        RecordedPart part = cell(1, () -> kept.add(Tensor.zeros(64))).getFirst();
        // a segment and a block
        assertEquals(2, part.happened());
        kept.forEach(Tensor::close);
    }

    @Test
    void recordingTheSameTwiceGivesTheSameBytes() {
        String first = recorded();
        recorder.stop();
        Device.select("sim:1GiB");
        assertEquals(first, recorded());
    }

    private String recorded() {
        recorder.start();
        List<Tensor> kept = new ArrayList<>();
        StringBuilder all = new StringBuilder();
        for (int cell = 1; cell <= 3; cell++) {
            cell(cell, () -> kept.add(Tensor.zeros(64, 64).add(1))).forEach(part -> all.append(part.json()));
        }
        kept.forEach(Tensor::close);
        return all.toString();
    }
}

package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DType;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The rules beside some 3,000 of cuDNN 9.19's answers on an H200, drawn at random from 1.4 million (src/fit/recurrent_sizes.py): kind, dtype,
 * training, packed, times, batch, rows, input, hidden, layers, directions, workspace, reserve.
 */
class RecurrentMemoryTest {

    private static final int ROUND = 16;
    private static final long ALLOCATED = 512;

    private record Answer(RecurrentMemory asked, long workspace, long reserve) {

        static Answer of(String line) {
            String[] w = line.split(" ");
            long[] n = new long[w.length];
            for (int i = 2; i < w.length; i++) {
                n[i] = Long.parseLong(w[i]);
            }
            return new Answer(
                    new RecurrentMemory(w[0], DType.valueOf(w[1]), n[2] == 1, n[3] == 1, n[4], n[5], n[6], n[7],
                            n[8], n[9], n[10], true, 0, false),
                    n[11], n[12]);
        }

        boolean isRound() {
            return asked.batch() % ROUND == 0 && asked.input() % ROUND == 0 && asked.hidden() % ROUND == 0;
        }

        /** As the allocator rounds it. */
        boolean takesTheSame() {
            return (workspace + ALLOCATED - 1) / ALLOCATED == (asked.workspace() + ALLOCATED - 1) / ALLOCATED;
        }
    }

    private static List<Answer> answers;

    @BeforeAll
    static void read() throws Exception {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(RecurrentMemoryTest.class.getResourceAsStream("/recurrent-answers.txt.gz")),
                StandardCharsets.UTF_8))) {
            answers = lines.lines().map(Answer::of).toList();
        }
        assertTrue(answers.size() > 2900);
    }

    @Test
    void sizesInWholeVectorsHaveTheWorkspaceToTheByte() {
        List<Answer> round = answers.stream().filter(Answer::isRound).toList();
        assertTrue(round.size() > 100);
        assertEquals(List.of(), round.stream().filter(a -> a.workspace != a.asked.workspace()).toList());
    }

    @Test
    void allOthersHaveItButForAFewBytes() {
        long same = answers.stream().filter(Answer::takesTheSame).count();
        assertTrue(same >= 0.95 * answers.size(), same + " of " + answers.size());
        List<Answer> off = answers.stream()
                .filter(a -> Math.abs(a.workspace - a.asked.workspace()) > a.workspace / 100).toList();
        assertTrue(off.size() <= answers.size() / 200, off.size() + " are off by more than a hundredth: " + off);
    }

    @Test
    void reservesAreEqualButForTheirAlignment() {
        assertEquals(List.of(), answers.stream()
                .filter(a -> Math.abs(a.reserve - a.asked.reserve()) > a.reserve / 100 + ALLOCATED).toList());
    }

    /** As an H200 took them: each direction of a later layer has a mask of its own, of what both below gave; forward keeps no more. */
    @Test
    void dropoutBetweenTwoDirectionsTakesMasksAlone() {
        RecurrentMemory packed = new RecurrentMemory("LSTM", DType.FLOAT32, true, true, 154, 128, 12_693, 300, 512, 2,
                2, true, 0, true);
        assertEquals(List.of(392_356_096L, 576_942_336L), List.of(packed.workspace(), packed.reserve()));
        RecurrentMemory padded = new RecurrentMemory("GRU", DType.FLOAT32, true, false, 469, 24, 469 * 24, 640, 768, 4,
                2, true, 0, true);
        assertEquals(List.of(697_164_224L, 1_880_202_496L), List.of(padded.workspace(), padded.reserve()));
    }
}

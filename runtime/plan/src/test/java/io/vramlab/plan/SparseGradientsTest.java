package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Sixteen programs with sparse gradients ({@code sparse_gradients.py}) beside what an H200 took for each, in order. */
class SparseGradientsTest {

    /** The programs were recorded without it. */
    private static final long CUBLAS_WORKSPACE = 32 << 20;

    @Test
    void sparseOptimizersTakeWhatAnH200TookAndInThatOrder() throws IOException {
        ProgramTrace trace = ProgramTrace
                .read(SparseGradientsTest.class.getResourceAsStream("/plan/sparse/sparse_gradients.trace"));
        Script script = Script.of(trace, DeviceProfile.find("H200").orElseThrow());
        List<Long> taken = LongStream.range(0, script.length()).mapToInt(Math::toIntExact)
                .filter(i -> script.kind(i) == Script.TAKE && script.bytes(i) > 0)
                .mapToLong(script::bytes).filter(bytes -> bytes != CUBLAS_WORKSPACE).boxed().toList();
        int from = 0;
        for (String[] program : recorded()) {
            List<Long> sizes = Arrays.stream(program[1].split(" ")).map(Long::valueOf).toList();
            int to = Math.min(taken.size(), from + sizes.size());
            assertEquals(sizes, taken.subList(from, to), program[0]);
            from = to;
        }
        assertEquals(taken.size(), from);
        assertEquals(0, script.unknown().size());
    }

    private static List<String[]> recorded() throws IOException {
        List<String[]> programs = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                SparseGradientsTest.class.getResourceAsStream("/plan/sparse/sparse_gradients.sizes"),
                StandardCharsets.UTF_8))) {
            in.lines().forEach(line -> programs.add(line.split("\t")));
        }
        return programs;
    }
}

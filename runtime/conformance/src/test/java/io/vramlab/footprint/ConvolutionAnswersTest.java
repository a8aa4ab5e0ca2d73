package io.vramlab.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Convolution.Pass;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What cuDNN answers on this machine, beside what it took for the same 500 products on an H200. */
class ConvolutionAnswersTest {

    private static final DeviceProperties H200 = DeviceProfile.find("H200").orElseThrow();

    private record Recorded(Convolution product, long bytes) {
    }

    @AfterEach
    void asksNobody() {
        System.clearProperty("vramlab.cudnn.ask");
    }

    @Test
    void itIsNotAskedUnlessOneWantsIt() throws IOException {
        assertEquals(Optional.empty(), ConvolutionAnswers.of(recorded().getFirst().product, H200));
    }

    @Test
    void nineOfTenAnswersAreWhatWasRecordedAndTheyAddUp() throws IOException {
        assumeTrue(ConvolutionAnswers.library().isPresent(),
                "this machine has no cuDNN 9.8 or later: pip install nvidia-cudnn-cu13, and VRAMLAB_CUDNN names its folder");
        System.setProperty("vramlab.cudnn.ask", "on");
        int equal = 0;
        int answered = 0;
        long off = 0;
        long all = 0;
        for (Recorded each : recorded()) {
            Optional<Answer> answer = ConvolutionAnswers.of(each.product, H200);
            if (answer.isPresent()) {
                long bytes = StreamedTiles.bytes(each.product, answer.get(), H200);
                answered++;
                equal += bytes == each.bytes ? 1 : 0;
                off += Math.abs(bytes - each.bytes);
                all += each.bytes;
            }
        }
        assertTrue(answered > 450, answered + " of 500 were answered");
        assertTrue(equal >= 0.9 * answered, equal + " of " + answered + " are equal");
        assertTrue(off <= 0.05 * all, off + " of " + all + " bytes are off");
    }

    private static List<Recorded> recorded() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(
                        ConvolutionAnswersTest.class.getResourceAsStream("/convolution-answers.txt.gz")),
                StandardCharsets.UTF_8))) {
            return lines.lines().map(ConvolutionAnswersTest::recorded).toList();
        }
    }

    /** Product, order, dtype, batch, channels, outputs, groups, input, kernel, stride, padding, dilation, bytes. */
    private static Recorded recorded(String line) {
        String[] w = line.split(" ");
        long[] in = longs(w[7]);
        long[] kernel = longs(w[8]);
        long[] stride = longs(w[9]);
        long[] padding = longs(w[10]);
        long[] dilation = longs(w[11]);
        long[] out = new long[in.length];
        Arrays.setAll(out, d -> (in[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1);
        return new Recorded(new Convolution(Pass.values()[Integer.parseInt(w[0])],
                DType.valueOf(w[2].toUpperCase(Locale.ROOT)), w[1].equals("1"), Long.parseLong(w[3]),
                Long.parseLong(w[4]), Long.parseLong(w[5]), Long.parseLong(w[6]), in, kernel, stride, padding,
                dilation, out), Long.parseLong(w[12]));
    }

    private static long[] longs(String list) {
        return Arrays.stream(list.split(",")).mapToLong(Long::parseLong).toArray();
    }
}

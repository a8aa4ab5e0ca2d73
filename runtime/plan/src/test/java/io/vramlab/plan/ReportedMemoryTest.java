package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** How much memory a recording's GPU has: what CUDA reports, which is less than its nominal capacity. */
class ReportedMemoryTest {

    private static ProgramTrace recorded(String more) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(("{\"vramlab_trace\":1,\"device\":\"RTX-3060-12GB\"," + more
                    + "\"script\":\"one.py\"}\n[\"b\",1,512]\n[\"z\",true]").getBytes(StandardCharsets.UTF_8));
        }
        return ProgramTrace.read(new ByteArrayInputStream(zipped.toByteArray()));
    }

    @Test
    void aRecordingsOwnGpuHasWhatCudaReportsOfIt() throws IOException {
        ProgramTrace trace = recorded("\"memory\":12000000000,");
        assertEquals(12_000_000_000L, trace.gpu("RTX-3060-12GB").totalBytes());
        assertEquals(28, trace.gpu("RTX-3060-12GB").multiProcessorCount());
        assertEquals(FitVerdict.FITS, Plan.of(trace, trace.gpu(trace.device()), "").verdict());
    }

    /** 11.76 GiB of the 12 that an RTX 3060 is sold with. */
    @Test
    void anotherHasWhatCudaReportsOfSuchACardAndSoHasOneOfARecordingThatDoesNotTell() throws IOException {
        assertEquals(DeviceProfile.find("H200"), Optional.of(recorded("\"memory\":12000000000,").gpu("H200")));
        assertEquals(12_622_168_064L, recorded("").gpu("RTX-3060-12GB").totalBytes());
        assertEquals(24L << 30, recorded("\"memory\":12622168064,").gpu("24GiB").totalBytes());
    }
}

package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** A workspace of cuDNN's that has no room: PyTorch goes on with the plans that follow (Conv_v8.cpp, try_configs). */
class SparedWorkspaceTest {

    private static final long GIB = 1L << 30;

    /** One convolution, whose first plan works in so many bytes. */
    private static ProgramTrace layer(long workspace) throws IOException {
        String lines = String.join("\n",
                "{\"vramlab_trace\":1,\"device\":\"RTX-3060-12GB\",\"capability\":[8,6],\"script\":\"one.py\"}",
                "[\"O\",1,\"aten.convolution.default\"]", "[\"T\",1,\"float32\",[5,7,19,19],[2527,361,19,1],0,0]",
                "[\"T\",2,\"float32\",[11,7,5,5],[175,25,5,1],0,0]",
                "[\"T\",3,\"float32\",[5,11,15,15],[2475,225,15,1],0,0]", "[\"b\",1,50540]", "[\"b\",2,7700]",
                "[\"w\",[[" + workspace + ",55,2,1]]]",
                "[\"o\",1,0,0,0,[{\"t\":[1,1]},{\"t\":[2,2]},null,[1,1],[0,0],[1,1],false,[0,0],1],{},{\"t\":[3,3]},[[3,49500]],\"\"]",
                "[\"z\",true]");
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(lines.getBytes(StandardCharsets.UTF_8));
        }
        return ProgramTrace.read(new ByteArrayInputStream(zipped.toByteArray()));
    }

    private static DeviceProperties with(long room) {
        DeviceProperties whole = DeviceProfile.find("RTX-3060-12GB").orElseThrow();
        return DeviceProfile.of("RTX-3060-12GB:" + (room + Outside.context(whole)));
    }

    @Test
    void itIsDoneWithoutAndTheProgramFits() throws IOException {
        ProgramTrace trace = layer(3 * GIB);
        // small segment of 2 MiB, and 3 GiB in one of their own
        assertEquals((2L << 20) + 3 * GIB, Plan.of(trace, with(4 * GIB), "").reserved());
        assertEquals(FitVerdict.FITS, Plan.of(trace, with(4 * GIB), "").verdict());
        Plan tight = Plan.of(trace, with(GIB), "");
        assertTrue(tight.fits(), tight.verdict().text());
        assertEquals("", tight.failedAt());
    }

    @Test
    void whatTheProgramHoldsItselfIsNot() throws IOException {
        assertEquals(FitVerdict.DOES_NOT_FIT, Plan.of(layer(0), with(1 << 20), "").verdict());
    }
}

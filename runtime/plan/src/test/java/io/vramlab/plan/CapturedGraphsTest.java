package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** cuBLAS has a workspace for each stream that works, whichever graph's pool it lies in; as an H100 showed of a script with four graphs. */
class CapturedGraphsTest {

    /** 32 MiB on an H100, and products of 4 x 4 float32. */
    private static final long WORKSPACE = 32L << 20;

    @Test
    void graphsThatAreCapturedOnOneStreamHaveOneWorkspace() throws IOException {
        assertEquals(List.of(64L, WORKSPACE, 64L), sizes("[\"s\",64,1]", "[\"s\",65,1]"));
        assertEquals(List.of(64L, WORKSPACE, 64L), sizes("[\"s\",1]", "[\"s\",64,1]"));
    }

    @Test
    void graphsThatAreCapturedOnTwoHaveTwo() throws IOException {
        assertEquals(List.of(64L, WORKSPACE, 64L, WORKSPACE), sizes("[\"s\",64,1]", "[\"s\",65,2]"));
        assertEquals(List.of(64L, WORKSPACE, 64L, WORKSPACE), sizes("[\"s\",0]", "[\"s\",64,1]"));
    }

    /** Recordings of before do not say on which: on one, as without a stream of the program's own. */
    @Test
    void olderRecordingsAreReadAsIfAllWereCapturedOnOne() throws IOException {
        assertEquals(List.of(64L, WORKSPACE, 64L), sizes("[\"s\",64]", "[\"s\",65]"));
    }

    private static List<Long> sizes(String first, String second) throws IOException {
        return Plan
                .of(Recordings
                        .of("[\"T\",1,\"float32\",[4,4],[4,1],0,0]\n[\"O\",1,\"aten.mm.default\"]\n" + "[\"b\",9,64]\n"
                                + first + "\n" + product(1) + second + "\n" + product(2)),
                        DeviceProfile.find("H100-80GB").orElseThrow(), "")
                .sizes().stream().skip(1).toList();
    }

    private static String product(int made) {
        return "[\"o\",1,0,0,0,[{\"t\":[9,1]},{\"t\":[9,1]}],{},{\"t\":[%d,1]},[[%1$d,64]],\"\"]\n".formatted(made);
    }
}

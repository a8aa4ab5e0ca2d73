package io.vramlab.plan;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/** Recordings that a test writes itself. */
final class Recordings {

    private Recordings() {
    }

    /** One for an H200, of these lines. */
    static ProgramTrace of(String lines) throws IOException {
        return of(lines, true);
    }

    /** The same of a program that went on after them. */
    static ProgramTrace cut(String lines) throws IOException {
        return of(lines, false);
    }

    private static ProgramTrace of(String lines, boolean complete) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(
                    ("{\"vramlab_trace\":1,\"torch\":\"2.11.0\",\"device\":\"H200\",\"name\":\"NVIDIA H200\",\"capability\":[9,0],"
                            + "\"multiprocessors\":132,\"memory\":150109880320,\"script\":\"written\"}\n" + lines
                            + "[\"z\"," + complete + "]\n")
                            .getBytes(StandardCharsets.UTF_8));
        }
        return ProgramTrace.read(new ByteArrayInputStream(bytes.toByteArray()));
    }
}

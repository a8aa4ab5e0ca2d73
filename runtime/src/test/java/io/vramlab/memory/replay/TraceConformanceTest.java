package io.vramlab.memory.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceConformanceTest {

    static List<Path> traces() throws IOException, URISyntaxException {
        final Path folder = Path.of(TraceConformanceTest.class.getResource("/oracle/traces").toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test
    void thereAreThirtyEightRecordings() throws IOException, URISyntaxException {
        assertEquals(38, traces().size());
    }

    @ParameterizedTest
    @MethodSource("traces")
    void everyOperationOfTheRecordingComesOutTheSame(final Path trace) throws IOException {
        final Conformance result = TraceConformance.check(trace);

        assertEquals("", result.firstMismatch());
        assertEquals(0, result.mismatches());
        assertEquals(4000, result.operations());
    }
}

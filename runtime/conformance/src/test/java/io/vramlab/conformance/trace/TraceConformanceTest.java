package io.vramlab.conformance.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceConformanceTest {

    private static List<Path> files(final String resource) throws IOException, URISyntaxException {
        final Path folder = Path.of(TraceConformanceTest.class.getResource(resource).toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    static List<Path> traces() throws IOException, URISyntaxException {
        final List<Path> all = new ArrayList<>(files("/oracle/traces"));
        all.addAll(files("/oracle/traces-more"));
        return all;
    }

    @Test
    void thereAreThirtyEightRecordingsAndSixOfOtherSettings() throws IOException, URISyntaxException {
        assertEquals(38, files("/oracle/traces").size());
        // recorded with the same recorder on an H200, seeds 42 to 46: keys and combinations that the 38 lack
        assertEquals(6, files("/oracle/traces-more").size());
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

package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The committed PTX is what the committed CUDA C gives: compile.py writes its sources' digest into the first line. */
class PtxSourcesTest {

    private static final Path SOURCES = Path.of("src/main/cuda");
    private static final Pattern INCLUDE = Pattern.compile("#include \"(.*)\"");

    @TestFactory
    Stream<DynamicTest> everyKernelFileMatchesItsSource() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(SOURCES)) {
            files = all.filter(f -> f.toString().endsWith(".cu")).sorted().toList();
        }
        assertFalse(files.isEmpty());
        return files.stream().map(f -> DynamicTest.dynamicTest(f.getFileName().toString(), () -> matches(f)));
    }

    private static void matches(Path source) throws Exception {
        StringBuilder text = new StringBuilder();
        inline(source, new HashSet<>(), text);
        String digest = HexFormat.of().formatHex(
                MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8)));
        String name = source.getFileName().toString();
        List<String> ptx = PtxModule.text(name.substring(0, name.length() - 3) + ".ptx").lines().toList();

        assertEquals("// source sha256 " + digest, ptx.get(0), "run src/main/cuda/compile.py and commit the result");
        // ISA 8.0 is CUDA 12.0's: the oldest driver we promise
        assertTrue(ptx.contains(".version 8.0"));
        // AttentionKernels.runOn asks for what these need
        String target = name.startsWith("attention") ? "sm_80" : "sm_70";
        assertTrue(ptx.contains(".target " + target), name);
    }

    private static void inline(Path source, Set<Path> seen, StringBuilder to) throws IOException {
        for (String line : Files.readAllLines(source)) {
            Matcher include = INCLUDE.matcher(line);
            if (include.matches()) {
                Path header = source.resolveSibling(include.group(1));
                if (seen.add(header)) {
                    inline(header, seen, to);
                }
            } else if (!line.equals("#pragma once")) {
                to.append(line).append('\n');
            }
        }
    }
}

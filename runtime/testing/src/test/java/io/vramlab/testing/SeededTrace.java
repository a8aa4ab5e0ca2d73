package io.vramlab.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** mlp_adamw.trace with something put into it at a place that a seed chooses. */
final class SeededTrace {

    private static final Path KEPT = Path.of("../plan/src/test/resources/plan/traces/mlp_adamw.trace");
    /** One per cent of 186,260,480 bytes in whole blocks of 512: 3,638 of them. */
    private static final long GROWTH = (186_260_480 / 100 + 511) / 512 * 512;
    private static final int OPERATION = 9_000;
    private static final long STORAGE = 900_000;

    private final List<String> lines = new ArrayList<>();

    private SeededTrace() throws IOException {
        try (BufferedReader text = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(KEPT)), StandardCharsets.UTF_8))) {
            text.lines().forEach(lines::add);
        }
    }

    /** A tensor more, of 1 %, which is never let go: a storage that came from somewhere (even seeds), or what an operation made. */
    static void grown(long seed, Path file) throws IOException {
        SeededTrace trace = new SeededTrace();
        int last = trace.last("aten._foreach_sqrt"); // the peak, as `vramlab plan` tells
        int at = trace.operation(new Random(seed), 1, last);
        if (seed % 2 == 0) {
            trace.lines.add(at, "[\"b\", " + STORAGE + ", " + GROWTH + "]");
        } else {
            trace.lines.add(at, trace.made(at));
        }
        trace.write(file);
    }

    /** A tensor more of the same size, let go at once and before the optimizer has its state, so that the peak stays what it is. */
    static void harmless(long seed, Path file) throws IOException {
        SeededTrace trace = new SeededTrace();
        int at = trace.operation(new Random(seed), 1, trace.first("aten._foreach_"));
        String more = seed % 2 == 0 ? "[\"b\", " + STORAGE + ", " + GROWTH + "]" : trace.made(at);
        trace.lines.addAll(at, List.of(more, "[\"f\", " + STORAGE + "]"));
        trace.write(file);
    }

    /** An operation at the call site of the one that stands there; {@code full} takes its result alone. */
    private String made(int at) {
        String[] there = lines.get(at).split(",", 6); // kind, operation, site, module, phase
        lines.add(1, "[\"O\", " + OPERATION + ", \"aten.full.default\"]");
        return "[\"o\", " + OPERATION + "," + there[2] + "," + there[3] + "," + there[4] + ", [], {}, null, [["
                + STORAGE + ", " + GROWTH + "]], \"\"]";
    }

    /** The place of an operation, at random in a part of the lines. */
    private int operation(Random random, int from, int to) {
        int at;
        do {
            at = from + random.nextInt(to - from);
        } while (!lines.get(at).startsWith("[\"o\""));
        return at;
    }

    private int first(String name) {
        int at = 0;
        while (!is(at, name)) {
            at++;
        }
        return at;
    }

    private int last(String name) {
        int at = lines.size() - 1;
        while (!is(at, name)) {
            at--;
        }
        return at;
    }

    /** Whether an operation of that name stands in a line. */
    private boolean is(int at, String name) {
        String[] line = lines.get(at).split(",", 3);
        return line[0].equals("[\"o\"") && lines.stream().anyMatch(
                l -> l.startsWith("[\"O\"") && l.split(",", 3)[1].strip().equals(line[1].strip()) && l.contains(name));
    }

    private void write(Path file) throws IOException {
        try (Writer out = new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)),
                StandardCharsets.UTF_8)) {
            for (String line : lines) {
                out.write(line);
                out.write('\n');
            }
        }
    }
}

package io.vramlab.magics.claim;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * What PyTorch 2.11.0+cu130 recorded on an H200 for the articles' examples, without library workspaces
 * (CUBLAS_WORKSPACE_CONFIG=:0:0, DISABLE_ADDMM_CUDA_LT=1), the peaks reset at each example's start.
 */
public final class Recorded {

    private static final String RESOURCE = "pytorch-2.11-h200.tsv";

    private static final Map<String, List<Mark>> ALL = read();

    private Recorded() {
    }

    /** The examples that were recorded. */
    public static List<String> examples() {
        return List.copyOf(ALL.keySet());
    }

    /**
     * The marks of one example in order.
     *
     * @throws NoSuchElementException
     *             naming the examples there are
     */
    public static List<Mark> marks(String example) {
        List<Mark> marks = ALL.get(example);
        if (marks == null) {
            throw new NoSuchElementException(
                    "No recording is named " + example + ". Recorded were: " + String.join(", ", ALL.keySet()) + ".");
        }
        return marks;
    }

    /**
     * One mark of one example, the last of that label.
     *
     * @throws NoSuchElementException
     *             naming what there is
     */
    public static Mark mark(String example, String label) {
        List<Mark> marks = marks(example);
        return marks.stream().filter(m -> m.label().equals(label)).reduce((first, last) -> last)
                .orElseThrow(() -> new NoSuchElementException("The recording " + example + " has no mark " + label
                        + ". It has: " + String.join(", ", marks.stream().map(Mark::label).toList()) + "."));
    }

    private static Map<String, List<Mark>> read() {
        Map<String, List<Mark>> all = new LinkedHashMap<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(Recorded.class.getResourceAsStream(RESOURCE), StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> !line.startsWith("#")).map(line -> line.split("\t"))
                    .forEach(f -> all.computeIfAbsent(f[0], k -> new ArrayList<>()).add(
                            Mark.of(f[1], Arrays.stream(f, 2, f.length).mapToLong(Long::parseLong).toArray())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }
}

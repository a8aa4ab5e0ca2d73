package io.vramlab.footprint;

import io.vramlab.device.DType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What it costs, in steps of a tile's sum, to cut it into parts, as {@code src/fit/streamed.py} fitted it to recordings of an
 * H200; docs/footprint.md, "Convolutions".
 *
 * @param part
 *            for each part of each tile
 * @param level
 *            for each level of sums of two
 * @param any
 *            for cutting at all
 */
record StreamedCosts(double part, double level, double any) {

    private static final String FILE = "streamed-costs.txt";
    /** For tiles of which too few were recorded. */
    private static final int ANY_TILE = -1;
    private static final Map<String, StreamedCosts> FITTED = read();

    private static Map<String, StreamedCosts> read() {
        Map<String, StreamedCosts> all = new HashMap<>();
        try (InputStream in = StreamedCosts.class.getResourceAsStream(FILE);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] word = line.split(" ");
                all.put(word[0] + " " + word[1] + " " + word[2], new StreamedCosts(Double.parseDouble(word[3]),
                        Double.parseDouble(word[4]), Double.parseDouble(word[5])));
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return all;
    }

    static StreamedCosts of(boolean weight, DType dtype, long tile) {
        String key = (weight ? "weight " : "other ") + dtype.name().toLowerCase(Locale.ROOT) + " ";
        StreamedCosts exact = FITTED.get(key + tile);
        return exact != null ? exact : FITTED.get(key + ANY_TILE);
    }
}

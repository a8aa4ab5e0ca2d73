package io.vramlab.footprint;

import io.vramlab.device.DType;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The workspaces of many layers, as {@code src/fit/table.py} writes them down. A layer is told by its text, without batch and
 * dtype. It has series, one for each product, dtype and order of memory; a series has the batches that are known, and of each
 * what its workspace consists of, which seldom changes from a batch to the next.
 */
final class ConvolutionRecordings {

    private static final int SHIFT = 7;
    private static final int LOW = 0x7f;
    private static final int MORE = 0x80;
    private static final List<DType> DTYPES = List.of(DType.FLOAT32, DType.BFLOAT16, DType.FLOAT16);

    private final byte[] parts;
    /** Where each part's text begins. */
    private final int[] partsAt;
    private final int[][] batches;
    private final byte[] series;
    private final byte[] labels;
    /** Where each layer's series begin, and what they consist of. */
    private final LayerIndex layers;

    private ConvolutionRecordings(String file) {
        try (InputStream in = ConvolutionRecordings.class.getResourceAsStream(file);
                DataInputStream data = new DataInputStream(
                        new BufferedInputStream(new GZIPInputStream(in, 1 << 16), 1 << 16))) {
            int count = data.readInt();
            parts = block(data);
            partsAt = lines(parts);
            batches = batches(block(data));
            byte[] names = block(data);
            series = block(data);
            labels = block(data);
            layers = new LayerIndex(count);
            index(count, names);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static byte[] block(DataInputStream data) throws IOException {
        return data.readNBytes(data.readInt());
    }

    private static int[] lines(byte[] text) {
        TableLines lines = new TableLines(text, 0);
        int[] at = new int[16];
        int count = 0;
        for (; lines.isMore(); lines.next()) {
            if (count == at.length) {
                at = Arrays.copyOf(at, 2 * count);
            }
            at[count++] = lines.at();
        }
        return Arrays.copyOf(at, count);
    }

    private static int[][] batches(byte[] text) {
        int[] at = lines(text);
        int[][] batches = new int[at.length][];
        for (int line = 0; line < at.length; line++) {
            TableLines numbers = new TableLines(text, at[line]);
            int end = line + 1 < at.length ? at[line + 1] : text.length + 1;
            int[] its = new int[end - at[line]];
            int count = 0;
            while (numbers.at() < end) {
                its[count++] = numbers.whole();
            }
            batches[line] = Arrays.copyOf(its, count);
        }
        return batches;
    }

    /** A layer's text begins as the one before; every number of a series is passed over once. */
    private void index(int count, byte[] names) {
        byte[] name = new byte[LOW + MORE];
        int at = 0;
        Numbers its = new Numbers(series, 0);
        Numbers values = new Numbers(labels, 0);
        for (int i = 0; i < count; i++) {
            int shared = names[at++] & LOW + MORE;
            int more = names[at++] & LOW + MORE;
            System.arraycopy(names, at, name, shared, more);
            at += more;
            layers.put(name, shared + more, its.at, values.at);
            for (int left = its.one(); left > 0; left--) {
                its.one();
                values.pass(batches[its.next()].length);
            }
        }
    }

    /** Of what an H200 took, or answered there. */
    static String recorded(Convolution c, DType dtype) {
        return Recorded.READ.of(c, dtype);
    }

    /** Of what cuDNN answered without a GPU, counted for an H200. */
    static String answered(Convolution c, DType dtype) {
        return Answered.READ.of(c, dtype);
    }

    /** Read when it is first needed, as its neighbour. */
    private static final class Recorded {
        private static final ConvolutionRecordings READ = new ConvolutionRecordings("convolutions.bin.gz");
    }

    private static final class Answered {
        private static final ConvolutionRecordings READ = new ConvolutionRecordings("answers.bin.gz");
    }

    /** What a product's workspace consists of; null where that is not known. */
    private String of(Convolution c, DType dtype) {
        int layer = layers.find(ConvolutionWorkspace.layer(c).getBytes(StandardCharsets.US_ASCII));
        if (layer < 0 || dtype == null || !DTYPES.contains(dtype)) {
            return null;
        }
        int wanted = (c.pass().ordinal() * DTYPES.size() + DTYPES.indexOf(dtype)) * 2 + (c.channelsLast() ? 1 : 0);
        Numbers kinds = new Numbers(series, layers.series(layer));
        Numbers values = new Numbers(labels, layers.labels(layer));
        for (int left = kinds.one(); left > 0; left--) {
            boolean found = kinds.one() == wanted;
            int label = 0;
            for (int batch : batches[kinds.next()]) {
                int next = values.next();
                label = next == 0 ? label : next;
                if (found && batch == c.batch()) {
                    return new TableLines(parts, partsAt[label - 1]).text();
                }
            }
        }
        return null;
    }

    /** Numbers of one byte or more, one after another. */
    private static final class Numbers {

        private final byte[] bytes;
        private int at;

        Numbers(byte[] bytes, int at) {
            this.bytes = bytes;
            this.at = at;
        }

        int one() {
            return bytes[at++];
        }

        int next() {
            int number = 0;
            for (int shift = 0;; shift += SHIFT) {
                byte next = bytes[at++];
                number |= (next & LOW) << shift;
                if ((next & MORE) == 0) {
                    return number;
                }
            }
        }

        /** Passes over so many. */
        void pass(int count) {
            for (int left = count; left > 0; at++) {
                left -= bytes[at] >= 0 ? 1 : 0;
            }
        }
    }
}

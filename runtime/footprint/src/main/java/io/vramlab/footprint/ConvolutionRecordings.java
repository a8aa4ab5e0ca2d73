package io.vramlab.footprint;

import io.vramlab.device.DType;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private final String[] parts;
    private final int[][] batches;
    /** Where each layer's series begin, and what they consist of. */
    private final Map<String, long[]> layers;
    private final ByteBuffer series;
    private final ByteBuffer labels;

    private ConvolutionRecordings(String file) {
        try (InputStream in = ConvolutionRecordings.class.getResourceAsStream(file);
                DataInputStream data = new DataInputStream(
                        new BufferedInputStream(new GZIPInputStream(in, 1 << 16), 1 << 16))) {
            int count = data.readInt();
            parts = text(data).split("\n");
            batches = Arrays.stream(text(data).split("\n"))
                    .map(line -> Arrays.stream(line.split(" ")).mapToInt(Integer::parseInt).toArray())
                    .toArray(int[][]::new);
            ByteBuffer names = ByteBuffer.wrap(block(data));
            series = ByteBuffer.wrap(block(data));
            labels = ByteBuffer.wrap(block(data));
            layers = HashMap.newHashMap(count);
            index(count, names);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static byte[] block(DataInputStream data) throws IOException {
        return data.readNBytes(data.readInt());
    }

    private static String text(DataInputStream data) throws IOException {
        return new String(block(data), StandardCharsets.UTF_8);
    }

    /** A layer's text begins as the one before; every number of a series is passed over once. */
    private void index(int count, ByteBuffer names) {
        String name = "";
        for (int i = 0; i < count; i++) {
            int shared = names.get() & 0xff;
            byte[] rest = new byte[names.get() & 0xff];
            names.get(rest);
            name = name.substring(0, shared) + new String(rest, StandardCharsets.US_ASCII);
            layers.put(name, new long[]{series.position(), labels.position()});
            for (int left = series.get(); left > 0; left--) {
                series.get();
                for (int values = batches[number(series)].length; values > 0; values--) {
                    number(labels);
                }
            }
        }
    }

    private static int number(ByteBuffer from) {
        int number = 0;
        for (int shift = 0;; shift += SHIFT) {
            byte next = from.get();
            number |= (next & LOW) << shift;
            if ((next & MORE) == 0) {
                return number;
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
        long[] at = layers.get(ConvolutionWorkspace.layer(c));
        if (at == null || dtype == null || !DTYPES.contains(dtype)) {
            return null;
        }
        int wanted = (c.pass().ordinal() * DTYPES.size() + DTYPES.indexOf(dtype)) * 2 + (c.channelsLast() ? 1 : 0);
        ByteBuffer kinds = series.duplicate().position((int) at[0]);
        ByteBuffer values = labels.duplicate().position((int) at[1]);
        for (int left = kinds.get(); left > 0; left--) {
            boolean found = kinds.get() == wanted;
            int label = 0;
            for (int batch : batches[number(kinds)]) {
                int next = number(values);
                label = next == 0 ? label : next;
                if (found && batch == c.batch()) {
                    return parts[label - 1];
                }
            }
        }
        return null;
    }
}

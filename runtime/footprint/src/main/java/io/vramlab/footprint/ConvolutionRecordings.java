package io.vramlab.footprint;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * The workspaces that cuDNN took for recorded shapes on an H200, as {@code src/fit/convolutions.py} writes them down: how many
 * sizes there are, the sizes, how many shapes, a hash of five bytes for each, ascending, and the number of its size. A shape
 * that was not recorded has a recorded one's hash once in some millions.
 */
final class ConvolutionRecordings {

    private static final String FILE = "convolutions.bin.gz";
    private static final ConvolutionRecordings READ = new ConvolutionRecordings();
    private static final int HASH_BYTES = 5;

    private final long[] sizes;
    private final long[] hashes;
    private final int[] numbers;

    private ConvolutionRecordings() {
        try (InputStream in = ConvolutionRecordings.class.getResourceAsStream(FILE);
                DataInputStream data = new DataInputStream(
                        new BufferedInputStream(new GZIPInputStream(in, 1 << 16), 1 << 16))) {
            sizes = new long[data.readInt()];
            Arrays.setAll(sizes, i -> read(data, Long.BYTES));
            hashes = new long[data.readInt()];
            Arrays.setAll(hashes, i -> read(data, HASH_BYTES));
            numbers = new int[hashes.length];
            Arrays.setAll(numbers, i -> (int) read(data, Integer.BYTES));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static long read(DataInputStream data, int bytes) {
        try {
            long value = 0;
            for (int i = 0; i < bytes; i++) {
                value = value << Byte.SIZE | data.readUnsignedByte();
            }
            return value;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** FNV-1a, its upper 40 bits. */
    private static long hash(String key) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
        }
        return hash >>> 24;
    }

    /** What was recorded of that shape, in bytes; null for all others. */
    static Long of(String key) {
        int at = Arrays.binarySearch(READ.hashes, hash(key));
        return at < 0 ? null : Long.valueOf(READ.sizes[READ.numbers[at]]);
    }
}

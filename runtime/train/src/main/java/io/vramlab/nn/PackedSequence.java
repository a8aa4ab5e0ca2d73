package io.vramlab.nn;

import io.vramlab.tensor.CountedRecord;
import io.vramlab.tensor.Packing;
import io.vramlab.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * Sequences of different lengths without their padding, as torch.nn.utils.rnn packs them: the rows of each time one after
 * another, the longest sequence first.
 *
 * <pre>
 * var packed = PackedSequence.packPaddedSequence(x, new long[]{5, 3, 2}, true, true);
 * try (var result = lstm.callPacked(packed)) {
 *     var padded = PackedSequence.padPackedSequence(result.output(), true);
 * }
 * </pre>
 *
 * @param data
 *            [rows, …]
 * @param batchSizes
 *            how many sequences reach each time
 * @param sortedIndices
 *            int64, the sequences from the longest to the shortest; null if they came so
 * @param unsortedIndices
 *            int64, the way back; null if they came so
 */
public record PackedSequence(Tensor data, long[] batchSizes, Tensor sortedIndices,
        Tensor unsortedIndices) implements CountedRecord, AutoCloseable {

    /**
     * What was unpacked: [times, batch, …] or [batch, times, …], and the length of each sequence.
     *
     * <p>
     * Of these the tensor is to be closed.
     *
     * @param output
     *            [times, batch, …] or [batch, times, …]
     * @param lengths
     *            of the sequences, in the order in which they were packed
     */
    public record Padded(Tensor output, long[] lengths) implements CountedRecord {

        @Override
        public List<?> parts() {
            return List.of(output);
        }
    }

    /**
     * Of [times, batch, …], or [batch, times, …] if the batch comes first, by falling lengths. PyTorch's
     * {@code pack_padded_sequence}.
     *
     * @param input
     *            as long as the longest sequence or longer
     * @param lengths
     *            rows of each sequence, falling, positive
     * @param batchFirst
     *            whether the input is [batch, times, …]
     * @return the rows of each time, in a tensor of their own
     * @throws IllegalArgumentException
     *             if a length is missing, not positive, or larger than one before it
     */
    public static PackedSequence packPaddedSequence(Tensor input, long[] lengths, boolean batchFirst) {
        return packPaddedSequence(input, lengths, batchFirst, true);
    }

    /**
     * Of lengths in any order, unless they are enforced to be sorted.
     *
     * @param input
     *            as long as the longest sequence or longer
     * @param lengths
     *            rows of each sequence, positive
     * @param batchFirst
     *            whether the input is [batch, times, …]
     * @param enforceSorted
     *            whether falling lengths are demanded; false sorts, which takes a sorted copy of the input and two
     *            index tensors on its device
     * @return the rows of each time, in a tensor of their own
     * @throws IllegalArgumentException
     *             if a length is missing or not positive, or they do not fall and have to
     */
    public static PackedSequence packPaddedSequence(Tensor input, long[] lengths, boolean batchFirst,
            boolean enforceSorted) {
        int batch = batchFirst ? 0 : 1;
        if (lengths.length != input.size(batch) || Arrays.stream(lengths).anyMatch(l -> l <= 0)) {
            throw new IllegalArgumentException("packPaddedSequence was given the lengths " + Arrays.toString(lengths)
                    + " for " + input.size(batch)
                    + " sequences: give each sequence its length, which has to be larger than 0.");
        }
        if (enforceSorted) {
            for (int i = 1; i < lengths.length; i++) {
                if (lengths[i] > lengths[i - 1]) {
                    throw new IllegalArgumentException(
                            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True, but it is "
                                    + Arrays.toString(lengths)
                                    + ". You can pass `enforce_sorted=False` to packPaddedSequence.");
                }
            }
            return new PackedSequence(Packing.pack(input, lengths, batchFirst), sizes(lengths), null, null);
        }
        Integer[] order = new Integer[lengths.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> Long.compare(lengths[b], lengths[a]));
        long[] sorted = Arrays.stream(order).mapToLong(Integer::longValue).toArray();
        long[] falling = Arrays.stream(order).mapToLong(i -> lengths[i]).toArray();
        Tensor indices = Packing.indices(input, sorted);
        Tensor back;
        Tensor data;
        try (Tensor ordered = Packing.select(input, batch, indices)) {
            data = Packing.pack(ordered, falling, batchFirst);
            back = Packing.inverse(indices, sorted);
        }
        return new PackedSequence(data, sizes(falling), indices, back);
    }

    /**
     * Of sequences [length, …], by falling lengths if that is enforced. PyTorch's {@code pack_sequence}; pads them
     * first.
     *
     * @param sequences
     *            borrowed, equal in all but the first size
     * @param enforceSorted
     *            whether falling lengths are demanded
     * @return the rows of each time, in a tensor of their own
     * @throws IllegalArgumentException
     *             if a length is 0, or they do not fall and have to
     */
    public static PackedSequence packSequence(List<? extends Tensor> sequences, boolean enforceSorted) {
        long[] lengths = sequences.stream().mapToLong(s -> s.size(0)).toArray();
        try (Tensor padded = padSequence(sequences, false, 0)) {
            return packPaddedSequence(padded, lengths, false, enforceSorted);
        }
    }

    /**
     * Back to [times, batch, …] or [batch, times, …], zeros behind the ends. PyTorch's {@code pad_packed_sequence}.
     *
     * @param sequence
     *            borrowed
     * @param batchFirst
     *            whether the output is [batch, times, …]
     * @return the output in the order in which the sequences were packed, and their lengths
     */
    public static Padded padPackedSequence(PackedSequence sequence, boolean batchFirst) {
        return padPackedSequence(sequence, batchFirst, 0, sequence.batchSizes.length);
    }

    /**
     * With a value behind the ends, and at least the longest sequence's times.
     *
     * @param sequence
     *            borrowed
     * @param batchFirst
     *            whether the output is [batch, times, …]
     * @param paddingValue
     *            what stands behind the ends; 0 by default
     * @param totalLength
     *            times of the output, at least those of the longest sequence
     * @return the output in the order in which the sequences were packed, and their lengths
     * @throws IllegalArgumentException
     *             if totalLength is less than the longest sequence
     */
    public static Padded padPackedSequence(PackedSequence sequence, boolean batchFirst, double paddingValue,
            long totalLength) {
        if (totalLength < sequence.batchSizes.length) {
            throw new IllegalArgumentException(
                    "Expected total_length to be at least the length of the longest sequence "
                            + "in input, but got total_length=" + totalLength + " and max sequence length being "
                            + sequence.batchSizes.length + ".");
        }
        Tensor padded = Packing.unpack(sequence.data, sequence.batchSizes, paddingValue, totalLength, batchFirst);
        long[] falling = new long[Math.toIntExact(sequence.batchSizes[0])];
        for (long size : sequence.batchSizes) {
            for (int i = 0; i < size; i++) {
                falling[i]++;
            }
        }
        if (sequence.unsortedIndices == null) {
            return new Padded(padded, falling);
        }
        long[] lengths = new long[falling.length];
        long[] order = sequence.sortedIndices.toLongArray();
        for (int i = 0; i < order.length; i++) {
            lengths[(int) order[i]] = falling[i];
        }
        try (padded) {
            return new Padded(Packing.select(padded, batchFirst ? 0 : 1, sequence.unsortedIndices), lengths);
        }
    }

    /**
     * Sequences [length, …] side by side, [times, batch, …] or [batch, times, …], a value behind the shorter ones.
     * PyTorch's {@code pad_sequence}.
     *
     * @param sequences
     *            borrowed, equal in all but the first size
     * @param batchFirst
     *            whether the output is [batch, times, …]
     * @param paddingValue
     *            what stands behind the shorter ones
     * @return a new tensor, as long as the longest
     * @throws io.vramlab.tensor.type.TensorException
     *             if there are none
     */
    public static Tensor padSequence(List<? extends Tensor> sequences, boolean batchFirst, double paddingValue) {
        return Packing.pad(sequences, batchFirst, paddingValue);
    }

    private static long[] sizes(long[] falling) {
        long[] sizes = new long[Math.toIntExact(falling[0])];
        for (int t = 0; t < sizes.length; t++) {
            for (long length : falling) {
                sizes[t] += length > t ? 1 : 0;
            }
        }
        return sizes;
    }

    /** Other data of the same lengths; takes them over. */
    PackedSequence like(Tensor other) {
        return new PackedSequence(other, batchSizes, Packing.again(sortedIndices),
                Packing.again(unsortedIndices));
    }

    @Override
    public List<?> parts() {
        return sortedIndices == null ? List.of(data) : List.of(data, sortedIndices, unsortedIndices);
    }

    @Override
    public void close() {
        data.close();
        if (sortedIndices != null) {
            sortedIndices.close();
            unsortedIndices.close();
        }
    }
}

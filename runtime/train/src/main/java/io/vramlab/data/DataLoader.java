package io.vramlab.data;

import io.vramlab.device.Device;
import io.vramlab.tensor.type.Generator;
import java.util.Arrays;
import java.util.Iterator;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Cuts a data set into batches, in order or shuffled anew each time it is iterated. The order follows from
 * {@link io.vramlab.tensor.Tensor#manualSeed} alone, also with workers.
 */
public final class DataLoader implements Iterable<Batch> {

    private static final int PREFETCH = 2;

    private final Dataset dataset;
    private final int batchSize;
    private boolean shuffle;
    private boolean dropLast;
    private boolean pin;
    private int workers;
    private int prefetch = PREFETCH;

    /**
     * Batches of that size, in order, prepared when they are asked for.
     *
     * <p>
     * A batch is its samples stacked, where they are.
     *
     * @param dataset
     *            samples 0 to size - 1; borrowed
     * @param batchSize
     *            samples per batch; the last one may have fewer
     * @throws IllegalArgumentException
     *             if the size is not positive
     */
    public DataLoader(Dataset dataset, int batchSize) {
        if (batchSize <= 0) {
            throw new IllegalArgumentException(
                    "batchSize should be a positive integer value, but got batchSize=" + batchSize + ".");
        }
        this.dataset = dataset;
        this.batchSize = batchSize;
    }

    /**
     * Another order each time, or the data set's.
     *
     * @param on
     *            false by default
     * @return this
     */
    public DataLoader shuffle(boolean on) {
        shuffle = on;
        return this;
    }

    /**
     * Leaves out a last batch that is not full.
     *
     * @param on
     *            false by default
     * @return this
     */
    public DataLoader dropLast(boolean on) {
        dropLast = on;
        return this;
    }

    /**
     * Puts batches into page-locked host memory, from which copies to the device need not wait.
     *
     * @param on
     *            false by default
     * @return this
     */
    public DataLoader pinMemory(boolean on) {
        pin = on;
        return this;
    }

    /**
     * So many threads prepare batches ahead; 0 for none.
     *
     * @param count
     *            0 by default
     * @return this
     * @throws IllegalArgumentException
     *             if negative
     */
    public DataLoader numWorkers(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("numWorkers should be non-negative, but got " + count
                    + "; use 0 to prepare batches in the loop's own thread.");
        }
        workers = count;
        return this;
    }

    /**
     * So many batches ahead per worker, 2 by default.
     *
     * @param count
     *            positive
     * @return this
     * @throws IllegalArgumentException
     *             if not positive
     */
    public DataLoader prefetchFactor(int count) {
        if (count <= 0) {
            throw new IllegalArgumentException("prefetchFactor should be positive, but got " + count + ".");
        }
        prefetch = count;
        return this;
    }

    /** {@return the number of batches, the last one counted if it is not left out} */
    public long size() {
        return dropLast ? dataset.size() / batchSize : (dataset.size() + batchSize - 1) / batchSize;
    }

    Batch load(long[] order, long batch) {
        int from = (int) (batch * batchSize);
        int to = (int) Math.min(order.length, from + (long) batchSize);
        Batch loaded = Batch.collate(dataset, Arrays.copyOfRange(order, from, to));
        return pin ? loaded.pinned() : loaded;
    }

    private long[] order() {
        long[] order = LongStream.range(0, dataset.size()).toArray();
        if (shuffle) {
            Generator generator = Generator.of(Device.cpu());
            SplittableRandom random = new SplittableRandom(generator.initialSeed() * 31 + generator.take(1));
            for (int i = order.length - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                long swapped = order[i];
                order[i] = order[j];
                order[j] = swapped;
            }
        }
        return order;
    }

    @Override
    public Iterator<Batch> iterator() {
        long[] order = order();
        return workers == 0
                ? LongStream.range(0, size()).mapToObj(i -> load(order, i)).iterator()
                : new Prefetching(i -> load(order, i), size(), workers, workers * prefetch);
    }
}

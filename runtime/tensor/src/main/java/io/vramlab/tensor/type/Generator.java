package io.vramlab.tensor.type;

import io.vramlab.device.Device;
import io.vramlab.device.DevicePart;

/**
 * The source of random numbers of one device: Philox, a function of a seed and a running offset, with PyTorch's calls.
 * The same seed gives the same numbers on every device of this runtime; they are not PyTorch's numbers, whose order of
 * counters depends on the GPU's launch shape.
 */
public final class Generator {

    /** PyTorch's default seed. */
    public static final long DEFAULT_SEED = 67280421310721L;

    private static final DevicePart<Generator> PART = new DevicePart<>(d -> new Generator(Generator.seedOfNew));
    private static volatile long seedOfNew = DEFAULT_SEED;

    private long seed;
    private long offset;
    private boolean restarted = true;

    private Generator(long seed) {
        this.seed = seed;
    }

    /**
     * A device's generator; made at its first use, gone with its device.
     *
     * @param device
     *            any device
     * @return its only generator
     */
    public static Generator of(Device device) {
        return PART.of(device);
    }

    /**
     * Seeds the generators of all devices, as torch.manual_seed, and of those that are made later.
     *
     * @param seed
     *            any number
     */
    public static void manualSeedAll(long seed) {
        seedOfNew = seed;
        PART.all().forEach(g -> g.manualSeed(seed));
    }

    /**
     * Starts the sequence of that seed anew.
     *
     * @param newSeed
     *            any number
     * @return this
     */
    public synchronized Generator manualSeed(long newSeed) {
        seed = newSeed;
        offset = 0;
        restarted = true;
        return this;
    }

    /** {@return whether it was seeded since this was last asked: PyTorch's reset_rnn_state} */
    public synchronized boolean takeRestart() {
        boolean was = restarted;
        restarted = false;
        return was;
    }

    /** {@return the seed that was set last} */
    public synchronized long initialSeed() {
        return seed;
    }

    /**
     * Seeds from the clock.
     *
     * @return the new seed
     */
    public long seed() {
        long fresh = System.nanoTime() ^ DEFAULT_SEED;
        manualSeed(fresh);
        return fresh;
    }

    /** {@return how many counters were used: with {@link #initialSeed}, the whole state} */
    public synchronized long offset() {
        return offset;
    }

    /**
     * Goes to a point of the sequence.
     *
     * @param newOffset
     *            in counters, as {@link #offset()} counts
     */
    public synchronized void offset(long newOffset) {
        offset = newOffset;
    }

    /**
     * Reserves counters, four values to each.
     *
     * @param count
     *            how many values will be drawn
     * @return the first counter
     */
    public synchronized long take(long count) {
        long first = offset;
        offset += (count + 3) / 4;
        return first;
    }
}

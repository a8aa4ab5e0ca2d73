package io.vramlab.device;

/**
 * The streams of one device: the default one and 32 others that {@code new Stream(device)} hands out in turn, as
 * PyTorch's stream pool does. The 33rd stream a program makes is therefore the first one again, which shows in the
 * allocator: cached blocks belong to streams.
 */
final class StreamPool {

    private static final int STREAMS = 32;

    private final Device device;
    private final long[] handles = new long[STREAMS];
    private int next;

    StreamPool(Device device) {
        this.device = device;
    }

    synchronized long next() {
        int i = next;
        next = (next + 1) % STREAMS;
        if (handles[i] == 0) {
            handles[i] = device.driver().createStream();
        }
        return handles[i];
    }
}

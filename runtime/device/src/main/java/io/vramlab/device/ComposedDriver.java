package io.vramlab.device;

/**
 * A driver made of parts: what knows the memory and what knows the streams are classes of their own; a device overrides
 * what touches both.
 */
public abstract class ComposedDriver implements DeviceDriver {

    private final DeviceProperties properties;
    private final DeviceMemory memory;
    private final DeviceStreams streams;

    /**
     * A device with those properties and parts.
     *
     * @param properties
     *            what {@link #properties} says
     * @param memory
     *            gets the calls of {@link DeviceMemory}
     * @param streams
     *            gets the calls of {@link DeviceStreams}
     */
    protected ComposedDriver(DeviceProperties properties, DeviceMemory memory, DeviceStreams streams) {
        this.properties = properties;
        this.memory = memory;
        this.streams = streams;
    }

    @Override
    public final DeviceProperties properties() {
        return properties;
    }

    @Override
    public long allocate(long bytes) {
        return memory.allocate(bytes);
    }

    @Override
    public void free(long address) {
        memory.free(address);
    }

    @Override
    public long granularity() {
        return memory.granularity();
    }

    @Override
    public long reserve(long bytes) {
        return memory.reserve(bytes);
    }

    @Override
    public boolean map(long address, long bytes) {
        return memory.map(address, bytes);
    }

    @Override
    public void unmap(long address, long bytes) {
        memory.unmap(address, bytes);
    }

    @Override
    public void release(long address, long bytes) {
        memory.release(address, bytes);
    }

    @Override
    public long freeBytes() {
        return memory.freeBytes();
    }

    @Override
    public long totalBytes() {
        return memory.totalBytes();
    }

    @Override
    public long createStream() {
        return streams.createStream();
    }

    @Override
    public void destroyStream(long stream) {
        streams.destroyStream(stream);
    }

    @Override
    public void synchronizeStream(long stream) {
        streams.synchronizeStream(stream);
    }

    @Override
    public boolean queryStream(long stream) {
        return streams.queryStream(stream);
    }

    @Override
    public void synchronize() {
        streams.synchronize();
    }

    @Override
    public long createEvent(boolean timing) {
        return streams.createEvent(timing);
    }

    @Override
    public void destroyEvent(long event) {
        streams.destroyEvent(event);
    }

    @Override
    public void recordEvent(long event, long stream) {
        streams.recordEvent(event, stream);
    }

    @Override
    public boolean queryEvent(long event) {
        return streams.queryEvent(event);
    }

    @Override
    public void synchronizeEvent(long event) {
        streams.synchronizeEvent(event);
    }

    @Override
    public void waitEvent(long stream, long event) {
        streams.waitEvent(stream, event);
    }

    @Override
    public double elapsedMillis(long start, long end) {
        return streams.elapsedMillis(start, end);
    }
}

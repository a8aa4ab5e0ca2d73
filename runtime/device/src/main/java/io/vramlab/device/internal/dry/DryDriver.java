package io.vramlab.device.internal.dry;

import io.vramlab.device.ComposedDriver;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.DriverStep;
import io.vramlab.device.Kernels;
import io.vramlab.device.Simulation;
import io.vramlab.device.internal.model.Backing;
import io.vramlab.device.internal.model.ImmediateStreams;
import io.vramlab.device.internal.model.LaunchedKernels;
import io.vramlab.device.internal.model.ModelMemory;
import io.vramlab.device.internal.model.PinnedBuffers;
import java.lang.foreign.MemorySegment;

/** A GPU of which only addresses exist; one that extends it may choose them. See the package's page. */
public class DryDriver extends ComposedDriver implements Simulation {

    private static final long TOP = 0x7f40_0000_0000L;

    private final ModelMemory memory;
    private final ImmediateStreams streams;
    private final PinnedBuffers pinned = new PinnedBuffers();
    private final Kernels kernels = new LaunchedKernels(new NoArithmetic(), this::step);

    /** With nothing allocated. */
    public DryDriver(DeviceProperties properties) {
        this(properties, new ModelMemory(properties.name(), properties.totalBytes(), TOP, Backing.NONE),
                new ImmediateStreams(properties.name()));
    }

    private DryDriver(DeviceProperties properties, ModelMemory memory, ImmediateStreams streams) {
        super(properties, memory, streams);
        this.memory = memory;
        this.streams = streams;
    }

    @Override
    public Kernels kernels() {
        return kernels;
    }

    @Override
    public void step(DriverStep step) {
        memory.step(step);
    }

    @Override
    public long createStream() {
        step(DriverStep.STREAMS);
        return super.createStream();
    }

    @Override
    public MemorySegment allocatePinned(long bytes) {
        return pinned.allocate(bytes);
    }

    @Override
    public void freePinned(MemorySegment buffer) {
        pinned.free(buffer);
    }

    @Override
    public void copyToDevice(long destination, MemorySegment source, long stream) {
        streams.requireStream(stream);
    }

    @Override
    public void copyToHost(MemorySegment destination, long source, long stream) {
        throw new DeviceException("A value was to be read back from \"" + properties().name()
                + "\"; this device has shapes and addresses but no values. "
                + "Use Device.simulated(\"8GiB\") where values matter.");
    }

    @Override
    public boolean holdsValues() {
        return false;
    }

    @Override
    public void copyOnDevice(long destination, long source, long bytes, long stream) {
        streams.requireStream(stream);
    }

    @Override
    public void fill(long destination, byte value, long bytes, long stream) {
        streams.requireStream(stream);
    }

    /** There are no faults to forget. */
    @Override
    public void reset() {
        // nothing ever goes wrong where nothing is computed
    }

    /** There are no copies to defer. */
    @Override
    public void deferPinnedCopies(boolean defer) {
        // nothing is copied
    }

    @Override
    public void setOutsideBytes(long bytes) {
        memory.setOutsideBytes(bytes);
    }

    @Override
    public long outsideBytes() {
        return memory.outsideBytes();
    }

    @Override
    public void close() {
        pinned.close();
    }
}

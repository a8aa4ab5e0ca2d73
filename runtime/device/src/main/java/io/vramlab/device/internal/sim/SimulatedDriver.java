package io.vramlab.device.internal.sim;

import io.vramlab.device.ByteSize;
import io.vramlab.device.ComposedDriver;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceFault;
import io.vramlab.device.DeviceFaultException;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.DriverStep;
import io.vramlab.device.HostAccess;
import io.vramlab.device.HostMemoryException;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Kernels;
import io.vramlab.device.KernelsProvider;
import io.vramlab.device.Simulation;
import io.vramlab.device.internal.model.LaunchedKernels;
import io.vramlab.device.internal.model.ModelMemory;
import io.vramlab.device.internal.model.PinnedBuffers;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.function.Function;

/** A GPU made of host memory and the host's processor. See the package's page. */
public final class SimulatedDriver extends ComposedDriver implements HostAccess, Simulation {

    /** Just above a first address such as a real driver hands out. */
    private static final long TOP = 0x7f40_0000_0000L;

    private final SparseBacking backing;
    private final ModelMemory memory;
    private final PinnedBuffers pinned = new PinnedBuffers();
    private final FaultBox faults;
    private final SimulatedStreams streams;
    private final Function<HostAccess, Kernels> arithmetic;
    private Kernels kernels;
    private volatile boolean deferPinned;

    /** With the kernels that {@link ServiceLoader} finds. */
    public SimulatedDriver(DeviceProperties properties) {
        this(properties, SimulatedDriver::loadKernels);
    }

    /** With kernels of the caller's choice, made at first use. */
    public SimulatedDriver(DeviceProperties properties, Function<HostAccess, Kernels> arithmetic) {
        this(properties, arithmetic, HostCeiling.ofProcess());
    }

    /** With another ceiling than the process's. */
    SimulatedDriver(DeviceProperties properties, Function<HostAccess, Kernels> arithmetic, HostCeiling ceiling) {
        this(properties, arithmetic, new SparseBacking(ceiling, properties.name(), properties.totalBytes()),
                new FaultBox(properties.name()));
    }

    private SimulatedDriver(DeviceProperties properties, Function<HostAccess, Kernels> arithmetic,
            SparseBacking backing, FaultBox faults) {
        this(properties, arithmetic, backing, faults,
                new ModelMemory(properties.name(), properties.totalBytes(), TOP, backing),
                new SimulatedStreams(properties.name(), faults));
    }

    private SimulatedDriver(DeviceProperties properties, Function<HostAccess, Kernels> arithmetic,
            SparseBacking backing, FaultBox faults, ModelMemory memory, SimulatedStreams streams) {
        super(properties, memory, streams);
        this.arithmetic = arithmetic;
        this.backing = backing;
        this.faults = faults;
        this.memory = memory;
        this.streams = streams;
    }

    private static Kernels loadKernels(HostAccess memory) {
        return ServiceLoader.load(KernelsProvider.class, KernelsProvider.class.getClassLoader()).findFirst()
                .orElseThrow(() -> new DeviceException("A kernel was to run on a simulated GPU; no "
                        + KernelsProvider.class.getName() + " is on the class path. Add vramlab-runtime whole."))
                .create(memory);
    }

    @Override
    public synchronized Kernels kernels() {
        if (kernels == null) {
            kernels = new LaunchedKernels(new GuardedKernels(arithmetic.apply(this), streams, this::zero), this::step);
        }
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

    // memory ---------------------------------------------------------------------------------------------------------

    @Override
    public long allocate(long bytes) {
        faults.checkTold();
        long address = memory.allocate(bytes);
        if (address == OUT_OF_MEMORY && memory.hasRoomFor(bytes)) {
            throw new HostMemoryException(ByteSize.text(bytes) + " were asked of " + properties().name()
                    + ", which has "
                    + ByteSize.text(memory.freeBytes()) + " free.\nThe host refused: its address space has no room for"
                    + " a simulated device of " + ByteSize.text(properties().totalBytes())
                    + " (ulimit -v, overcommit).\nChoose a smaller one with %device, or raise the host's limit.");
        }
        return address;
    }

    @Override
    public void free(long address) {
        streams.drainAll();
        memory.free(address);
    }

    @Override
    public long reserve(long bytes) {
        faults.checkTold();
        return memory.reserve(bytes);
    }

    @Override
    public boolean map(long address, long bytes) {
        faults.checkTold();
        return memory.map(address, bytes);
    }

    @Override
    public void unmap(long address, long bytes) {
        streams.drainAll();
        memory.unmap(address, bytes);
    }

    @Override
    public MemorySegment at(long address, long bytes) {
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        checkAccess(address, bytes);
        return backing.touch(address, bytes);
    }

    private void checkAccess(long address, long bytes) {
        if (!memory.isAccessible(address, bytes)) {
            throw new DeviceFaultException(DeviceFault.ILLEGAL_ADDRESS, String.format(Locale.ROOT,
                    "%s at 0x%x are not wholly in allocated memory", ByteSize.text(bytes), address));
        }
    }

    // copies ---------------------------------------------------------------------------------------------------------

    @Override
    public MemorySegment allocatePinned(long bytes) {
        faults.checkTold();
        return pinned.allocate(bytes);
    }

    @Override
    public void freePinned(MemorySegment buffer) {
        streams.drainAll();
        pinned.free(buffer);
    }

    @Override
    public void copyToDevice(long destination, MemorySegment source, long stream) {
        copy("copy to device", pinned.contains(source), stream,
                () -> Interruptible.copy(at(destination, source.byteSize()), source));
    }

    @Override
    public void copyToHost(MemorySegment destination, long source, long stream) {
        boolean fromPinned = pinned.contains(destination);
        copy("copy to host", fromPinned, stream,
                () -> Interruptible.copy(destination, at(source, destination.byteSize())));
        if (!fromPinned) {
            streams.synchronizeStream(stream);
        }
    }

    /** Pageable memory may change as soon as the call returns: it is copied now. Pinned memory can be copied late. */
    private void copy(String name, boolean fromPinned, long stream, Runnable task) {
        if (!fromPinned) {
            streams.drainStream(stream);
        }
        if (fromPinned && deferPinned) {
            streams.defer(stream, name, task);
        } else {
            streams.submit(stream, name, task);
        }
    }

    @Override
    public void copyOnDevice(long destination, long source, long bytes, long stream) {
        streams.submit(stream, "copy on device", () -> Interruptible.copy(at(destination, bytes), at(source, bytes)));
    }

    @Override
    public void fill(long destination, byte value, long bytes, long stream) {
        streams.submit(stream, "fill", () -> {
            if (value == 0) {
                zero(destination, bytes);
            } else {
                Interruptible.fill(at(destination, bytes), value);
            }
        });
    }

    private void zero(long address, long bytes) {
        if (bytes > 0) {
            checkAccess(address, bytes);
            backing.zero(address, bytes);
        }
    }

    // faults and knobs -----------------------------------------------------------------------------------------------

    @Override
    public void fault(DeviceFault fault, String detail) {
        streams.raise(fault, detail);
    }

    @Override
    public void setLaunchBlocking(boolean on) {
        streams.setBlocking(on);
    }

    @Override
    public void reset() {
        streams.reset();
        faults.clear();
    }

    @Override
    public void deferPinnedCopies(boolean defer) {
        deferPinned = defer;
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
        streams.reset();
        pinned.close();
        backing.close();
    }
}

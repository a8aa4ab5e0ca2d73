package io.vramlab.device.cpu;

import io.vramlab.device.ByteSize;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceFault;
import io.vramlab.device.DeviceFaultException;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.HostAccess;
import io.vramlab.device.HostAdoption;
import io.vramlab.device.Kernels;
import io.vramlab.device.KernelsProvider;
import io.vramlab.device.model.ImmediateStreams;
import io.vramlab.device.model.PinnedBuffers;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** Host memory as a device. See the package's page. */
public final class CpuDriver implements DeviceDriver, HostAccess, HostAdoption {

    private final DeviceProperties properties;
    private final ConcurrentSkipListMap<Long, Long> allocations = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<Long, Long> adopted = new ConcurrentSkipListMap<>();
    private final AtomicLong usedBytes = new AtomicLong();
    private final PinnedBuffers pinned = new PinnedBuffers();
    private final ImmediateStreams streams = new ImmediateStreams("the CPU");
    private Kernels kernels;

    /**
     * A view of the host's memory.
     *
     * @param capacityBytes
     *            how much of it may be allocated
     */
    public CpuDriver(long capacityBytes) {
        this.properties = new DeviceProperties("CPU", capacityBytes, Runtime.getRuntime().availableProcessors(), 1,
                1, 0, 0);
    }

    @Override
    public DeviceProperties properties() {
        return properties;
    }

    @Override
    public synchronized Kernels kernels() {
        if (kernels == null) {
            kernels = ServiceLoader.load(KernelsProvider.class, KernelsProvider.class.getClassLoader()).findFirst()
                    .orElseThrow(() -> new DeviceException("A kernel was to run on the CPU; no "
                            + KernelsProvider.class.getName() + " is on the class path. Add vramlab-runtime whole."))
                    .create(this);
        }
        return kernels;
    }

    @Override
    public long allocate(long bytes) {
        if (bytes <= 0) {
            throw new DeviceException(bytes + " bytes were to be allocated on the CPU; the size must be positive.");
        }
        if (usedBytes.addAndGet(bytes) > properties.totalBytes() || usedBytes.get() < 0) {
            usedBytes.addAndGet(-bytes);
            return OUT_OF_MEMORY;
        }
        long address = HostHeap.allocate(bytes);
        if (address == 0) {
            usedBytes.addAndGet(-bytes);
            return OUT_OF_MEMORY;
        }
        allocations.put(address, bytes);
        return address;
    }

    @Override
    public void free(long address) {
        Long bytes = allocations.remove(address);
        if (bytes == null) {
            throw new DeviceException(String.format(Locale.ROOT,
                    "Address 0x%x was to be freed on the CPU; no allocation starts there. "
                            + "Free exactly what was allocated, once.",
                    address));
        }
        usedBytes.addAndGet(-bytes);
        HostHeap.free(address);
    }

    @Override
    public long granularity() {
        return HostHeap.ALIGNMENT;
    }

    @Override
    public long reserve(long bytes) {
        throw noMapping();
    }

    @Override
    public boolean map(long address, long bytes) {
        throw noMapping();
    }

    @Override
    public void unmap(long address, long bytes) {
        throw noMapping();
    }

    @Override
    public void release(long address, long bytes) {
        throw noMapping();
    }

    private static DeviceException noMapping() {
        return new DeviceException("A range of addresses was to be reserved or mapped on the CPU; host memory is only "
                + "allocated and freed here. Use expandable segments on a GPU.");
    }

    @Override
    public long freeBytes() {
        return properties.totalBytes() - usedBytes.get();
    }

    @Override
    public long totalBytes() {
        return properties.totalBytes();
    }

    @Override
    public MemorySegment at(long address, long bytes) {
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        if (!holds(allocations, address, bytes) && !holds(adopted, address, bytes)) {
            throw new DeviceFaultException(DeviceFault.ILLEGAL_ADDRESS, String.format(Locale.ROOT,
                    "%s at 0x%x of host memory were to be used; they are not wholly in one allocation. "
                            + "Use a tensor that is not closed.",
                    ByteSize.text(bytes), address));
        }
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    private static boolean holds(ConcurrentSkipListMap<Long, Long> ranges, long address, long bytes) {
        Map.Entry<Long, Long> e = ranges.floorEntry(address);
        return e != null && address + bytes <= e.getKey() + e.getValue();
    }

    @Override
    public void adopt(MemorySegment memory) {
        adopted.put(memory.address(), memory.byteSize());
    }

    @Override
    public void disown(MemorySegment memory) {
        adopted.remove(memory.address());
    }

    /** The CPU has no late errors: throws. */
    @Override
    public void fault(DeviceFault fault, String detail) {
        throw new DeviceFaultException(fault, detail);
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
        streams.requireStream(stream);
    }

    @Override
    public boolean queryStream(long stream) {
        streams.requireStream(stream);
        return true;
    }

    @Override
    public void synchronize() {
        // work is done when its call returns
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
        streams.requireEvent(event);
        return true;
    }

    @Override
    public void synchronizeEvent(long event) {
        streams.requireEvent(event);
    }

    @Override
    public void waitEvent(long stream, long event) {
        streams.requireStream(stream);
        streams.requireEvent(event);
    }

    @Override
    public double elapsedMillis(long start, long end) {
        return streams.elapsedMillis(start, end);
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
        at(destination, source.byteSize()).copyFrom(source);
    }

    @Override
    public void copyToHost(MemorySegment destination, long source, long stream) {
        destination.copyFrom(at(source, destination.byteSize()));
    }

    @Override
    public void copyOnDevice(long destination, long source, long bytes, long stream) {
        at(destination, bytes).copyFrom(at(source, bytes));
    }

    @Override
    public void fill(long destination, byte value, long bytes, long stream) {
        at(destination, bytes).fill(value);
    }

    @Override
    public void close() {
        while (!allocations.isEmpty()) {
            free(allocations.firstKey());
        }
        pinned.close();
    }
}

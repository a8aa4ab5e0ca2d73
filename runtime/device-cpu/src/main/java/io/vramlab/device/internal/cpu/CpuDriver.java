package io.vramlab.device.internal.cpu;

import io.vramlab.device.ByteSize;
import io.vramlab.device.ComposedDriver;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceFault;
import io.vramlab.device.DeviceFaultException;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.HostAccess;
import io.vramlab.device.HostAdoption;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Kernels;
import io.vramlab.device.KernelsProvider;
import io.vramlab.device.internal.model.ImmediateStreams;
import io.vramlab.device.internal.model.PinnedBuffers;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.ServiceLoader;

/** Host memory as a device. See the package's page. */
public final class CpuDriver extends ComposedDriver implements HostAccess, HostAdoption {

    private final HostMemory memory;
    private final PinnedBuffers pinned = new PinnedBuffers();
    private Kernels kernels;

    /**
     * A view of the host's memory.
     *
     * @param capacityBytes
     *            how much of it may be allocated
     */
    public CpuDriver(long capacityBytes) {
        this(new HostMemory(capacityBytes));
    }

    private CpuDriver(HostMemory memory) {
        super(new DeviceProperties("CPU", memory.totalBytes(), Runtime.getRuntime().availableProcessors(), 1, 1, 0, 0),
                memory, new ImmediateStreams("the CPU"));
        this.memory = memory;
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
    public MemorySegment at(long address, long bytes) {
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        if (!memory.isAccessible(address, bytes)) {
            throw new DeviceFaultException(DeviceFault.ILLEGAL_ADDRESS, String.format(Locale.ROOT,
                    "%s at 0x%x of host memory were to be used; they are not wholly in one allocation. "
                            + "Use a tensor that is not closed.",
                    ByteSize.text(bytes), address));
        }
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    @Override
    public void adopt(MemorySegment segment) {
        memory.adopt(segment.address(), segment.byteSize());
    }

    @Override
    public void disown(MemorySegment segment) {
        memory.disown(segment.address());
    }

    /** The CPU has no late errors: throws. */
    @Override
    public void fault(DeviceFault fault, String detail) {
        throw new DeviceFaultException(fault, detail);
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
        Interruptible.copy(at(destination, source.byteSize()), source);
    }

    @Override
    public void copyToHost(MemorySegment destination, long source, long stream) {
        Interruptible.copy(destination, at(source, destination.byteSize()));
    }

    @Override
    public void copyOnDevice(long destination, long source, long bytes, long stream) {
        Interruptible.copy(at(destination, bytes), at(source, bytes));
    }

    @Override
    public void fill(long destination, byte value, long bytes, long stream) {
        Interruptible.fill(at(destination, bytes), value);
    }

    @Override
    public void close() {
        memory.close();
        pinned.close();
    }
}

package io.vramlab.device.internal.cuda;

import io.vramlab.device.ByteSize;
import io.vramlab.device.ComposedDriver;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProcess;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.Kernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/** One real GPU. See the package's page. */
public final class CudaDriver extends ComposedDriver {

    private final CudaContext context;
    private final CudaStatus status;
    private final CudaMemory memory;
    private final CudaQueues queues;
    private final Launcher launcher;
    private final ConcurrentSkipListMap<Long, Pinned> pinned = new ConcurrentSkipListMap<>();

    private CudaKernels kernels;
    private boolean allowTf32;
    private boolean closed;

    /** Page-locked host memory. */
    private record Pinned(Pointer pointer, long bytes) {
    }

    /**
     * Opens the GPU of that number; takes a few hundred MiB of its memory for a context.
     *
     * @param limitBytes
     *            how much of its memory to pretend there is; more than it has means all
     */
    CudaDriver(int ordinal, long limitBytes, DriverCalls calls) {
        this(new CudaContext(ordinal, calls), ordinal, limitBytes);
    }

    private CudaDriver(CudaContext context, int ordinal, long limitBytes) {
        this(context, limited(context.properties(), limitBytes), ordinal);
    }

    private CudaDriver(CudaContext context, DeviceProperties properties, int ordinal) {
        this(context, properties, new CudaMemory(context, ordinal, properties.totalBytes()), new CudaQueues(context));
    }

    private CudaDriver(CudaContext context, DeviceProperties properties, CudaMemory memory, CudaQueues queues) {
        super(properties, memory, queues);
        this.context = context;
        this.status = context.status();
        this.memory = memory;
        this.queues = queues;
        this.launcher = new Launcher(context);
    }

    private static DeviceProperties limited(DeviceProperties p, long limitBytes) {
        return new DeviceProperties(p.name(), Math.min(limitBytes, p.totalBytes()), p.multiProcessorCount(),
                p.maxThreadsPerMultiProcessor(), p.warpSize(), p.major(), p.minor());
    }

    @Override
    public synchronized Kernels kernels() {
        if (kernels == null) {
            kernels = new CudaKernels(context, launcher, memory);
            kernels.allowTf32(allowTf32);
        }
        return kernels;
    }

    @Override
    public MemorySegment allocatePinned(long bytes) {
        context.enter();
        Address.Host host = new Address.Host();
        status.check(JCudaDriver.cuMemHostAlloc(host, bytes, 0), "Pinning " + ByteSize.text(bytes) + " of host memory");
        pinned.put(host.value(), new Pinned(host, bytes));
        return MemorySegment.ofAddress(host.value()).reinterpret(bytes);
    }

    @Override
    public void freePinned(MemorySegment buffer) {
        Pinned p = pinned.remove(buffer.address());
        if (p == null) {
            throw new DeviceException("Pinned memory at 0x" + Long.toHexString(buffer.address())
                    + " was to be freed; none starts there. Free exactly what was allocated, once.");
        }
        context.enterEvenIfLost();
        int code = JCudaDriver.cuMemFreeHost(p.pointer());
        if (!status.isLost()) {
            status.check(code, "Freeing pinned memory");
        }
    }

    @Override
    public void copyToDevice(long destination, MemorySegment source, long stream) {
        if (!source.isNative()) {
            try (Arena arena = Arena.ofConfined()) {
                copyToDevice(destination, arena.allocate(source.byteSize(), 16).copyFrom(source), stream);
            }
            return;
        }
        context.enter();
        status.pending().launched("copy to device", stream);
        status.check(context.calls().copyToDevice(destination, source, source.byteSize(), stream),
                "Copying " + ByteSize.text(source.byteSize()) + " to the device");
        launcher.settle("copy to device");
    }

    @Override
    public void copyToHost(MemorySegment destination, long source, long stream) {
        if (!destination.isNative()) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment staging = arena.allocate(destination.byteSize(), 16);
                copyToHost(staging, source, stream);
                destination.copyFrom(staging);
            }
            return;
        }
        context.enter();
        status.pending().launched("copy to host", stream);
        status.check(context.calls().copyToHost(destination, source, destination.byteSize(), stream),
                "Copying " + ByteSize.text(destination.byteSize()) + " to the host");
        launcher.settle("copy to host");
        if (!isPinned(destination)) {
            synchronizeStream(stream);
        }
    }

    private boolean isPinned(MemorySegment segment) {
        Map.Entry<Long, Pinned> e = pinned.floorEntry(segment.address());
        return e != null && segment.address() + segment.byteSize() <= e.getKey() + e.getValue().bytes();
    }

    @Override
    public void copyOnDevice(long destination, long source, long bytes, long stream) {
        context.enter();
        status.pending().launched("copy on device", stream);
        status.check(context.calls().copyOnDevice(destination, source, bytes, stream), "Copying on the device");
        launcher.settle("copy on device");
    }

    @Override
    public void fill(long destination, byte value, long bytes, long stream) {
        context.enter();
        status.pending().launched("fill", stream);
        status.check(context.calls().fill(destination, value, bytes, stream), "Filling memory");
        launcher.settle("fill");
    }

    @Override
    public void copyFromPeer(long destination, DeviceDriver source, long sourceAddress, long bytes, long stream) {
        if (!(source instanceof CudaDriver peer)) {
            super.copyFromPeer(destination, source, sourceAddress, bytes, stream);
            return;
        }
        peer.synchronize();
        context.enter();
        status.check(
                JCudaDriver.cuMemcpyPeerAsync(new Address(destination), context.handle(), new Address(sourceAddress),
                        peer.context.handle(), bytes, queues.stream(stream)),
                "Copying from " + peer.properties().name());
    }

    @Override
    public synchronized void setAllowTf32(boolean on) {
        allowTf32 = on;
        if (kernels != null) {
            kernels.allowTf32(on);
        }
    }

    @Override
    public List<DeviceProcess> processes() {
        return Nvml.processes(context.busId());
    }

    @Override
    public void setLaunchBlocking(boolean on) {
        launcher.setBlocking(on);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        context.enterEvenIfLost();
        if (kernels != null) {
            kernels.close();
        }
        memory.close();
        pinned.keySet().forEach(a -> freePinned(MemorySegment.ofAddress(a)));
        context.close();
    }
}

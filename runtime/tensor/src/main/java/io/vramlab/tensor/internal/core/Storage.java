package io.vramlab.tensor.internal.core;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.Stream;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CallSites;
import io.vramlab.tensor.type.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of device memory, counted by those who hold it. Tensors, views and graph nodes hold; the last one to let go
 * gives the memory back to the allocator, at that very moment. That is the whole reason why allocated bytes can be
 * PyTorch's: nothing here waits for the garbage collector.
 */
public final class Storage {

    private static final VarHandle HOLDERS;
    private static final Storage LIST = new Storage();
    private static volatile boolean recordSites;

    static {
        try {
            HOLDERS = MethodHandles.lookup().findVarHandle(Storage.class, "holders", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Device device;
    private final DeviceDriver driver;
    private final Allocator allocator;
    private final long address;
    private final long bytes;
    private final long stream;
    private final int site;
    private final PinnedBlock pinned;
    private volatile Kind kind;
    @SuppressWarnings("unused")
    private volatile int holders = 1;
    private volatile int version;
    private Storage previous;
    private Storage next;

    private Storage() {
        device = null;
        driver = null;
        allocator = null;
        address = 0;
        bytes = 0;
        stream = 0;
        site = 0;
        pinned = null;
        previous = this;
        next = this;
    }

    private Storage(Device device, long bytes, long stream, Kind kind, PinnedBlock pinned) {
        this.device = device;
        this.driver = device.driver();
        this.allocator = Allocators.of(device);
        this.bytes = bytes;
        this.stream = stream;
        this.kind = kind;
        this.pinned = pinned;
        this.site = recordSites ? CallSites.current() : 0;
        this.address = pinned == null ? allocator.allocate(bytes, stream, site) : pinned.address();
        synchronized (LIST) {
            previous = LIST.previous;
            next = LIST;
            previous.next = this;
            LIST.previous = this;
        }
    }

    /**
     * Takes memory on the thread's current stream of a device; the caller holds it once.
     *
     * @param bytes
     *            size in bytes; 0 takes none
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room; then nothing is held
     */
    public static Storage allocate(Device device, long bytes) {
        return new Storage(device, bytes, Stream.current(device).handle(), ThreadState.current().kind, null);
    }

    /**
     * Takes page-locked host memory, from which copies to that GPU need not wait; the caller holds it once. The device of
     * the storage is the CPU.
     */
    static Storage pinned(Device gpu, long bytes) {
        Device cpu = Device.cpu();
        return new Storage(cpu, bytes, Stream.current(cpu).handle(), ThreadState.current().kind,
                new PinnedBlock(gpu, bytes));
    }

    public Allocator allocator() {
        return allocator;
    }

    /** A copy on a GPU's stream that nobody waits for reads or writes this page-locked memory. */
    void usedOn(long gpuStream) {
        pinned.usedOn(gpuStream);
    }

    /** Whether new storages remember the call site of their birth. */
    public static void recordSites(boolean on) {
        recordSites = on;
    }

    /** The storages that someone holds, oldest first. */
    public static List<Storage> live() {
        List<Storage> all = new ArrayList<>();
        synchronized (LIST) {
            for (Storage s = LIST.next; s != LIST; s = s.next) {
                all.add(s);
            }
        }
        return all;
    }

    /** One more holder. */
    public void retain() {
        int now = (int) HOLDERS.getAndAdd(this, 1);
        if (now <= 0) {
            HOLDERS.getAndAdd(this, -1);
            throw new IllegalStateException("A storage of " + bytes + " bytes was retained after its release.");
        }
    }

    /** One holder less; the last one frees the memory. */
    public void release() {
        int before = (int) HOLDERS.getAndAdd(this, -1);
        if (before == 1) {
            synchronized (LIST) {
                previous.next = next;
                next.previous = previous;
            }
            if (pinned == null) {
                allocator.free(address);
            } else {
                pinned.free();
            }
        } else if (before <= 0) {
            throw new IllegalStateException("A storage of " + bytes + " bytes was released more often than held.");
        }
    }

    /** How many hold it now. */
    public int holders() {
        return holders;
    }

    /** The device. */
    public Device device() {
        return device;
    }

    DeviceDriver driver() {
        return driver;
    }

    /** First device address; 0 when empty. */
    public long address() {
        return address;
    }

    /** Size in bytes, as asked for: the allocator's block may be larger. */
    public long bytes() {
        return bytes;
    }

    /** The stream on which it was taken. */
    public long stream() {
        return stream;
    }

    /** The call site of its birth, see {@link CallSites}; 0 if none was recorded. */
    public int siteId() {
        return site;
    }

    /** True for page-locked host memory. */
    public boolean isPinned() {
        return pinned != null;
    }

    /** What it is for. */
    public Kind kind() {
        return kind;
    }

    /** Says what it is for. */
    public void kind(Kind newKind) {
        kind = newKind;
    }

    /** How often its contents were changed in place: what saved tensors are checked against. */
    public int version() {
        return version;
    }

    public void bumpVersion() {
        version = version + 1;
    }

    /** Keeps the memory from being reused, once freed, before what that stream has queued now is done. */
    public void recordStream(Stream other) {
        allocator.recordStream(address, other.handle());
    }
}

package io.vramlab.device;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One device: the CPU, or a GPU, real, simulated or shapes-only. Simulated and shapes-only GPUs present themselves as
 * {@code cuda:N}, so that a notebook reads the same on all of them.
 *
 * <p>
 * The environment variable {@code VRAMLAB_DEVICE} chooses the process's GPUs: {@code sim:80GiB} or {@code H100-80GB}
 * (simulated), {@code sim:8GiB,sim:8GiB} (two of them), {@code cuda} (all real ones), {@code cuda:1} (that one alone), {@code cuda:0/8GiB} (no more
 * than that of its memory),
 * {@code shapes:H200} (addresses and no arithmetic), {@code cpu}. Without it there is one simulated GPU of 8 GiB.
 */
public final class Device implements AutoCloseable {

    /** What does the work. */
    public enum Kind {
        /** A real GPU through the CUDA driver. */
        CUDA,
        /** A simulated GPU: real values, computed by this machine's processor. */
        SIMULATED,
        /** A GPU of which only addresses exist: nothing is computed. */
        SHAPES_ONLY,
        /** Host memory and this machine's processor. */
        CPU
    }

    private final int index;
    private final Kind kind;
    private final Supplier<DeviceDriver> opening;
    private final StreamPool streams = new StreamPool(this);
    /** See {@link DevicePart}; replaced as a whole, so that it is read without a lock. */
    volatile Object[] parts = {};
    final Object partsLock = new Object();
    private volatile DeviceDriver driver;

    Device(int index, Kind kind, Supplier<DeviceDriver> opening) {
        this.index = index;
        this.kind = kind;
        this.opening = opening;
    }

    /** {@return the device on which tensors are made unless another is named} */
    public static Device current() {
        return DeviceTable.process().current();
    }

    /**
     * Makes a device the current one, for all threads: a notebook's cells may run on several.
     *
     * @param device
     *            from now on {@link #current}
     */
    public static void set(Device device) {
        DeviceTable.process().setCurrent(device);
    }

    /** {@return the CPU} */
    public static Device cpu() {
        return DeviceTable.process().cpu();
    }

    /**
     * {@return the GPU of that index, real or not}
     *
     * @param index
     *            from 0
     * @throws DeviceException
     *             if there is none
     */
    public static Device cuda(int index) {
        return DeviceTable.process().gpu(index);
    }

    /** {@return all GPUs, real or not, in the order of their indices; the CPU is not among them} */
    public static List<Device> all() {
        return DeviceTable.process().gpus();
    }

    /**
     * Adds a simulated GPU.
     *
     * <p>
     * If {@link #realForSimulated} says so, it is a real GPU, limited to that capacity.
     *
     * @param profile
     *            a size ("8GiB") or a GPU's name ("H100-80GB"), see {@link DeviceProfile}
     * @return a device with the lowest index that is free; it is not made current
     * @throws DeviceException
     *             if the text is neither a size nor a known GPU, or a real one was wanted and there is none
     */
    public static Device simulated(String profile) {
        return DeviceTable.process().add("sim", profile);
    }

    /**
     * Adds a GPU that hands out addresses and computes nothing; see {@link #simulated}.
     *
     * <p>
     * Allocations, statistics and shapes are those of a device that computes; values cannot be read.
     *
     * @param profile
     *            a size or a GPU's name, as in {@link #simulated}
     * @return a device with the lowest index that is free; it is not made current
     * @throws DeviceException
     *             if the text is neither a size nor a known GPU
     */
    public static Device shapesOnly(String profile) {
        return DeviceTable.process().add("shapes", profile);
    }

    /**
     * Adds a GPU that a driver of one's own runs.
     *
     * @param kind
     *            as which it presents itself
     * @param opening
     *            called once, when the device is first used
     * @return a device with the lowest index that is free; it is not made current
     */
    public static Device add(Kind kind, Supplier<DeviceDriver> opening) {
        return DeviceTable.process().add(kind, opening);
    }

    /**
     * Whether who asks for a simulated GPU gets a real one from now on, limited to the capacity asked for; several take
     * turns. So what was written for simulated GPUs, a notebook above all, runs on real ones unchanged. The environment
     * variable {@code VRAMLAB_SIMULATED=real} is the beginning.
     *
     * @param real
     *            true for real GPUs; false, the default without the environment variable, for simulated ones
     */
    public static void realForSimulated(boolean real) {
        DeviceTable.process().realForSimulated(real);
    }

    /** {@return whether who asks for a simulated GPU gets a real one, see {@link #realForSimulated(boolean)}} */
    public static boolean realForSimulated() {
        return DeviceTable.process().realForSimulated();
    }

    /**
     * Replaces the process's GPUs by those that a text names, as {@code VRAMLAB_DEVICE} does at the start; the first
     * becomes current. Devices that were there before stay usable by those who hold them.
     *
     * @param text
     *            see the class comment
     * @return the new current device
     * @throws DeviceException
     *             if the text names no usable device; then nothing changes
     */
    public static Device select(String text) {
        return DeviceTable.process().select(text);
    }

    /**
     * {@return why the devices are not the ones asked for through {@code VRAMLAB_DEVICE}, in one line; empty if they
     * are}
     */
    public static Optional<String> notice() {
        return DeviceTable.process().notice();
    }

    /** {@return position among the GPUs, from 0; -1 for the CPU} */
    public int index() {
        return index;
    }

    /** {@return what does the work} */
    public Kind kind() {
        return kind;
    }

    /** {@return true for everything but the CPU, simulated and shapes-only GPUs too} */
    public boolean isCuda() {
        return kind != Kind.CPU;
    }

    /** {@return PyTorch's name: {@code cuda:0} or {@code cpu}} */
    public String name() {
        return isCuda() ? "cuda:" + index : "cpu";
    }

    /**
     * {@return the driver, opened by the first call; with the environment variable {@code CUDA_LAUNCH_BLOCKING=1} its
     * launches wait for their own end}
     *
     * @throws DeviceException
     *             if the device cannot be opened; the next call tries again
     */
    public DeviceDriver driver() {
        DeviceDriver open = driver;
        return open == null ? open() : open;
    }

    private synchronized DeviceDriver open() {
        if (driver == null) {
            DeviceDriver opened = opening.get();
            opened.setLaunchBlocking("1".equals(System.getenv("CUDA_LAUNCH_BLOCKING")));
            driver = opened;
        }
        return driver;
    }

    /** {@return the device's name, memory, processors and compute capability} */
    public DeviceProperties properties() {
        return driver().properties();
    }

    /** {@return the knobs of a simulated device; empty for a real one} */
    public Optional<Simulation> simulation() {
        return driver() instanceof Simulation s ? Optional.of(s) : Optional.empty();
    }

    /**
     * Waits until all work given to the device is done, and throws what went wrong in it.
     *
     * @throws DeviceFaultException
     *             if earlier work failed; it is thrown here because a device tells of it late
     */
    public void synchronize() {
        driver().synchronize();
    }

    StreamPool streams() {
        return streams;
    }

    /** Takes the device off the list and gives its memory back. Idempotent. */
    @Override
    public synchronized void close() {
        DeviceTable.process().remove(this);
        if (driver != null) {
            driver.close();
        }
    }

    /** The name. */
    @Override
    public String toString() {
        return name();
    }
}

package io.vramlab.device.internal.sim;

import io.vramlab.device.ByteSize;
import io.vramlab.device.HostMemoryException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many bytes of host memory the simulated GPUs of this process may touch together, however large they say they are. Past it a cell gets an
 * error; without it the host would end the process.
 *
 * <p>
 * The limit is, in this order: the JVM option {@code -Dvramlab.host.limit=SIZE}, which {@code install --max-device-memory} writes into
 * {@code kernel.json}; the environment's {@code VRAMLAB_HOST_LIMIT}; what the control group of the process leaves beside the Java heap and
 * {@value #JVM_MIB} MiB for the JVM itself; none. It is read once: a cell cannot raise it.
 */
final class HostCeiling {

    /** The JVM option. */
    static final String OPTION = "vramlab.host.limit";
    /** The environment variable. */
    static final String VARIABLE = "VRAMLAB_HOST_LIMIT";
    /** What a kernel takes beside its heap: classes, compiled code, threads, and what a network of a lesson stages. */
    private static final int JVM_MIB = 256;
    private static final long LEAST = 64L << 20;

    private static final HostCeiling OF_PROCESS = new HostCeiling(limit(
            Optional.ofNullable(System.getProperty(OPTION)).or(() -> Optional.ofNullable(System.getenv(VARIABLE))),
            ControlGroup.memoryLimit(), Runtime.getRuntime().maxMemory()));

    private final OptionalLong limit;
    private long touched;

    HostCeiling(OptionalLong limit) {
        this.limit = limit;
    }

    /** The one that all devices share. */
    static HostCeiling ofProcess() {
        return OF_PROCESS;
    }

    /**
     * The limit in bytes, if there is one.
     *
     * @param asked
     *            a size in words; what is no size counts as the least, so that a slip of an administrator does not lift the limit
     * @param group
     *            bytes that the control group allows
     * @param heap
     *            bytes that the heap may grow to
     */
    static OptionalLong limit(Optional<String> asked, OptionalLong group, long heap) {
        if (asked.isPresent()) {
            return OptionalLong.of(ByteSize.parse(asked.get()).filter(bytes -> bytes > 0).orElse(LEAST));
        }
        return group.isEmpty()
                ? group
                : OptionalLong.of(Math.max(LEAST, group.getAsLong() - heap - ((long) JVM_MIB << 20)));
    }

    /** Whether there is a limit; without one nobody need count. */
    boolean isLimited() {
        return limit.isPresent();
    }

    /**
     * Counts bytes that are about to be touched.
     *
     * @param device
     *            who wants them
     * @param capacity
     *            bytes of that device
     * @throws HostMemoryException
     *             if that would pass the limit; then nothing is counted
     */
    synchronized void take(long bytes, String device, long capacity) {
        if (touched + bytes > limit.getAsLong()) {
            throw new HostMemoryException("A simulated GPU wanted to write to " + ByteSize.text(bytes)
                    + " of the host's memory that it had not used before.\nThe host refused: limit "
                    + ByteSize.text(limit.getAsLong()) + ", of which " + ByteSize.text(touched)
                    + " are in use; device size " + ByteSize.text(capacity) + " (" + device
                    + "). It is not the device that is full, and its settings do not help.\n"
                    + "Close tensors and call Cuda.emptyCache(), use smaller ones, or a device that holds no values, %device shapes:80GiB;"
                    + " whoever installed the kernel can raise the limit (install --max-device-memory, VRAMLAB_HOST_LIMIT).");
        }
        touched += bytes;
    }

    /** Takes bytes back that the host has again. */
    synchronized void give(long bytes) {
        touched -= bytes;
    }
}

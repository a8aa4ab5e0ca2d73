package io.vramlab.device.internal.cuda;

import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceFault;
import io.vramlab.device.LateFault;
import io.vramlab.device.PendingWork;
import jcuda.driver.CUresult;

/**
 * The return codes of one device's calls. Some codes mean that the context is lost: the first is kept, and every later
 * call then says so at once.
 */
final class CudaStatus {

    static final int SUCCESS = CUresult.CUDA_SUCCESS;
    static final int NOT_READY = CUresult.CUDA_ERROR_NOT_READY;
    static final int OUT_OF_MEMORY = CUresult.CUDA_ERROR_OUT_OF_MEMORY;

    private final String device;
    private final PendingWork pending = new PendingWork();
    private volatile LateFault lost;

    CudaStatus(String device) {
        this.device = device;
    }

    /** The code's name, for instance {@code CUDA_ERROR_NO_DEVICE (100)}. */
    static String name(int code) {
        return CUresult.stringFor(code) + " (" + code + ")";
    }

    /** What was launched since the last good wait. */
    PendingWork pending() {
        return pending;
    }

    /** True once the context is lost. */
    boolean isLost() {
        return lost != null;
    }

    /**
     * Throws unless the call succeeded.
     *
     * @param code
     *            what it returned
     * @param what
     *            what it was to do, for the message
     */
    void check(int code, String what) {
        check(code, what, false);
    }

    /**
     * Throws unless the call succeeded.
     *
     * @param waited
     *            whether the call launched work and waited for it: a fault is then that work's, unless other work was open
     */
    void check(int code, String what, boolean waited) {
        if (code == SUCCESS) {
            return;
        }
        DeviceFault fault = fault(code);
        if (code == OUT_OF_MEMORY) {
            throw new DeviceException(what + " was asked of " + device + "; the CUDA driver answered " + name(code)
                    + ": it needs memory for itself, and the device is full. Free something and call Cuda.emptyCache(),"
                    + " or leave it some hundred MiB with %memory_fraction.");
        }
        if (fault == null) {
            throw new DeviceException(what + " was asked of " + device + "; the CUDA driver answered " + name(code)
                    + ". Check the arguments; `vramlab doctor` looks at the driver.");
        }
        synchronized (this) {
            boolean first = lost == null;
            if (first) {
                lost = new LateFault(fault, name(code), device, "restart the kernel");
            }
            if (first && waited && pending.size() <= 1) {
                throw lost.atLaunch(pending.text().isEmpty() ? what : pending.text());
            }
            throw first ? lost.first(pending.text()) : lost.later();
        }
    }

    /** Throws if the context was lost before. */
    void checkAlive() {
        if (lost != null) {
            throw lost.later();
        }
    }

    private static DeviceFault fault(int code) {
        return switch (code) {
            case CUresult.CUDA_ERROR_ASSERT -> DeviceFault.DEVICE_SIDE_ASSERT;
            case CUresult.CUDA_ERROR_ILLEGAL_ADDRESS, CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
                    CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE ->
                DeviceFault.ILLEGAL_ADDRESS;
            case CUresult.CUDA_ERROR_LAUNCH_FAILED, CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
                    CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION, CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
                    CUresult.CUDA_ERROR_INVALID_PC, CUresult.CUDA_ERROR_ECC_UNCORRECTABLE ->
                DeviceFault.LAUNCH_FAILURE;
            default -> null;
        };
    }
}

package io.vramlab.device.internal.cuda;

import io.vramlab.device.DeviceProperties;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.JCudaDriver;

/**
 * The primary context of one GPU, which the CUDA runtime, and PyTorch in the same process, would use too. A context is
 * current per thread: {@link #enter} comes first in every call.
 */
final class CudaContext implements AutoCloseable {

    private static final ThreadLocal<CudaContext> CURRENT = new ThreadLocal<>();

    private final CUdevice device = new CUdevice();
    private final Handles.ContextHandle context = new Handles.ContextHandle();
    private final CudaStatus status;
    private final DriverCalls calls;
    private final DeviceProperties properties;
    private final List<PtxModule> modules = new ArrayList<>();
    private boolean closed;

    CudaContext(int ordinal, DriverCalls calls) {
        this.calls = calls;
        CudaStatus unnamed = new CudaStatus("GPU " + ordinal);
        unnamed.check(JCudaDriver.cuDeviceGet(device, ordinal), "The device");
        this.properties = read(unnamed);
        this.status = new CudaStatus("GPU " + ordinal + " (" + properties.name() + ")");
        status.check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "A context");
        enter();
    }

    private DeviceProperties read(CudaStatus s) {
        byte[] name = new byte[256];
        s.check(JCudaDriver.cuDeviceGetName(name, name.length, device), "Its name");
        long[] total = new long[1];
        s.check(JCudaDriver.cuDeviceTotalMem(total, device), "Its memory size");
        int end = 0;
        while (end < name.length && name[end] != 0) {
            end++;
        }
        return new DeviceProperties(new String(name, 0, end, StandardCharsets.UTF_8), total[0],
                attribute(s, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
                attribute(s, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
                attribute(s, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE),
                attribute(s, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                attribute(s, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    }

    private int attribute(CudaStatus s, int attribute) {
        int[] value = new int[1];
        s.check(JCudaDriver.cuDeviceGetAttribute(value, attribute, device), "A property of the device");
        return value[0];
    }

    /** Where the GPU sits, as NVML wants it: for instance {@code 0000:18:00.0}. */
    String busId() {
        String[] id = new String[1];
        status.check(JCudaDriver.cuDeviceGetPCIBusId(id, 32, device), "Its PCI address");
        return id[0].replace("\0", "").trim();
    }

    /** Makes the context current on this thread, and throws if it was lost. */
    void enter() {
        status.checkAlive();
        enterEvenIfLost();
    }

    /** Makes the context current on this thread: for giving things back. */
    void enterEvenIfLost() {
        if (CURRENT.get() != this) {
            status.check(JCudaDriver.cuCtxSetCurrent(context), "Making its context current");
            CURRENT.set(this);
        }
    }

    /** Kernels by the name of their resource; unloaded when the context is closed. */
    PtxModule module(String name) {
        PtxModule m = new PtxModule(this, name);
        modules.add(m);
        return m;
    }

    CudaStatus status() {
        return status;
    }

    DriverCalls calls() {
        return calls;
    }

    DeviceProperties properties() {
        return properties;
    }

    Handles.ContextHandle handle() {
        return context;
    }

    CUdevice device() {
        return device;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            enterEvenIfLost();
            modules.forEach(PtxModule::close);
            CURRENT.remove();
            // a lost context cannot be given back properly, and the process must end anyway
            int code = JCudaDriver.cuDevicePrimaryCtxRelease(device);
            if (!status.isLost()) {
                status.check(code, "Giving its context back");
            }
        }
    }
}

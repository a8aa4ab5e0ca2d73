package io.vramlab.tensor;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProperties;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The scratch memory that PyTorch hands to cuBLAS: hidden allocations that live from the first matrix product until
 * {@link #clear}. There is one per (handle, stream). Each thread has a handle of its own, and backward, which PyTorch
 * runs on a thread of the device, another: so the first backward takes a second workspace. A product with a bias through
 * cublasLt takes one more, smaller.
 *
 * <p>
 * Sizes: 32 MiB on compute capability 9.0, else 8,519,680 bytes; cublasLt 1 MiB. The environment variables
 * {@code CUBLAS_WORKSPACE_CONFIG}, {@code CUBLASLT_WORKSPACE_SIZE} (KiB) and {@code DISABLE_ADDMM_CUDA_LT} count as they
 * do for PyTorch 2.11. Off by default: this runtime's own products need no workspace. {@code VRAMLAB_CUBLAS_WORKSPACES=pytorch}
 * or {@link #mode} switches them on. See docs/footprint.md, "cuBLAS workspaces".
 */
public final class Workspaces {

    /** Whether there are any. */
    public enum Mode {
        /** None: what {@code CUBLAS_WORKSPACE_CONFIG=:0:0} and {@code DISABLE_ADDMM_CUDA_LT=1} give. */
        NONE,
        /** PyTorch's. */
        PYTORCH
    }

    private static final long HOPPER = 32L << 20;
    private static final long OTHERS = 8_519_680;
    private static final long LT_DEFAULT_KIB = 1024;
    private static final long KIB = 1024;
    private static final int BACKWARD = -1;
    private static final Pattern CONFIG = Pattern.compile(":(\\d+):(\\d+)");

    private record Key(int handle, long stream, boolean lt) {
    }

    private static final Map<Device, Map<Key, Storage>> ALL = new HashMap<>();
    private static final List<Thread> HANDLES = new ArrayList<>();
    private static volatile UnaryOperator<String> environment = System::getenv;
    private static volatile Mode mode = fromEnvironment();

    private Workspaces() {
    }

    private static Mode fromEnvironment() {
        String wanted = System.getenv("VRAMLAB_CUBLAS_WORKSPACES");
        return wanted == null ? Mode.NONE : Mode.valueOf(wanted.toUpperCase(Locale.ROOT));
    }

    /** Switches them on or off for later products; those that exist stay until {@link #clear}. */
    public static void mode(Mode wanted) {
        mode = wanted;
    }

    /**
     * Takes the three variables from elsewhere than the process's environment: a recording's, for instance.
     *
     * @param variables
     *            gives a variable's value or null; {@code System::getenv} is the beginning
     */
    public static void environment(UnaryOperator<String> variables) {
        environment = variables;
    }

    /** Whether there are any. */
    public static Mode mode() {
        return mode;
    }

    /** Gives a device's workspaces back to the allocator, as torch._C._cuda_clearCublasWorkspaces does. */
    public static void clear(Device device) {
        Map<Key, Storage> mine;
        synchronized (ALL) {
            mine = ALL.remove(device);
        }
        if (mine != null) {
            mine.values().forEach(Storage::release);
        }
    }

    /** Bytes held for a device now. */
    public static long bytes(Device device) {
        synchronized (ALL) {
            return ALL.getOrDefault(device, Map.of()).values().stream().mapToLong(Storage::bytes).sum();
        }
    }

    /** Called before a product is started, once its result exists. */
    static void beforeProduct(TensorImpl out, boolean lt) {
        if (mode == Mode.NONE || !out.device().isCuda()) {
            return;
        }
        take(out, false, size(out.driver().properties()));
        if (lt && !"1".equals(environment.apply("DISABLE_ADDMM_CUDA_LT"))) {
            take(out, true, ltSize());
        }
    }

    /** Which products with a bias go through cublasLt (aten/src/ATen/native/cuda/Blas.cpp). */
    static boolean isLt(TensorImpl bias, TensorImpl a, TensorImpl b) {
        return bias != null && bias.rank() == 1 && bias.isContiguous() && bias.shape()[0] == b.shape()[1]
                && a.shape()[0] > 1 && a.shape()[1] > 1 && b.shape()[0] > 1 && b.shape()[1] > 1;
    }

    private static void take(TensorImpl out, boolean lt, long bytes) {
        if (bytes == 0) {
            return;
        }
        synchronized (ALL) {
            Map<Key, Storage> mine = ALL.computeIfAbsent(out.device(), d -> new LinkedHashMap<>());
            Key key = new Key(handle(), out.stream(), lt);
            if (!mine.containsKey(key)) {
                Storage workspace = Storage.allocate(out.device(), bytes);
                workspace.kind(Kind.OTHER);
                mine.put(key, workspace);
            }
        }
    }

    /** A thread's handle; those of threads that ended are used again, as in PyTorch's pool. */
    private static int handle() {
        if (ThreadState.current().backward) {
            return BACKWARD;
        }
        Thread self = Thread.currentThread();
        int spare = HANDLES.size();
        for (int i = 0; i < HANDLES.size(); i++) {
            if (HANDLES.get(i) == self) {
                return i;
            }
            if (!HANDLES.get(i).isAlive()) {
                spare = Math.min(spare, i);
            }
        }
        if (spare == HANDLES.size()) {
            HANDLES.add(self);
        } else {
            HANDLES.set(spare, self);
        }
        return spare;
    }

    private static long size(DeviceProperties p) {
        String config = environment.apply("CUBLAS_WORKSPACE_CONFIG");
        if (config != null) {
            Matcher parts = CONFIG.matcher(config);
            long total = 0;
            boolean any = false;
            while (parts.find()) {
                any = true;
                total += Long.parseLong(parts.group(1)) * KIB * Long.parseLong(parts.group(2));
            }
            if (any) {
                return total;
            }
        }
        return p.major() == 9 && p.minor() == 0 ? HOPPER : OTHERS;
    }

    private static long ltSize() {
        String kib = environment.apply("CUBLASLT_WORKSPACE_SIZE");
        return KIB * (kib != null && kib.matches("\\d{1,9}") ? Long.parseLong(kib) : LT_DEFAULT_KIB);
    }
}

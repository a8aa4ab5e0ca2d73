package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.device.Device;
import io.vramlab.footprint.CublasVariables;
import io.vramlab.footprint.CublasWorkspace;
import io.vramlab.tensor.internal.core.Storage;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.core.ThreadState;
import io.vramlab.tensor.internal.core.VendorLibraries;
import io.vramlab.tensor.type.Kind;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The scratch memory that PyTorch hands to cuBLAS: hidden allocations that live from the first matrix product until
 * {@link #clear}. There is one per (handle, stream). Each thread has a handle of its own, and backward, which PyTorch
 * runs on a thread of the device, another: so the first backward takes a second workspace. A product with a bias through
 * cublasLt takes one more, smaller.
 *
 * <p>
 * Their sizes are {@link CublasWorkspace}'s, under {@link CublasVariables}. Off by default: this runtime's own products need no workspace. {@code VRAMLAB_CUBLAS_WORKSPACES=pytorch}
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

    private static final int BACKWARD = -1;

    private record Key(int handle, long stream, boolean lt) {
    }

    private static final Map<Device, Map<Key, Storage>> ALL = new HashMap<>();
    private static final List<Thread> HANDLES = new ArrayList<>();
    private static volatile CublasVariables variables = CublasVariables.ofThisProcess();
    private static volatile Mode mode;

    private Workspaces() {
    }

    private static Mode fromEnvironment() {
        String wanted = System.getenv("VRAMLAB_CUBLAS_WORKSPACES");
        return wanted == null ? Mode.NONE : named(wanted);
    }

    /**
     * The mode of that name, in any case of letters.
     *
     * @throws TensorException
     *             if there is none
     */
    public static Mode named(String wanted) {
        for (Mode m : Mode.values()) {
            if (m.name().equalsIgnoreCase(wanted.strip())) {
                return m;
            }
        }
        throw new TensorException("VRAMLAB_CUBLAS_WORKSPACES=" + wanted + " was set: it is \"none\" or \"pytorch\". "
                + "Set one of these, or leave it away.");
    }

    /** Switches them on or off for later products; those that exist stay until {@link #clear}. */
    public static void mode(Mode wanted) {
        mode = wanted;
    }

    /**
     * Later workspaces are those of a process of PyTorch that was started with these variables; those of this process are
     * the beginning.
     */
    public static void variables(CublasVariables started) {
        variables = started;
    }

    /** Whether there are any. */
    public static Mode mode() {
        Mode now = mode;
        if (now == null) {
            now = fromEnvironment();
            mode = now;
        }
        return now;
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
        if (!out.device().isCuda()) {
            return;
        }
        VendorLibraries.products(out);
        if (mode() == Mode.NONE) {
            return;
        }
        take(out, false, CublasWorkspace.bytes(out.driver().properties(), variables));
        if (lt) {
            take(out, true, CublasWorkspace.ltBytes(variables));
        }
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
}

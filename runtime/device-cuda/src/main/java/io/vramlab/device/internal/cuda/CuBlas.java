package io.vramlab.device.internal.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * cuBLAS of whichever major version the machine has, straight from Java. One handle per stream; calls are serialised,
 * because a handle is not for several threads. cuBLAS's own workspace lies outside our allocator.
 */
final class CuBlas {

    private static final List<String> NAMES = List.of("libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
            "cublas64_13.dll", "cublas64_12.dll", "cublas64_11.dll");
    private static final int DEFAULT_ALGORITHM = -1;
    private static final int COMPUTE_32F = 68;
    private static final int COMPUTE_64F = 70;
    private static final int COMPUTE_TF32 = 77;

    private final CudaContext context;
    private final MethodHandle create;
    private final MethodHandle destroy;
    private final MethodHandle setStream;
    private final MethodHandle gemm;
    private final Map<Long, Long> handles = new ConcurrentHashMap<>();
    private final MemorySegment scalars = Arena.ofAuto().allocate(16, 16);
    private volatile boolean tf32;

    private CuBlas(CudaContext context, SymbolLookup library) {
        this.context = context;
        this.create = DriverCalls.bind(library, "cublasCreate_v2", ADDRESS);
        this.destroy = DriverCalls.bind(library, "cublasDestroy_v2", JAVA_LONG);
        this.setStream = DriverCalls.bind(library, "cublasSetStream_v2", JAVA_LONG, JAVA_LONG);
        this.gemm = DriverCalls.bind(library, "cublasGemmStridedBatchedEx", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT,
                JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT);
    }

    /**
     * The library, or empty if the machine has none. {@code VRAMLAB_CUBLAS} names a folder to look into first; {@code
     * none} there means to do without.
     */
    static Optional<CuBlas> find(CudaContext context) {
        String chosen = System.getProperty("vramlab.cublas", System.getenv("VRAMLAB_CUBLAS"));
        if ("none".equals(chosen)) {
            return Optional.empty();
        }
        List<String> candidates = new ArrayList<>();
        for (String folder : new String[]{chosen, "/usr/local/cuda/lib64"}) {
            for (String name : NAMES) {
                if (folder != null && Files.exists(Path.of(folder, name))) {
                    candidates.add(Path.of(folder, name).toString());
                }
            }
        }
        candidates.addAll(chosen == null ? 0 : candidates.size(), NAMES);
        return DriverCalls.library(candidates).map(l -> new CuBlas(context, l));
    }

    /** Lets float32 products use TF32: faster, ten bits of mantissa. Off by default, as in PyTorch. */
    void allowTf32(boolean allow) {
        tf32 = allow;
    }

    /**
     * A matrix in memory as cuBLAS sees it: column after column.
     *
     * @param transposed
     *            whether it is to be used transposed
     * @param leading
     *            elements from one column to the next
     * @param batch
     *            elements from one matrix of a batch to the next
     */
    record Columns(long address, boolean transposed, int leading, long batch) {
    }

    /** {@code c = alpha op(a) op(b) + beta c}; c is m by n, not transposed. */
    synchronized void multiply(DType dtype, int m, int n, int k, int batch, Columns a, Columns b, Columns c,
            double alpha, double beta, long stream) {
        context.enter();
        int type = switch (dtype) {
            case FLOAT32 -> 0;
            case FLOAT64 -> 1;
            case FLOAT16 -> 2;
            case BFLOAT16 -> 14;
            default -> throw new IllegalArgumentException("no cuBLAS type for " + dtype);
        };
        int compute = dtype == DType.FLOAT64
                ? COMPUTE_64F
                : dtype == DType.FLOAT32 && tf32 ? COMPUTE_TF32 : COMPUTE_32F;
        MemorySegment first = scalars.asSlice(0, 8);
        MemorySegment second = scalars.asSlice(8, 8);
        if (dtype == DType.FLOAT64) {
            first.set(JAVA_DOUBLE, 0, alpha);
            second.set(JAVA_DOUBLE, 0, beta);
        } else {
            first.set(JAVA_FLOAT, 0, (float) alpha);
            second.set(JAVA_FLOAT, 0, (float) beta);
        }
        try {
            check((int) gemm.invokeExact(handle(stream), a.transposed ? 1 : 0, b.transposed ? 1 : 0, m, n, k, first,
                    a.address, type, a.leading, a.batch, b.address, type, b.leading, b.batch, second, c.address, type,
                    c.leading, c.batch, batch, compute, DEFAULT_ALGORITHM));
        } catch (DeviceException e) {
            throw e;
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }

    private long handle(long stream) {
        Long known = handles.get(stream);
        if (known != null) {
            return known;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            check((int) create.invokeExact(out));
            long handle = out.get(JAVA_LONG, 0);
            check((int) setStream.invokeExact(handle, stream));
            handles.put(stream, handle);
            return handle;
        } catch (DeviceException e) {
            throw e;
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }

    /** Gives its handles and their memory back. */
    synchronized void close() {
        for (long handle : handles.values()) {
            try {
                // its answer does not matter: a lost device refuses, and its process ends anyway
                int ignored = (int) destroy.invokeExact(handle);
            } catch (Throwable t) {
                throw DriverCalls.mistyped(t);
            }
        }
        handles.clear();
    }

    private static void check(int code) {
        if (code != 0) {
            String name = switch (code) {
                case 1 -> "CUBLAS_STATUS_NOT_INITIALIZED";
                case 3 -> "CUBLAS_STATUS_ALLOC_FAILED";
                case 7 -> "CUBLAS_STATUS_INVALID_VALUE";
                case 8 -> "CUBLAS_STATUS_ARCH_MISMATCH";
                case 13 -> "CUBLAS_STATUS_EXECUTION_FAILED";
                case 14 -> "CUBLAS_STATUS_INTERNAL_ERROR";
                case 15 -> "CUBLAS_STATUS_NOT_SUPPORTED";
                default -> "status";
            };
            throw new DeviceException("A matrix product was asked of cuBLAS; it answered " + name + " (" + code
                    + "). It allocates memory outside the allocator: leave it some, or start with VRAMLAB_CUBLAS=none.");
        }
    }
}

package io.vramlab.device.internal.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * The driver's frequent calls, straight from Java. Each returns the driver's code. The names are those of the CUDA driver
 * API.
 */
final class DriverCalls {

    private static final List<String> NAMES = List.of("libcuda.so.1", "nvcuda.dll");

    private static final Optional<SymbolLookup> DRIVER = library(NAMES);

    // constants, which the compiler calls straight: launching is all that some steps do
    private static final MethodHandle LAUNCH = bind("cuLaunchKernel", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    private static final MethodHandle TO_DEVICE = bind("cuMemcpyHtoDAsync_v2", JAVA_LONG, ADDRESS, JAVA_LONG,
            JAVA_LONG);
    private static final MethodHandle TO_HOST = bind("cuMemcpyDtoHAsync_v2", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ON_DEVICE = bind("cuMemcpyDtoDAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_LONG);
    private static final MethodHandle SET = bind("cuMemsetD8Async", JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle LOAD = bind("cuModuleLoadData", ADDRESS, ADDRESS);
    private static final MethodHandle UNLOAD = bind("cuModuleUnload", JAVA_LONG);
    private static final MethodHandle FUNCTION = bind("cuModuleGetFunction", ADDRESS, JAVA_LONG, ADDRESS);
    private static final MethodHandle ATTRIBUTE = bind("cuFuncSetAttribute", JAVA_LONG, JAVA_INT, JAVA_INT);

    private DriverCalls() {
    }

    /** A call of the driver; null where there is none, and then nobody has an instance of this class. */
    private static MethodHandle bind(String name, MemoryLayout... arguments) {
        return DRIVER.map(driver -> bind(driver, name, arguments)).orElse(null);
    }

    static MethodHandle bind(SymbolLookup library, String name, MemoryLayout... arguments) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, arguments));
    }

    /** The first of these libraries that the system's loader finds. */
    static Optional<SymbolLookup> library(List<String> names) {
        for (String name : names) {
            try {
                return Optional.of(SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException e) {
                // not this one: the answer is the empty one below
                continue;
            }
        }
        return Optional.empty();
    }

    /** The driver, or empty if the machine has none. */
    static Optional<DriverCalls> find() {
        return DRIVER.map(driver -> new DriverCalls());
    }

    /** The calls that make and map physical memory of one GPU. */
    MappingCalls mapping(int ordinal) {
        return new MappingCalls(DRIVER.orElseThrow(), ordinal);
    }

    int launch(long f, int gridX, int gridY, int gridZ, int block, int sharedBytes, long stream, MemorySegment extra) {
        try {
            return (int) LAUNCH.invokeExact(f, gridX, gridY, gridZ, block, 1, 1, sharedBytes, stream,
                    MemorySegment.NULL, extra);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int copyToDevice(long destination, MemorySegment source, long bytes, long stream) {
        try {
            return (int) TO_DEVICE.invokeExact(destination, source, bytes, stream);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int copyToHost(MemorySegment destination, long source, long bytes, long stream) {
        try {
            return (int) TO_HOST.invokeExact(destination, source, bytes, stream);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int copyOnDevice(long destination, long source, long bytes, long stream) {
        try {
            return (int) ON_DEVICE.invokeExact(destination, source, bytes, stream);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int fill(long destination, byte value, long bytes, long stream) {
        try {
            return (int) SET.invokeExact(destination, value, bytes, stream);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int loadModule(MemorySegment module, MemorySegment ptx) {
        try {
            return (int) LOAD.invokeExact(module, ptx);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int unloadModule(long module) {
        try {
            return (int) UNLOAD.invokeExact(module);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int getFunction(MemorySegment f, long module, MemorySegment name) {
        try {
            return (int) FUNCTION.invokeExact(f, module, name);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    /** Lets a kernel have so many bytes of shared memory, more than the 48 KiB that every kernel may. */
    int allowShared(long f, int bytes) {
        final int maxDynamicSharedSizeBytes = 8;
        try {
            return (int) ATTRIBUTE.invokeExact(f, maxDynamicSharedSizeBytes, bytes);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    static AssertionError mistyped(Throwable t) {
        return new AssertionError("a library function was called with the wrong types", t);
    }
}

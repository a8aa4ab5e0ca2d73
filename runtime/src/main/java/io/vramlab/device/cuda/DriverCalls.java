package io.vramlab.device.cuda;

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

    private final MethodHandle launch;
    private final MethodHandle toDevice;
    private final MethodHandle toHost;
    private final MethodHandle onDevice;
    private final MethodHandle set;
    private final MethodHandle load;
    private final MethodHandle unload;
    private final MethodHandle function;

    private final SymbolLookup driver;

    private DriverCalls(SymbolLookup driver) {
        this.driver = driver;
        launch = bind(driver, "cuLaunchKernel", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
                JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
        toDevice = bind(driver, "cuMemcpyHtoDAsync_v2", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
        toHost = bind(driver, "cuMemcpyDtoHAsync_v2", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        onDevice = bind(driver, "cuMemcpyDtoDAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        set = bind(driver, "cuMemsetD8Async", JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG);
        load = bind(driver, "cuModuleLoadData", ADDRESS, ADDRESS);
        unload = bind(driver, "cuModuleUnload", JAVA_LONG);
        function = bind(driver, "cuModuleGetFunction", ADDRESS, JAVA_LONG, ADDRESS);
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
        return library(NAMES).map(DriverCalls::new);
    }

    /** The calls that make and map physical memory of one GPU. */
    MappingCalls mapping(int ordinal) {
        return new MappingCalls(driver, ordinal);
    }

    int launch(long f, int gridX, int gridY, int gridZ, int block, int sharedBytes, long stream, MemorySegment extra) {
        try {
            return (int) launch.invokeExact(f, gridX, gridY, gridZ, block, 1, 1, sharedBytes, stream,
                    MemorySegment.NULL, extra);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int copyToDevice(long destination, MemorySegment source, long bytes, long stream) {
        try {
            return (int) toDevice.invokeExact(destination, source, bytes, stream);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int copyToHost(MemorySegment destination, long source, long bytes, long stream) {
        try {
            return (int) toHost.invokeExact(destination, source, bytes, stream);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int copyOnDevice(long destination, long source, long bytes, long stream) {
        try {
            return (int) onDevice.invokeExact(destination, source, bytes, stream);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int fill(long destination, byte value, long bytes, long stream) {
        try {
            return (int) set.invokeExact(destination, value, bytes, stream);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int loadModule(MemorySegment module, MemorySegment ptx) {
        try {
            return (int) load.invokeExact(module, ptx);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int unloadModule(long module) {
        try {
            return (int) unload.invokeExact(module);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    int getFunction(MemorySegment f, long module, MemorySegment name) {
        try {
            return (int) function.invokeExact(f, module, name);
        } catch (Throwable t) {
            throw mistyped(t);
        }
    }

    static AssertionError mistyped(Throwable t) {
        return new AssertionError("a library function was called with the wrong types", t);
    }
}

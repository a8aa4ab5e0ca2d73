package io.vramlab.device.internal.cpu;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The C library's aligned allocation. Memory comes as it is: not zeroed. */
final class HostHeap {

    /** What {@code DeviceMemory.allocate} promises. */
    static final long ALIGNMENT = 512;

    // the Microsoft library names them differently and swaps the arguments of the first
    private static final boolean C11 = find("aligned_alloc");
    private static final MethodHandle ALLOCATE = handle(C11 ? "aligned_alloc" : "_aligned_malloc",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = handle(C11 ? "free" : "_aligned_free",
            FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    private HostHeap() {
    }

    private static boolean find(String name) {
        return Linker.nativeLinker().defaultLookup().find(name).isPresent();
    }

    private static MethodHandle handle(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }

    /** The address, or 0 if there is no room. */
    static long allocate(long bytes) {
        long size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        try {
            return C11 ? (long) ALLOCATE.invokeExact(ALIGNMENT, size) : (long) ALLOCATE.invokeExact(size, ALIGNMENT);
        } catch (Throwable t) {
            throw new AssertionError("the allocation function was called with the wrong types", t);
        }
    }

    static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable t) {
            throw new AssertionError("the free function was called with the wrong types", t);
        }
    }
}

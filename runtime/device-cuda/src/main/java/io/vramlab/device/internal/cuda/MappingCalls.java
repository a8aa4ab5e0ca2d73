package io.vramlab.device.internal.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * Making, mapping and giving back physical memory. Straight from Java, because JCuda 12.6.0's {@code cuMemCreate} answers
 * CUDA_ERROR_INVALID_VALUE for what the driver takes from C (seen on an H200 with driver 580).
 */
final class MappingCalls {

    private static final int PINNED = 1;
    private static final int DEVICE = 1;
    private static final int READ_WRITE = 3;
    /** sizeof(CUmemAllocationProp): type, handle types, location (type, id), metadata, flags. */
    private static final int PROPERTIES_BYTES = 32;

    private final MethodHandle create;
    private final MethodHandle release;
    private final MethodHandle map;
    private final MethodHandle unmap;
    private final MethodHandle setAccess;
    private final MemorySegment properties = Arena.ofAuto().allocate(PROPERTIES_BYTES, 8);
    private final MemorySegment access = Arena.ofAuto().allocate(JAVA_INT, 3);

    MappingCalls(SymbolLookup driver, int ordinal) {
        create = DriverCalls.bind(driver, "cuMemCreate", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
        release = DriverCalls.bind(driver, "cuMemRelease", JAVA_LONG);
        map = DriverCalls.bind(driver, "cuMemMap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        unmap = DriverCalls.bind(driver, "cuMemUnmap", JAVA_LONG, JAVA_LONG);
        setAccess = DriverCalls.bind(driver, "cuMemSetAccess", JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
        properties.setAtIndex(JAVA_INT, 0, PINNED);
        properties.setAtIndex(JAVA_INT, 2, DEVICE);
        properties.setAtIndex(JAVA_INT, 3, ordinal);
        access.setAtIndex(JAVA_INT, 0, DEVICE);
        access.setAtIndex(JAVA_INT, 1, ordinal);
        access.setAtIndex(JAVA_INT, 2, READ_WRITE);
    }

    /** Makes physical memory; its handle goes into {@code handle}, 8 bytes. */
    int create(MemorySegment handle, long bytes) {
        try {
            return (int) create.invokeExact(handle, bytes, properties, 0L);
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }

    int release(long handle) {
        try {
            return (int) release.invokeExact(handle);
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }

    int map(long address, long bytes, long handle) {
        try {
            return (int) map.invokeExact(address, bytes, 0L, handle, 0L);
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }

    int unmap(long address, long bytes) {
        try {
            return (int) unmap.invokeExact(address, bytes);
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }

    int makeAccessible(long address, long bytes) {
        try {
            return (int) setAccess.invokeExact(address, bytes, access, 1L);
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }
}

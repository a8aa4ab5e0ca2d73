package io.vramlab.device.internal.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;

/**
 * Address space of the host that takes no memory until it is touched. On Linux and macOS anonymous memory through
 * {@code mmap}, whose pages can be given back one by one; elsewhere a sparse temporary file, which only grows.
 */
final class HostPages {

    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE = 2;
    private static final int MAP_FIXED = 0x10;
    private static final boolean MAC = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
    private static final int MAP_ANONYMOUS = MAC ? 0x1000 : 0x20;
    private static final int MAP_NORESERVE = MAC ? 0x40 : 0x4000;
    private static final long PAGE = 4096;

    private static final Optional<MethodHandle> MMAP = find("mmap",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
    private static final Optional<MethodHandle> MUNMAP = find("munmap",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

    private HostPages() {
    }

    private static Optional<MethodHandle> find(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup().find(name).map(f -> linker.downcallHandle(f, type));
    }

    /**
     * Reserves addresses; they read as zero.
     *
     * @param arena
     *            gives them back when it is closed
     * @return empty if the host has no room for so many addresses
     */
    static Optional<MemorySegment> reserve(long bytes, Arena arena) {
        if (MMAP.isEmpty() || MUNMAP.isEmpty()) {
            return Optional.of(reserveInFile(bytes, arena));
        }
        long address = mmap(0, bytes, 0);
        return address == -1
                ? Optional.empty()
                : Optional.of(MemorySegment.ofAddress(address).reinterpret(bytes, arena, HostPages::munmap));
    }

    /** Whether pages can be given back one by one. */
    static boolean canDiscard() {
        return MMAP.isPresent();
    }

    /** Gives the pages wholly inside the segment back; it reads as zero afterwards, where pages can be given back. */
    static void discard(MemorySegment segment) {
        if (MMAP.isEmpty()) {
            return;
        }
        long from = (segment.address() + PAGE - 1) / PAGE * PAGE;
        long to = (segment.address() + segment.byteSize()) / PAGE * PAGE;
        // fresh anonymous pages in place of the old ones: works alike on Linux and macOS
        if (to > from && mmap(from, to - from, MAP_FIXED) == -1) {
            throw new IllegalStateException("The host refused to exchange pages of the simulated device");
        }
    }

    private static long mmap(long address, long bytes, int flags) {
        try {
            return (long) MMAP.get().invokeExact(address, bytes, PROT_READ_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0L);
        } catch (Throwable t) {
            throw new AssertionError("mmap was called with the wrong types", t);
        }
    }

    private static void munmap(MemorySegment segment) {
        try {
            int status = (int) MUNMAP.get().invokeExact(segment.address(), segment.byteSize());
            assert status == 0 : "munmap answered " + status;
        } catch (Throwable t) {
            throw new AssertionError("munmap was called with the wrong types", t);
        }
    }

    /** The way for systems without {@code mmap}. */
    static MemorySegment reserveInFile(long bytes, Arena arena) {
        try {
            Path file = Files.createTempFile("vramlab-device", ".mem");
            file.toFile().deleteOnExit();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    StandardOpenOption.SPARSE, StandardOpenOption.DELETE_ON_CLOSE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("No sparse file for the simulated device's memory could be made in "
                    + System.getProperty("java.io.tmpdir") + "; give java.io.tmpdir a folder that allows it", e);
        }
    }
}

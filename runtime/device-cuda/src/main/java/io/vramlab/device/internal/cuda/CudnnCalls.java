package io.vramlab.device.internal.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * cuDNN 9, straight from Java: its backend, in which whatever is to be computed is described by descriptors with numbered
 * attributes (cuDNN's reference, "Backend API"; the numbers are those of {@code cudnn_graph.h}).
 */
final class CudnnCalls {

    private static final List<String> NAMES = List.of("libcudnn.so.9", "cudnn64_9.dll");
    /** What cuDNN opens by name when it first needs it: where it lies beside cuBLAS, it is opened before. */
    private static final List<String> NEEDED = List.of("libnvrtc.so.13", "libnvrtc.so.12", "libcublasLt.so.13",
            "libcublasLt.so.12");

    private final SymbolLookup library;
    private final MethodHandle create;
    private final MethodHandle destroy;
    private final MethodHandle setStream;
    private final MethodHandle createDescriptor;
    private final MethodHandle destroyDescriptor;
    private final MethodHandle setAttribute;
    private final MethodHandle getAttribute;
    private final MethodHandle complete;
    private final MethodHandle execute;

    private CudnnCalls(SymbolLookup library) {
        this.library = library;
        create = DriverCalls.bind(library, "cudnnCreate", ADDRESS);
        destroy = DriverCalls.bind(library, "cudnnDestroy", JAVA_LONG);
        setStream = DriverCalls.bind(library, "cudnnSetStream", JAVA_LONG, JAVA_LONG);
        createDescriptor = DriverCalls.bind(library, "cudnnBackendCreateDescriptor", JAVA_INT, ADDRESS);
        destroyDescriptor = DriverCalls.bind(library, "cudnnBackendDestroyDescriptor", JAVA_LONG);
        setAttribute = DriverCalls.bind(library, "cudnnBackendSetAttribute", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG,
                ADDRESS);
        getAttribute = DriverCalls.bind(library, "cudnnBackendGetAttribute", JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG,
                ADDRESS, ADDRESS);
        complete = DriverCalls.bind(library, "cudnnBackendFinalize", JAVA_LONG);
        execute = DriverCalls.bind(library, "cudnnBackendExecute", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    }

    /**
     * The library, or empty if the machine has none. {@code VRAMLAB_CUDNN} names a folder to look into first; {@code none}
     * there means to do without.
     */
    static Optional<CudnnCalls> find() {
        return find(List.of());
    }

    /** The same, looked for in these folders as well, after all others. */
    static Optional<CudnnCalls> find(List<Path> folders) {
        String chosen = System.getProperty("vramlab.cudnn", System.getenv("VRAMLAB_CUDNN"));
        if ("none".equals(chosen)) {
            return Optional.empty();
        }
        String beside = System.getProperty("vramlab.cublas", System.getenv("VRAMLAB_CUBLAS"));
        if (beside != null) {
            open(Path.of(beside));
        }
        if (chosen != null) {
            CudnnPlaces.besides(Path.of(chosen)).forEach(CudnnCalls::open);
        }
        Optional<SymbolLookup> found = DriverCalls.library(NAMES.stream()
                .filter(name -> chosen != null && Files.exists(Path.of(chosen, name)))
                .map(name -> Path.of(chosen, name).toString()).toList());
        found = found.or(() -> DriverCalls.library(NAMES));
        for (Path folder : folders) {
            found = found.or(() -> {
                CudnnPlaces.besides(folder).forEach(CudnnCalls::open);
                return DriverCalls.library(NAMES.stream().map(name -> folder.resolve(name).toString()).toList());
            });
        }
        return found.map(CudnnCalls::new);
    }

    /** Opens what cuDNN needs, where that folder has it. */
    private static void open(Path folder) {
        for (String needed : NEEDED) {
            if (Files.exists(folder.resolve(needed))) {
                DriverCalls.library(List.of(folder.resolve(needed).toString()));
            }
        }
    }

    /** As its header writes it: 91900 is 9.19.0. */
    long version() {
        try {
            return (long) Linker.nativeLinker().downcallHandle(library.findOrThrow("cudnnGetVersion"),
                    FunctionDescriptor.of(JAVA_LONG)).invokeExact();
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }

    /** That cuDNN did not do what it was asked. */
    static final class Refused extends Exception {

        private static final long serialVersionUID = 1;

        Refused(String call, int status) {
            super(call + " answered " + status, null, false, false);
        }
    }

    /** One of its functions. */
    interface Call {

        int status() throws Throwable;
    }

    static void check(String name, Call call) throws Refused {
        int status;
        try {
            status = call.status();
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
        if (status != 0) {
            throw new Refused(name, status);
        }
    }

    /** A function of the library, which returns its status. */
    MethodHandle bind(String name, MemoryLayout... arguments) {
        return DriverCalls.bind(library, name, arguments);
    }

    /** A handle; it takes memory outside of the allocator. */
    long handle() throws Refused {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            check("cudnnCreate", () -> (int) create.invokeExact(out));
            return out.get(JAVA_LONG, 0);
        }
    }

    void stream(long handle, long stream) throws Refused {
        check("cudnnSetStream", () -> (int) setStream.invokeExact(handle, stream));
    }

    void run(long handle, long plan, long pack) throws Refused {
        check("cudnnBackendExecute", () -> (int) execute.invokeExact(handle, plan, pack));
    }

    void close(long handle) {
        try {
            // its answer does not matter: a lost device refuses, and its process ends anyway
            int ignored = (int) destroy.invokeExact(handle);
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }

    /** A descriptor without attributes. */
    Descriptor descriptor(int kind) throws Refused {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            check("cudnnBackendCreateDescriptor", () -> (int) createDescriptor.invokeExact(kind, out));
            return new Descriptor(out.get(JAVA_LONG, 0));
        }
    }

    /** One of cuDNN's descriptors. */
    final class Descriptor implements AutoCloseable {

        private static final int HANDLE = 0;
        private static final int BOOLEAN = 2;
        private static final int INT64 = 3;
        private static final int FLOAT = 4;
        private static final int DOUBLE = 5;
        private static final int POINTER = 6;
        private static final int DESCRIPTOR = 15;
        private static final int CHARACTERS = 24;

        private final long address;

        private Descriptor(long address) {
            this.address = address;
        }

        long address() {
            return address;
        }

        private Descriptor set(int name, int type, long count, MemorySegment values) throws Refused {
            check("cudnnBackendSetAttribute",
                    () -> (int) setAttribute.invokeExact(address, name, type, count, values));
            return this;
        }

        private Descriptor words(int name, int type, long... values) throws Refused {
            try (Arena arena = Arena.ofConfined()) {
                return set(name, type, values.length, arena.allocateFrom(JAVA_LONG, values));
            }
        }

        Descriptor longs(int name, long... values) throws Refused {
            return words(name, INT64, values);
        }

        Descriptor pointers(int name, long... values) throws Refused {
            return words(name, POINTER, values);
        }

        Descriptor handle(int name, long value) throws Refused {
            return words(name, HANDLE, value);
        }

        Descriptor of(int name, Descriptor... values) throws Refused {
            return words(name, DESCRIPTOR, Arrays.stream(values).mapToLong(Descriptor::address).toArray());
        }

        Descriptor flag(int name, boolean value) throws Refused {
            try (Arena arena = Arena.ofConfined()) {
                return set(name, BOOLEAN, 1, arena.allocateFrom(JAVA_BYTE, (byte) (value ? 1 : 0)));
            }
        }

        /** One of an enumeration of cuDNN's, whose own type has the number {@code type}. */
        Descriptor choice(int name, int type, int value) throws Refused {
            try (Arena arena = Arena.ofConfined()) {
                return set(name, type, 1, arena.allocateFrom(JAVA_INT, value));
            }
        }

        Descriptor text(int name, String value) throws Refused {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment characters = arena.allocateFrom(value);
                return set(name, CHARACTERS, characters.byteSize(), characters);
            }
        }

        Descriptor factor(int name, boolean wide, double value) throws Refused {
            try (Arena arena = Arena.ofConfined()) {
                return wide
                        ? set(name, DOUBLE, 1, arena.allocateFrom(JAVA_DOUBLE, value))
                        : set(name, FLOAT, 1, arena.allocateFrom(JAVA_FLOAT, (float) value));
            }
        }

        /** Nothing is set any more. */
        Descriptor done() throws Refused {
            check("cudnnBackendFinalize", () -> (int) complete.invokeExact(address));
            return this;
        }

        private int get(int name, int type, int room, MemorySegment values) throws Refused {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment count = arena.allocate(JAVA_LONG);
                check("cudnnBackendGetAttribute",
                        () -> (int) getAttribute.invokeExact(address, name, type, (long) room, count, values));
                return Math.toIntExact(count.get(JAVA_LONG, 0));
            }
        }

        long number(int name) throws Refused {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment value = arena.allocate(JAVA_LONG);
                get(name, INT64, 1, value);
                return value.get(JAVA_LONG, 0);
            }
        }

        /** Members of one of cuDNN's enumerations. */
        List<Integer> choices(int name, int type, int most) throws Refused {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment values = arena.allocate(JAVA_INT, most);
                int found = Math.min(most, get(name, type, most, values));
                List<Integer> all = new ArrayList<>(found);
                for (int i = 0; i < found; i++) {
                    all.add(values.getAtIndex(JAVA_INT, i));
                }
                return all;
            }
        }

        /** How many descriptors are there. */
        int count(int name) throws Refused {
            return get(name, DESCRIPTOR, 0, MemorySegment.NULL);
        }

        /** Fills descriptors of the kind that is there. @return how many of them were filled */
        int fill(int name, List<Descriptor> into) throws Refused {
            try (Arena arena = Arena.ofConfined()) {
                long[] addresses = into.stream().mapToLong(Descriptor::address).toArray();
                return get(name, DESCRIPTOR, addresses.length, arena.allocateFrom(JAVA_LONG, addresses));
            }
        }

        @Override
        public void close() {
            try {
                int ignored = (int) destroyDescriptor.invokeExact(address);
            } catch (Throwable t) {
                throw DriverCalls.mistyped(t);
            }
        }
    }
}

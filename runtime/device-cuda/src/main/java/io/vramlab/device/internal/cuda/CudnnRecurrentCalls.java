package io.vramlab.device.internal.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.vramlab.device.internal.cuda.CudnnCalls.Refused;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** cuDNN's functions for recurrent networks, as {@code cudnn_adv.h} and {@code cudnn_ops.h} declare them. */
final class CudnnRecurrentCalls {

    /** Descriptors, each with its own functions that make and destroy it. */
    enum Kind {
        RNN("RNN"), DATA("RNNData"), TENSOR("Tensor"), DROPOUT("Dropout");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    private final Map<Kind, MethodHandle> create;
    private final Map<Kind, MethodHandle> destroy;
    private final MethodHandle setRnn;
    private final MethodHandle setData;
    private final MethodHandle setTensor;
    private final MethodHandle setDropout;
    private final MethodHandle restoreDropout;
    private final MethodHandle dropoutBytes;
    private final MethodHandle weightBytes;
    private final MethodHandle weightPlace;
    private final MethodHandle sizes;
    private final MethodHandle forward;
    private final MethodHandle backwardData;
    private final MethodHandle backwardWeights;

    CudnnRecurrentCalls(CudnnCalls library) {
        create = each(kind -> library.bind("cudnnCreate" + kind.word + "Descriptor", ADDRESS));
        destroy = each(kind -> library.bind("cudnnDestroy" + kind.word + "Descriptor", JAVA_LONG));
        setRnn = library.bind("cudnnSetRNNDescriptor_v8", layout("piiiiiiiiiiiipi"));
        setData = library.bind("cudnnSetRNNDataDescriptor", layout("piiiiiap"));
        setTensor = library.bind("cudnnSetTensorNdDescriptor", layout("piiaa"));
        setDropout = library.bind("cudnnSetDropoutDescriptor", layout("ppfppp"));
        restoreDropout = library.bind("cudnnRestoreDropoutDescriptor", layout("ppfppp"));
        dropoutBytes = library.bind("cudnnDropoutGetStatesSize", layout("pa"));
        weightBytes = library.bind("cudnnGetRNNWeightSpaceSize", layout("ppa"));
        weightPlace = library.bind("cudnnGetRNNWeightParams", layout("ppippipapa"));
        sizes = library.bind("cudnnGetRNNTempSpaceSizes", layout("ppipaa"));
        forward = library.bind("cudnnRNNForward", layout("ppip" + "pppp" + "ppp" + "ppp" + "pppppp"));
        backwardData = library.bind("cudnnRNNBackwardData_v8",
                layout("ppp" + "ppp" + "pp" + "pppp" + "pppp" + "pppppp"));
        backwardWeights = library.bind("cudnnRNNBackwardWeights_v8", layout("ppip" + "pp" + "pp" + "pp" + "pppppp"));
    }

    private static Map<Kind, MethodHandle> each(Function<Kind, MethodHandle> bound) {
        Map<Kind, MethodHandle> all = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            all.put(kind, bound.apply(kind));
        }
        return all;
    }

    /** p: a handle, a device's address or 64 bits; a: memory of ours; i: int; f: float. */
    private static MemoryLayout[] layout(String arguments) {
        return arguments.chars().mapToObj(c -> switch (c) {
            case 'p' -> JAVA_LONG;
            case 'a' -> ADDRESS;
            case 'f' -> JAVA_FLOAT;
            default -> JAVA_INT;
        }).toArray(MemoryLayout[]::new);
    }

    /** A descriptor of which nothing is set. */
    Descriptor descriptor(Kind kind) throws Refused {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            MethodHandle made = create.get(kind);
            CudnnCalls.check("cudnnCreate" + kind.word + "Descriptor", () -> (int) made.invokeExact(out));
            return new Descriptor(kind, out.get(JAVA_LONG, 0));
        }
    }

    /** One of cuDNN's descriptors. */
    final class Descriptor implements AutoCloseable {

        private final Kind kind;
        private final long address;

        private Descriptor(Kind kind, long address) {
            this.kind = kind;
            this.address = address;
        }

        long address() {
            return address;
        }

        /** A tensor whose elements lie one after another. */
        Descriptor tensor(int type, int... shape) throws Refused {
            int[] strides = new int[shape.length];
            int stride = 1;
            for (int d = shape.length - 1; d >= 0; d--) {
                strides[d] = stride;
                stride *= shape[d];
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment sizes = arena.allocateFrom(JAVA_INT, shape);
                MemorySegment steps = arena.allocateFrom(JAVA_INT, strides);
                CudnnCalls.check("cudnnSetTensorNdDescriptor",
                        () -> (int) setTensor.invokeExact(address, type, shape.length, sizes, steps));
            }
            return this;
        }

        /** Inputs or outputs of sequences. */
        Descriptor data(int type, boolean packed, int times, int width, int[] lengths) throws Refused {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment each = arena.allocateFrom(JAVA_INT, lengths);
                CudnnCalls.check("cudnnSetRNNDataDescriptor", () -> (int) setData.invokeExact(address, type,
                        packed ? 1 : 0, times, lengths.length, width, each, 0L));
            }
            return this;
        }

        /** Random numbers in a state that was seeded; none where the probability is 0. */
        Descriptor dropout(long handle, double p, long state, long bytes) throws Refused {
            MethodHandle how = p == 0 ? setDropout : restoreDropout;
            CudnnCalls.check("cudnnSetDropoutDescriptor",
                    () -> (int) how.invokeExact(address, handle, (float) p, state, bytes, 0L));
            return this;
        }

        /** Random numbers from that seed on: fills the state. */
        Descriptor seeded(long handle, double p, long state, long bytes, long seed) throws Refused {
            CudnnCalls.check("cudnnSetDropoutDescriptor",
                    () -> (int) setDropout.invokeExact(address, handle, (float) p, state, bytes, seed));
            return this;
        }

        /** A network; the numbers are those of cuDNN's enumerations, in the order of its function. */
        Descriptor network(int[] choices, int[] widths, Descriptor dropout, int flags) throws Refused {
            CudnnCalls.check("cudnnSetRNNDescriptor_v8", () -> (int) setRnn.invokeExact(address, choices[0],
                    choices[1], choices[2], choices[3], choices[4], choices[5], choices[6], choices[7], widths[0],
                    widths[1], widths[2], widths[3], dropout.address, flags));
            return this;
        }

        @Override
        public void close() {
            try {
                int ignored = (int) destroy.get(kind).invokeExact(address);
            } catch (Throwable t) {
                throw DriverCalls.mistyped(t);
            }
        }
    }

    private interface Asked {

        int of(MemorySegment out) throws Throwable;
    }

    private static long number(String name, Asked call) throws Refused {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            CudnnCalls.check(name, () -> call.of(out));
            return out.get(JAVA_LONG, 0);
        }
    }

    long dropoutBytes(long handle) throws Refused {
        return number("cudnnDropoutGetStatesSize", out -> (int) dropoutBytes.invokeExact(handle, out));
    }

    long weightBytes(long handle, Descriptor rnn) throws Refused {
        return number("cudnnGetRNNWeightSpaceSize", out -> (int) weightBytes.invokeExact(handle, rnn.address, out));
    }

    /** Where one gate's matrix, or its bias, begins in a block of weights at {@code base}. */
    long weightPlace(long handle, Descriptor rnn, int layer, long bytes, long base, int gate, boolean bias)
            throws Refused {
        try (Descriptor form = descriptor(Kind.TENSOR)) {
            long matrix = bias ? 0 : form.address;
            long vector = bias ? form.address : 0;
            return number("cudnnGetRNNWeightParams", out -> {
                MemorySegment none = MemorySegment.NULL;
                return bias
                        ? (int) weightPlace.invokeExact(handle, rnn.address, layer, bytes, base, gate, matrix, none,
                                vector, out)
                        : (int) weightPlace.invokeExact(handle, rnn.address, layer, bytes, base, gate, matrix, out,
                                vector, none);
            });
        }
    }

    /** Bytes of workspace and reserve. */
    long[] sizes(long handle, Descriptor rnn, boolean training, Descriptor x) throws Refused {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment work = arena.allocate(JAVA_LONG);
            MemorySegment reserve = arena.allocate(JAVA_LONG);
            MemorySegment kept = training ? reserve : MemorySegment.NULL;
            CudnnCalls.check("cudnnGetRNNTempSpaceSizes", () -> (int) sizes.invokeExact(handle, rnn.address,
                    training ? 1 : 0, x.address, work, kept));
            return new long[]{work.get(JAVA_LONG, 0), training ? reserve.get(JAVA_LONG, 0) : 0};
        }
    }

    /** The addresses and sizes in the order of cuDNN's function, from the description of x on. */
    void forward(long handle, Descriptor rnn, boolean training, long... a) throws Refused {
        CudnnCalls.check("cudnnRNNForward", () -> (int) forward.invokeExact(handle, rnn.address, training ? 1 : 0, 0L,
                a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14],
                a[15]));
    }

    /** As {@link #forward}, from the description of y on. */
    void backwardData(long handle, Descriptor rnn, long... a) throws Refused {
        CudnnCalls.check("cudnnRNNBackwardData_v8", () -> (int) backwardData.invokeExact(handle, rnn.address, 0L, a[0],
                a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16],
                a[17], a[18]));
    }

    /** As {@link #forward}; gradients are added. */
    void backwardWeights(long handle, Descriptor rnn, long... a) throws Refused {
        CudnnCalls.check("cudnnRNNBackwardWeights_v8", () -> (int) backwardWeights.invokeExact(handle, rnn.address, 0,
                0L, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]));
    }
}

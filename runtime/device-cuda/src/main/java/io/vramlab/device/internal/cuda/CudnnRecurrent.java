package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.RecurrentLibrary;
import io.vramlab.device.RecurrentShape;
import io.vramlab.device.internal.cuda.CudnnCalls.Refused;
import io.vramlab.device.internal.cuda.CudnnRecurrentCalls.Descriptor;
import io.vramlab.device.internal.cuda.CudnnRecurrentCalls.Kind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Recurrent networks by cuDNN 9, as PyTorch asks it for them (its {@code cudnn/RNN.cpp}). */
final class CudnnRecurrent implements RecurrentLibrary {

    /** An address that weights could lie at; nothing is read there. */
    private static final long SOMEWHERE = 1L << 32;

    private final CudaContext context;
    private final CudnnHandle library;
    private final Launcher launcher;
    private final boolean tf32 = CudnnSettings.now().tf32();
    private final Map<Network, Block> blocks = new ConcurrentHashMap<>();
    private CudnnRecurrentCalls calls;

    CudnnRecurrent(CudaContext context, CudnnHandle library, Launcher launcher) {
        this.context = context;
        this.library = library;
        this.launcher = launcher;
    }

    private interface Work<T> {

        T of(CudnnRecurrentCalls calls, long handle) throws Refused;
    }

    private <T> T asked(String what, long stream, Work<T> work) {
        synchronized (library) {
            try {
                if (calls == null) {
                    calls = new CudnnRecurrentCalls(library.calls());
                }
                return work.of(calls, library.on(stream));
            } catch (Refused e) {
                throw new DeviceException(what + " was asked of cuDNN for a recurrent network; " + e.getMessage()
                        + ". It takes memory outside the allocator: leave it some, or start with VRAMLAB_CUDNN=none, "
                        + "and the host computes the network.");
            }
        }
    }

    /** Also tells a mistake that the device told meanwhile. */
    private void queued(String what, long stream, Work<Void> work) {
        synchronized (library) {
            context.enter();
            context.status().pending().launched(what, stream);
            asked(what, stream, work);
            launcher.settle(what);
        }
    }

    private static int type(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> 0;
            case FLOAT64 -> 1;
            case FLOAT16 -> 2;
            case BFLOAT16 -> 9;
            default -> throw new IllegalArgumentException("no cuDNN type for " + dtype);
        };
    }

    /** The descriptors of one call. */
    private final class Described implements AutoCloseable {

        private static final int LINEAR_INPUT = 0;
        private static final int DOUBLE_BIAS = 2;
        private static final int TENSOR_OP_MATH = 1;
        private static final int FMA_MATH = 3;

        private final Descriptor dropout;
        private final Descriptor rnn;
        private final Descriptor x;
        private final Descriptor y;
        private final Descriptor h;
        private final Descriptor c;

        Described(CudnnRecurrentCalls calls, long handle, RecurrentShape s, boolean forward) throws Refused {
            DeviceProperties gpu = context.properties();
            int type = type(s.dtype());
            boolean half = s.dtype().bytes() < Float.BYTES;
            int math = s.dtype() == DType.FLOAT16 ? TENSOR_OP_MATH : tf32 ? 0 : FMA_MATH;
            dropout = calls.descriptor(Kind.DROPOUT);
            rnn = calls.descriptor(Kind.RNN);
            x = calls.descriptor(Kind.DATA);
            y = calls.descriptor(Kind.DATA);
            h = calls.descriptor(Kind.TENSOR);
            c = calls.descriptor(Kind.TENSOR);
            try {
                if (s.dropout() == null) {
                    dropout.dropout(handle, 0, 0, 0);
                } else {
                    dropout.dropout(handle, s.dropout().p(), s.dropout().state(), s.dropout().bytes());
                }
                rnn.network(new int[]{RecurrentAlgorithm.of(gpu, s, forward).ordinal(), s.kind().ordinal(), DOUBLE_BIAS,
                        s.bidirectional() ? 1 : 0, LINEAR_INPUT, type, half ? type(DType.FLOAT32) : type, math},
                        new int[]{s.input(), s.hidden(), s.output(), s.layers()}, dropout, s.packed() ? 0 : 1);
                x.data(type, s.packed(), s.times(), s.input(), s.lengths());
                y.data(type, s.packed(), s.times(), s.output() * (s.bidirectional() ? 2 : 1), s.lengths());
                h.tensor(type, s.directedLayers(), s.batch(), s.output(), 1, 1);
                c.tensor(type, s.directedLayers(), s.batch(), s.hidden(), 1, 1);
            } catch (Refused e) {
                close();
                throw e;
            }
        }

        /** Of cells, where there are any. */
        long cells(Data data) {
            return data.cx() == 0 ? 0 : c.address();
        }

        @Override
        public void close() {
            for (Descriptor each : new Descriptor[]{c, h, y, x, rnn, dropout}) {
                each.close();
            }
        }
    }

    @Override
    public boolean computes(RecurrentShape shape) {
        return shape.dtype().isFloatingPoint() && shape.batch() > 0 && shape.times() > 0;
    }

    /** A block of weights: what it depends on. */
    private record Network(RecurrentShape.Kind kind, DType dtype, int layers, boolean bidirectional, int input,
            int hidden, int projection) {
    }

    private record Block(long bytes, long[] offsets) {
    }

    private Block block(RecurrentShape s) {
        return blocks.computeIfAbsent(
                new Network(s.kind(), s.dtype(), s.layers(), s.bidirectional(), s.input(), s.hidden(), s.projection()),
                network -> asked("The order of its weights", 0, (cudnn, handle) -> laid(cudnn, handle, s)));
    }

    @Override
    public long weightBytes(RecurrentShape shape) {
        return block(shape).bytes;
    }

    @Override
    public long[] weightOffsets(RecurrentShape shape) {
        return block(shape).offsets.clone();
    }

    private Block laid(CudnnRecurrentCalls cudnn, long handle, RecurrentShape shape) throws Refused {
        int gates = switch (shape.kind()) {
            case LSTM -> 4;
            case GRU -> 3;
            default -> 1;
        };
        long[] offsets = new long[shape.directedLayers() * shape.weights()];
        try (Described d = new Described(cudnn, handle, shape, true)) {
            long bytes = cudnn.weightBytes(handle, d.rnn);
            int at = 0;
            for (int layer = 0; layer < shape.directedLayers(); layer++) {
                for (boolean bias : new boolean[]{false, true}) {
                    for (int gate : new int[]{0, gates}) {
                        offsets[at++] = cudnn.weightPlace(handle, d.rnn, layer, bytes, SOMEWHERE, gate, bias)
                                - SOMEWHERE;
                    }
                }
                if (shape.projection() > 0) {
                    offsets[at++] = cudnn.weightPlace(handle, d.rnn, layer, bytes, SOMEWHERE, 2 * gates, false)
                            - SOMEWHERE;
                }
            }
            return new Block(bytes, offsets);
        }
    }

    @Override
    public Sizes sizes(RecurrentShape shape, boolean training) {
        return asked("The size of its memory", 0, (cudnn, handle) -> {
            try (Described d = new Described(cudnn, handle, shape, true)) {
                long[] found = cudnn.sizes(handle, d.rnn, training, d.x);
                return new Sizes(found[0], found[1]);
            }
        });
    }

    @Override
    public long backwardWorkspace(RecurrentShape shape) {
        return asked("The size of its memory", 0, (cudnn, handle) -> {
            try (Described d = new Described(cudnn, handle, shape, false)) {
                return cudnn.sizes(handle, d.rnn, true, d.x)[0];
            }
        });
    }

    @Override
    public long dropoutBytes() {
        return asked("The state of dropout", 0, CudnnRecurrentCalls::dropoutBytes);
    }

    @Override
    public void seedDropout(RecurrentShape.Dropout dropout, long seed, long stream) {
        queued("The state of dropout", stream, (cudnn, handle) -> {
            try (Descriptor made = cudnn.descriptor(Kind.DROPOUT)) {
                made.seeded(handle, dropout.p(), dropout.state(), dropout.bytes(), seed);
            }
            return null;
        });
    }

    @Override
    public void forward(RecurrentShape shape, boolean training, Data a, Memory memory, long stream) {
        queued("Forward", stream, (cudnn, handle) -> {
            try (Described d = new Described(cudnn, handle, shape, true)) {
                cudnn.forward(handle, d.rnn, training, d.x.address(), a.x(), d.y.address(), a.y(), d.h.address(),
                        a.hx(), a.hy(), d.cells(a), a.cx(), a.cy(), block(shape).bytes, a.weights(),
                        memory.sizes().workspace(), memory.workspace(), memory.sizes().reserve(), memory.reserve());
            }
            return null;
        });
    }

    @Override
    public void backwardData(RecurrentShape shape, Data a, Data g, Memory memory, long stream) {
        queued("Backward", stream, (cudnn, handle) -> {
            try (Described d = new Described(cudnn, handle, shape, false)) {
                cudnn.backwardData(handle, d.rnn, d.y.address(), a.y(), g.y(), d.x.address(), g.x(), d.h.address(),
                        a.hx(), g.hy(), g.hx(), d.cells(a), a.cx(), g.cy(), g.cx(),
                        block(shape).bytes, a.weights(), memory.sizes().workspace(), memory.workspace(),
                        memory.sizes().reserve(), memory.reserve());
            }
            return null;
        });
    }

    @Override
    public void backwardWeights(RecurrentShape shape, Data a, long gradWeights, Memory memory, long stream) {
        queued("Backward of the weights", stream, (cudnn, handle) -> {
            try (Described d = new Described(cudnn, handle, shape, false)) {
                cudnn.backwardWeights(handle, d.rnn, d.x.address(), a.x(), d.h.address(), a.hx(), d.y.address(), a.y(),
                        block(shape).bytes, gradWeights, memory.sizes().workspace(),
                        memory.workspace(), memory.sizes().reserve(), memory.reserve());
            }
            return null;
        });
    }
}

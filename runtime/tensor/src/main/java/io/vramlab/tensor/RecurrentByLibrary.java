package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.RecurrentLibrary;
import io.vramlab.device.RecurrentLibrary.Data;
import io.vramlab.device.RecurrentLibrary.Memory;
import io.vramlab.device.RecurrentLibrary.Sizes;
import io.vramlab.device.RecurrentShape;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;

/** One call of a recurrent network by the device's library, whose memory the caller takes. */
final class RecurrentByLibrary {

    private final RecurrentLibrary library;
    private final RecurrentShape shape;
    private final RecurrentWeights weights;
    private final boolean training;
    private final Sizes sizes;

    private RecurrentByLibrary(RecurrentLibrary library, RecurrentShape shape, RecurrentWeights weights,
            boolean training) {
        this.library = library;
        this.shape = shape;
        this.weights = weights;
        this.training = training;
        this.sizes = library.sizes(shape, training);
    }

    /** Null where the device has no library that computes it. */
    static RecurrentByLibrary of(Recurrent.Settings s, long[] rows, boolean packed, TensorImpl x, TensorImpl[] weights,
            RecurrentShape.Dropout dropout) {
        RecurrentLibrary library = x.driver().kernels().recurrent().orElse(null);
        if (library == null) {
            return null;
        }
        RecurrentShape shape = shape(s, x.size(-1), x.dtype(), packed, lengths(rows), dropout);
        return library.computes(shape)
                ? new RecurrentByLibrary(library, shape, RecurrentWeights.of(s, x.size(-1), weights, x.dtype()),
                        s.training())
                : null;
    }

    static RecurrentShape shape(Recurrent.Settings s, long input, DType dtype, boolean packed, int[] lengths,
            RecurrentShape.Dropout dropout) {
        RecurrentShape.Kind kind = switch (s.kind()) {
            case LSTM -> RecurrentShape.Kind.LSTM;
            case GRU -> RecurrentShape.Kind.GRU;
            case RNN_TANH -> RecurrentShape.Kind.RNN_TANH;
            case RNN_RELU -> RecurrentShape.Kind.RNN_RELU;
        };
        return new RecurrentShape(kind, dtype, s.layers(), s.bidirectional(), Math.toIntExact(input),
                Math.toIntExact(s.hidden()), Math.toIntExact(s.projection()), packed, lengths, dropout);
    }

    /** Of each sequence, from how many there are at each time. */
    private static int[] lengths(long[] rows) {
        int[] lengths = new int[rows.length == 0 ? 0 : Math.toIntExact(rows[0])];
        for (long now : rows) {
            for (int i = 0; i < now; i++) {
                lengths[i]++;
            }
        }
        return lengths;
    }

    Sizes sizes() {
        return sizes;
    }

    long backwardWorkspace() {
        return library.backwardWorkspace(shape);
    }

    RecurrentWeights weights() {
        return weights;
    }

    private static long address(TensorImpl a) {
        return a == null ? 0 : a.operand().address();
    }

    /** Of x, y, hx, hy, cx, cy. */
    private static Data data(long weights, TensorImpl... a) {
        return new Data(weights, address(a[0]), address(a[1]), address(a[2]), address(a[3]), address(a[4]),
                address(a[5]));
    }

    void forward(TensorImpl[] w, long workspace, TensorImpl reserve, TensorImpl x, TensorImpl y, TensorImpl hx,
            TensorImpl hy, TensorImpl cx, TensorImpl cy) {
        try (Temps t = new Temps()) {
            library.forward(shape, training, data(weights.address(t, w), x, y, hx, hy, cx, cy),
                    new Memory(workspace, address(reserve), sizes), x.stream());
        }
    }

    private Memory memory(long workspace, long bytes, TensorImpl reserve) {
        return new Memory(workspace, address(reserve), new Sizes(bytes, sizes.reserve()));
    }

    /** Gradients of x, hx and cx (null where there are none) from those of y, hy and cy. */
    void backwardData(TensorImpl[] w, long workspace, long bytes, TensorImpl reserve, TensorImpl y, TensorImpl hx,
            TensorImpl cx, TensorImpl[] given, TensorImpl[] found) {
        try (Temps t = new Temps()) {
            library.backwardData(shape, data(weights.address(t, w), null, y, hx, null, cx, null),
                    data(0, found[0], given[0], found[1], given[1], found[2], given.length > 2 ? given[2] : null),
                    memory(workspace, bytes, reserve), y.stream());
        }
    }

    void backwardWeights(TensorImpl block, long workspace, long bytes, TensorImpl reserve, TensorImpl x, TensorImpl y,
            TensorImpl hx) {
        library.backwardWeights(shape, data(0, x, y, hx, null, null, null), block.operand().address(),
                memory(workspace, bytes, reserve), y.stream());
    }
}

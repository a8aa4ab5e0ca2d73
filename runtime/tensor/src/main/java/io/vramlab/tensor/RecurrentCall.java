package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.DriverStep;
import io.vramlab.device.RecurrentLibrary;
import io.vramlab.device.RecurrentShape;
import io.vramlab.footprint.Footprint;
import io.vramlab.footprint.RecurrentMemory;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.SavedTensor;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.core.VendorLibraries;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.List;

/**
 * One call of a recurrent network on a GPU: what PyTorch's _cudnn_rnn takes, forward and backward, in its order (RNN.cpp).
 */
final class RecurrentCall {

    private static final int FIXED = 3;

    private final Recurrent.Settings s;
    private final long[] sizes;
    private final boolean packed;
    private final long batch;
    private final long input;
    private Tensor[] masks;
    private RecurrentShape.Dropout dropout;
    private RecurrentByLibrary library;

    private RecurrentCall(Recurrent.Settings s, long[] sizes, TensorImpl x) {
        this.s = s;
        this.packed = sizes != null;
        this.sizes = packed
                ? sizes
                : Recurrent.uniform(x.shape()[s.batchFirst() ? 1 : 0], x.shape()[s.batchFirst() ? 0 : 1]);
        this.batch = this.sizes[0];
        this.input = x.size(-1);
    }

    static TensorImpl[] of(Recurrent.Settings s, long[] sizes, TensorImpl x, TensorImpl hidden, TensorImpl cells,
            TensorImpl[] weights) {
        checkContiguous("hx", hidden);
        checkContiguous("cx", cells);
        RecurrentCall call = new RecurrentCall(s, sizes, x);
        try (Temps t = new Temps()) {
            if (s.drops()) {
                call.dropout = RecurrentDropout.of(x, s.dropout());
            }
            // also where bfloat16 is asked for (PyTorch's AutocastRNN.cpp)
            DType lower = AutocastMode.dtype() == null ? null : DType.FLOAT16;
            if (lower == null || weights[0].dtype() == lower) {
                return call.forward(x, hidden, cells, weights);
            }
            TensorImpl[] low = call.lowered(t, weights, lower);
            TensorImpl c = cells == null ? null : t.own(Copies.to(cells, cells.device(), lower));
            TensorImpl h = t.own(Copies.to(hidden, hidden.device(), lower));
            TensorImpl in = t.own(Copies.to(x, x.device(), lower));
            return call.forward(in, h, c, low);
        }
    }

    private static void checkContiguous(String name, TensorImpl state) {
        if (state != null && !state.isContiguous()) {
            throw new TensorException("A recurrent network was called with " + name + " " + state.describe()
                    + " whose elements do not lie one after another: rnn: " + name
                    + " is not contiguous. Call contiguous() on it.");
        }
    }

    /** Copies of the weights in one block of lower precision, each tied to its weight. */
    private TensorImpl[] lowered(Temps t, TensorImpl[] weights, DType lower) {
        RecurrentWeights places = RecurrentWeights.of(s, input, weights, lower);
        TensorImpl[] low = places.parts(t.own(places.block(weights[0], lower)), weights);
        for (int i = 0; i < low.length; i++) {
            t.own(low[i]);
            Copies.fill(low[i], weights[i]);
            if (Graph.wanted(weights[i])) {
                DType was = weights[i].dtype();
                Graph.recordUnary("ToCopyBackward0", low[i], weights[i],
                        (n, g) -> Copies.to(g, g.device(), was));
            }
        }
        return low;
    }

    /** The library's, or the rule's. */
    private RecurrentLibrary.Sizes sizes(DType dtype) {
        if (library != null) {
            return library.sizes();
        }
        RecurrentMemory rule = rule(dtype);
        return new RecurrentLibrary.Sizes(rule.workspace(), rule.reserve());
    }

    private long backwardWorkspace(TensorImpl x) {
        return library != null ? library.backwardWorkspace() : rule(x.dtype()).backwardWorkspace();
    }

    private RecurrentMemory rule(DType dtype) {
        long rows = Arrays.stream(sizes).sum();
        return new RecurrentMemory(s.family(), dtype, s.training(), packed, sizes.length, batch, rows, input,
                s.hidden(), s.layers(), s.directions(), s.bias(), s.projection(), s.drops());
    }

    /** The times first; held by the caller. */
    private TensorImpl timesFirst(TensorImpl a) {
        if (packed || !s.batchFirst()) {
            return MemoryOrder.laid(a, false);
        }
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            return Copies.contiguous(t.own(Views.transpose(a, 0, 1)));
        }
    }

    private static TensorImpl batchFirst(TensorImpl a) {
        try (GradMode.State off = GradMode.enter(false); Temps t = new Temps()) {
            TensorImpl view = t.own(Views.transpose(a, 0, 1));
            return view.alias();
        }
    }

    private TensorImpl[] forward(TensorImpl x, TensorImpl hidden, TensorImpl cells, TensorImpl[] weights) {
        library = RecurrentByLibrary.of(s, sizes, packed, x, weights, dropout);
        RecurrentLibrary.Sizes memory = sizes(x.dtype());
        TensorImpl[] inputs = inputs(x, hidden, cells, weights);
        boolean wanted = Graph.wanted(inputs);
        try (Temps t = new Temps()) {
            TensorImpl in = timesFirst(x);
            t.own(in);
            long width = s.output() * s.directions();
            TensorImpl out = t.own(packed
                    ? TensorImpl.empty(x.device(), x.dtype(), x.shape()[0], width)
                    : TensorImpl.empty(x.device(), x.dtype(), sizes.length, batch, width));
            TensorImpl h = t.own(TensorImpl.empty(x.device(), x.dtype(), hidden.shape()));
            TensorImpl c = cells == null
                    ? null
                    : t.own(TensorImpl.empty(x.device(), x.dtype(), cells.shape()));
            TensorImpl[] kept = new TensorImpl[1];
            Scratch.during(x.device(), memory.workspace(), workspace -> {
                kept[0] = s.training() ? t.own(TensorImpl.empty(x.device(), DType.UINT8, memory.reserve())) : null;
                VendorLibraries.networks(x);
                x.driver().step(DriverStep.STACK);
                if (library != null) {
                    library.forward(weights, workspace, kept[0], in, out, hidden, h, cells, c);
                } else {
                    if (x.driver().kernels().computes()) {
                        masks = Recurrent.masks(s, Arrays.stream(sizes).sum(), x.dtype());
                    }
                    HostFunction.forward(inputs(in, hidden, cells, weights), results(out, h, c), this::formula);
                }
            });
            TensorImpl reserve = kept[0];
            t.free(in);
            TensorImpl seen = packed || !s.batchFirst() ? out : t.own(batchFirst(out));
            TensorImpl[] results = c == null ? new TensorImpl[]{seen, h} : new TensorImpl[]{seen, h, c};
            if (wanted) {
                if (!s.training()) {
                    throw new TensorException("A recurrent network in evaluation was asked for results with gradients: "
                            + "cudnn RNN backward can only be called in training mode. Call train(), or run it under "
                            + "NoGrad.");
                }
                Node node = Graph.recordSeveral("CudnnRnnBackward0", results, this::backward, inputs);
                SavedTensor[] saved = new SavedTensor[FIXED + 2 + weights.length];
                saved[0] = Graph.inputIf(cells != null, node, cells);
                saved[1] = Graph.input(node, hidden);
                saved[2] = Graph.input(node, x);
                saved[FIXED] = Graph.result(node, out);
                saved[FIXED + 1] = Graph.input(node, reserve);
                for (int i = 0; i < weights.length; i++) {
                    saved[FIXED + 2 + i] = Graph.input(node, weights[i]);
                }
                node.save(saved);
            }
            return t.give(results);
        }
    }

    private static TensorImpl[] inputs(TensorImpl x, TensorImpl hidden, TensorImpl cells, TensorImpl[] weights) {
        TensorImpl[] all = new TensorImpl[weights.length + FIXED];
        all[0] = x;
        all[1] = hidden;
        all[2] = cells;
        System.arraycopy(weights, 0, all, FIXED, weights.length);
        return all;
    }

    private static TensorImpl[] results(TensorImpl out, TensorImpl h, TensorImpl c) {
        return c == null ? new TensorImpl[]{out, h} : new TensorImpl[]{out, h, c};
    }

    private Tensor[] formula(Tensor[] a) {
        Tensor rows = packed ? a[0] : a[0].reshape(-1, input);
        Tensor[] made = new RecurrentFormulas(s, sizes, masks).of(rows, a[1], a[2],
                Arrays.copyOfRange(a, FIXED, a.length));
        if (!packed) {
            made[0] = made[0].view(sizes.length, batch, s.output() * s.directions());
        }
        return made;
    }

    private static TensorImpl zeros(DType dtype, TensorImpl like, long... shape) {
        return Factories.full(like.device(), dtype, 0, shape);
    }

    private TensorImpl[] backward(Node n, TensorImpl[] grads) {
        TensorImpl cells = n.saved(0);
        TensorImpl hidden = n.saved(1);
        TensorImpl x = n.saved(2);
        TensorImpl out = n.saved(FIXED);
        TensorImpl[] weights = new TensorImpl[n.next().length - FIXED];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = n.saved(FIXED + 2 + i);
        }
        TensorImpl[] found = new TensorImpl[n.next().length];
        try (Temps kept = new Temps()) {
            try (Temps t = new Temps()) {
                TensorImpl gradOut = grads[0] != null
                        ? grads[0]
                        : t.own(zeros(x.dtype(), x, n.form(0).shape()));
                TensorImpl gradHidden = grads[1] != null ? grads[1] : t.own(zeros(x.dtype(), x, hidden.shape()));
                TensorImpl gradCells = null;
                if (cells != null) {
                    gradCells = grads[2] != null ? grads[2] : t.own(zeros(x.dtype(), x, cells.shape()));
                }
                TensorImpl[] given = results(gradOut, gradHidden, gradCells);
                TensorImpl reserve = n.saved(FIXED + 1);
                inputGradients(kept, found, x, hidden, cells, given, out, reserve, weights);
                if (wantsWeights(n)) {
                    weightGradients(kept, found, x, hidden, out, reserve, weights);
                }
                compute(n, found, x, hidden, cells, weights, given);
            }
            TensorImpl[] results = new TensorImpl[found.length];
            for (int i = 0; i < found.length; i++) {
                if (found[i] != null && n.wants(i)) {
                    results[i] = i == 0 && !packed && s.batchFirst() ? batchFirst(found[0]) : found[i].retain();
                }
            }
            for (int i = 1; i < FIXED; i++) {
                // PyTorch's engine drops what nobody wants in this order, before the saved tensors
                if (found[i] != null) {
                    kept.free(found[i]);
                }
            }
            return results;
        }
    }

    private static boolean wantsWeights(Node n) {
        for (int i = FIXED; i < n.next().length; i++) {
            if (n.wants(i)) {
                return true;
            }
        }
        return false;
    }

    private void inputGradients(Temps kept, TensorImpl[] found, TensorImpl x, TensorImpl hidden, TensorImpl cells,
            TensorImpl[] given, TensorImpl out, TensorImpl reserve, TensorImpl[] weights) {
        try (Temps t = new Temps()) {
            TensorImpl in = t.own(timesFirst(x));
            TensorImpl[] laid = given.clone();
            laid[0] = t.own(timesFirst(given[0]));
            found[0] = kept.own(TensorImpl.empty(x.device(), x.dtype(), in.shape()));
            for (int i = 1; i < given.length; i++) {
                laid[i] = t.own(Copies.contiguous(given[i]));
            }
            found[1] = kept.own(TensorImpl.empty(x.device(), x.dtype(), hidden.shape()));
            if (cells != null) {
                found[2] = kept.own(TensorImpl.empty(x.device(), x.dtype(), cells.shape()));
            }
            long bytes = backwardWorkspace(x);
            VendorLibraries.networks(x);
            Scratch.during(x.device(), bytes, workspace -> {
                if (library != null) {
                    library.backwardData(weights, workspace, bytes, reserve, out, hidden, cells, laid, found);
                }
            });
        }
    }

    private void weightGradients(Temps kept, TensorImpl[] found, TensorImpl x, TensorImpl hidden, TensorImpl out,
            TensorImpl reserve, TensorImpl[] weights) {
        try (Temps t = new Temps()) {
            TensorImpl in = t.own(timesFirst(x));
            RecurrentWeights places = RecurrentWeights.of(s, input, weights, x.dtype());
            TensorImpl block = t.own(places.block(x, x.dtype()));
            long bytes = backwardWorkspace(x);
            Scratch.during(x.device(), bytes, workspace -> {
                if (library != null) {
                    library.backwardWeights(block, workspace, bytes, reserve, in, out, hidden);
                }
                TensorImpl[] parts = places.parts(block, weights);
                for (int i = 0; i < parts.length; i++) {
                    // without biases the gradients do not fill the block, and are copied out of it
                    found[FIXED + i] = kept.own(s.bias() ? parts[i] : copied(t.own(parts[i])));
                }
            });
        }
    }

    private TensorImpl copied(TensorImpl part) {
        TensorImpl copy = TensorImpl.empty(part.device(), part.dtype(), part.shape());
        return library == null ? copy : Copies.fill(copy, part);
    }

    private void compute(Node n, TensorImpl[] found, TensorImpl x, TensorImpl hidden, TensorImpl cells,
            TensorImpl[] weights, TensorImpl[] given) {
        if (library != null || !x.driver().kernels().computes()) {
            return;
        }
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            boolean turned = !packed && s.batchFirst();
            TensorImpl in = turned ? t.own(Views.transpose(x, 0, 1)) : x;
            TensorImpl[] grads = given.clone();
            grads[0] = turned ? t.own(Views.transpose(given[0], 0, 1)) : given[0];
            HostFunction.backward(inputs(in, hidden, cells, weights), grads, found, this::formula);
        }
    }
}

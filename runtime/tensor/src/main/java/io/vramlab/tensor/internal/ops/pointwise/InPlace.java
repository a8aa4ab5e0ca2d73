package io.vramlab.tensor.internal.ops.pointwise;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.device.RandomOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.SparseSums;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Operations that write into their first argument. Each raises the storage's version, by which a node whose saved tensor
 * was overwritten notices.
 */
public final class InPlace {

    private InPlace() {
    }

    /**
     * Writes into {@code a} and, when the graph is recorded, makes {@code a} the result of the new node.
     *
     * @param node
     *            records the operation as if {@code a} were its fresh result
     */
    public static void change(TensorImpl a, TensorImpl other, Runnable write, Supplier<Node> node) {
        Graph.checkInPlace(a);
        boolean graph = other == null ? Graph.wanted(a) : Graph.wanted(a, other);
        Node recorded = graph ? node.get() : null;
        write(a, recorded, write);
        if (recorded != null) {
            Graph.rebase(a, recorded);
        }
    }

    private static void write(TensorImpl a, Node recorded, Runnable write) {
        try {
            write.run();
        } catch (RuntimeException e) {
            if (recorded != null) {
                recorded.release();
            }
            throw e;
        }
        a.bumpVersion();
    }

    static void requireBroadcast(TensorImpl a, TensorImpl b, String what) {
        long[] shape = Shape.broadcast(a.shape(), b.shape(), what);
        if (!Arrays.equals(shape, a.shape())) {
            throw new TensorException(what + " was asked in place of a tensor of shape " + Shape.text(a.shape())
                    + ", but the result has shape " + Shape.text(shape) + ": use the out-of-place form.");
        }
        Launch.device(what, a, b);
        if (Promotion.of(a, b).isFloatingPoint() && !a.dtype().isFloatingPoint()) {
            throw new TensorException("result type " + Promotion.of(a, b) + " can't be cast to the desired output type "
                    + a.dtype() + ": use the out-of-place form.");
        }
    }

    /** The value that is about to be overwritten: PyTorch too keeps a copy where a gradient needs it. */
    private static TensorImpl copy(TensorImpl a) {
        return Copies.clone(a);
    }

    private static Node node(String name, Graph.Formula formula, TensorImpl... inputs) {
        return Graph.unbound(name, formula, inputs);
    }

    public static void add(TensorImpl a, TensorImpl b, double alpha) {
        if (a.isSparse() || b.isSparse()) {
            Graph.checkInPlace(a);
            SparseSums.addInto(a, b, alpha);
            return;
        }
        requireBroadcast(a, b, alpha < 0 ? "sub_" : "add_");
        change(a, b, () -> Launch.into(ElementOp.ADD, new double[]{alpha}, a, a, b),
                () -> node(alpha < 0 ? "SubBackward0" : "AddBackward0",
                        (n, g) -> new TensorImpl[]{n.wants(0) ? g.retain() : null,
                                n.wants(1) ? alpha == 1 ? g.retain() : Elementwise.mul(g, alpha, false) : null},
                        a, b));
    }

    public static void add(TensorImpl a, double value) {
        change(a, null, () -> Launch.into(ElementOp.ADD_SCALAR, new double[]{value}, a, a),
                () -> node("AddBackward0", (n, g) -> new TensorImpl[]{g.retain()}, a));
    }

    public static void mul(TensorImpl a, TensorImpl b) {
        requireBroadcast(a, b, "mul_");
        change(a, b, () -> Launch.into(ElementOp.MUL, Launch.NONE, a, a, b), () -> {
            Node made = node("MulBackward0", (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl other = n.wants(1) ? t.own(Elementwise.mul(g, n.saved(0))) : null;
                    TensorImpl self = n.wants(0) ? t.own(Elementwise.mul(g, n.saved(1))) : null;
                    return t.give(self, other);
                }
            }, a, b);
            try (Temps t = new Temps()) {
                TensorImpl old = made.wants(1) ? t.own(copy(a)) : null;
                made.save(old == null ? null : Graph.input(made, old), Graph.inputIf(made.wants(0), made, b));
            }
            return made;
        });
    }

    public static void mul(TensorImpl a, double value) {
        if (a.isSparse()) {
            SparseSums.scale(a, value);
            return;
        }
        change(a, null, () -> Launch.into(ElementOp.MUL_SCALAR, new double[]{value}, a, a),
                () -> node("MulBackward0", (n, g) -> new TensorImpl[]{Elementwise.mul(g, value, false)}, a));
    }

    public static void div(TensorImpl a, TensorImpl b) {
        requireBroadcast(a, b, "div_");
        change(a, b, () -> Launch.into(ElementOp.DIV, Launch.NONE, a, a, b), () -> {
            Node made = node("DivBackward0", Elementwise::divBackward, a, b);
            try (Temps t = new Temps()) {
                TensorImpl old = made.wants(1) ? t.own(copy(a)) : null;
                made.save(old == null ? null : Graph.input(made, old), Graph.input(made, b));
            }
            return made;
        });
    }

    public static void div(TensorImpl a, double value) {
        change(a, null, () -> Launch.into(ElementOp.DIV_SCALAR, new double[]{value}, a, a),
                () -> node("DivBackward0", (n, g) -> new TensorImpl[]{Elementwise.div(g, value)}, a));
    }

    /** Relu, sigmoid, tanh, exp, …: operations whose backward needs the result only. */
    public static void unary(ElementOp op, ElementOp backward, String name, TensorImpl a) {
        Graph.checkInPlace(a);
        Node recorded = Graph.wanted(a)
                ? node(name, (n, g) -> new TensorImpl[]{backward == ElementOp.MUL
                        ? Elementwise.mul(g, n.saved(0))
                        : Slopes.of(backward, g, n.saved(0))}, a)
                : null;
        write(a, recorded, () -> Launch.into(op, Launch.NONE, a, a));
        if (recorded != null) {
            Graph.rebase(a, recorded);
            recorded.save(Graph.result(recorded, a));
        }
    }

    /** PyTorch's sqrt_, whose backward needs the result only. */
    public static void sqrt(TensorImpl a) {
        Graph.checkInPlace(a);
        Node recorded = Graph.wanted(a)
                ? node("SqrtBackward0", (n, g) -> {
                    try (Temps t = new Temps()) {
                        return new TensorImpl[]{
                                Elementwise.div(g, t.own(Elementwise.mul(n.saved(0), 2, true)))};
                    }
                }, a)
                : null;
        write(a, recorded, () -> Launch.into(ElementOp.SQRT, Launch.NONE, a, a));
        if (recorded != null) {
            Graph.rebase(a, recorded);
            recorded.save(Graph.result(recorded, a));
        }
    }

    public static void fill(TensorImpl a, double value) {
        if (a.isSparse() && value == 0) {
            SparseSums.clear(a);
            return;
        }
        change(a, null, () -> Launch.into(ElementOp.FILL, new double[]{value}, a),
                () -> node(value == 0 ? "ZeroBackward0" : "FillBackward0",
                        (n, g) -> new TensorImpl[]{Factories.zerosLike(g)}, a));
    }

    public static void fillDiagonal(TensorImpl a, double value) {
        long[] sizes = a.shape();
        if (sizes.length < 2 || sizes.length > 2 && Arrays.stream(sizes).anyMatch(n -> n != sizes[0])) {
            throw new TensorException("fill_diagonal_ was asked of a tensor of shape " + Shape.text(sizes)
                    + ": dimensions must be larger than 1, and all dimensions of input must be of equal length.");
        }
        change(a, null, () -> {
            try (Temps t = new Temps()) {
                long step = Arrays.stream(a.strides()).sum();
                long least = Arrays.stream(sizes).min().orElseThrow();
                TensorImpl diagonal = t.own(a.alias(new long[]{least}, new long[]{step}, a.offset()));
                Launch.into(ElementOp.FILL, new double[]{value}, diagonal);
            }
        }, () -> node("FillDiagonalBackward0", (n, g) -> {
            TensorImpl grad = Copies.clone(g);
            fillDiagonal(grad, 0);
            return new TensorImpl[]{grad};
        }, a));
    }

    public static void copy(TensorImpl a, TensorImpl source, boolean nonBlocking) {
        Shape.broadcast(a.shape(), source.shape(), "copy_");
        change(a, source, () -> {
            if (source.device() == a.device()) {
                Launch.into(ElementOp.COPY, Launch.NONE, a, source);
            } else {
                try (Temps t = new Temps()) {
                    Copies.copyAcross(a, t.own(Views.expand(source, a.shape())), nonBlocking);
                }
            }
        }, () -> {
            Device device = source.device();
            DType dtype = source.dtype();
            return node("CopyBackwards", (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl src = n.wants(1) ? t.own(Copies.to(g, device, dtype)) : null;
                    TensorImpl self = n.wants(0) ? t.own(Factories.zerosLike(g)) : null;
                    return t.give(self, src);
                }
            }, a, source);
        });
    }

    public static void maskedFill(TensorImpl a, TensorImpl mask, double value) {
        requireBroadcast(a, mask, "maskedFill_");
        change(a, null, () -> Launch.into(ElementOp.MASKED_FILL, new double[]{value}, a, a, mask), () -> {
            Node made = node("MaskedFillBackward0",
                    (n, g) -> new TensorImpl[]{Selection.maskedFill(g, n.saved(0), 0)}, a);
            made.save(Graph.input(made, mask));
            return made;
        });
    }

    public static void clamp(TensorImpl a, double min, double max) {
        change(a, null, () -> Launch.into(ElementOp.CLAMP, new double[]{min, max}, a, a), () -> {
            Node made = node("ClampBackward1",
                    (n, g) -> new TensorImpl[]{Selection.clampBackward(n.saved(0), g, min, max)}, a);
            try (Temps t = new Temps()) {
                made.save(Graph.input(made, t.own(copy(a))));
            }
            return made;
        });
    }

    public static void random(TensorImpl a, RandomOp op, double x, double y) {
        change(a, null, () -> Factories.fillRandom(op, a, x, y),
                () -> node(op.name().charAt(0) + op.name().substring(1).toLowerCase() + "Backward0",
                        (n, g) -> new TensorImpl[]{Factories.zerosLike(g)}, a));
    }
}

package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.pointwise.Slopes;
import java.util.function.BinaryOperator;

/**
 * Activations that write over their input, {@code inplace=True}. Where PyTorch's gradient needs what was there, a copy of it is
 * kept; leaky ReLU and ELU's kin make do with the result.
 */
public final class InPlaceActivations {

    private InPlaceActivations() {
    }

    /** Keeps a copy of what was there. */
    public static void copying(String name, ElementOp forward, ElementOp backward, TensorImpl a, double... scalars) {
        Graph.checkInPlace(a);
        try (Temps t = new Temps()) {
            TensorImpl before = Graph.wanted(a) ? t.own(Copies.clone(a)) : null;
            InPlace.change(a, null, () -> Launch.into(forward, scalars, a, a), () -> {
                Node node = Graph.unbound(name, (n, g) -> new TensorImpl[]{
                        Slopes.of(backward, g, n.saved(0), scalars)}, a);
                node.save(Graph.input(node, before));
                return node;
            });
        }
    }

    /** x above 0, else slope times x; the slope is not negative. */
    public static void leakyRelu(TensorImpl a, double slope) {
        of("LeakyReluBackward1", ElementOp.LEAKY_RELU, a,
                (g, y) -> Launch.binaryAs(ElementOp.LEAKY_RELU_BACKWARD, g, y, g.dtype(), slope), slope);
    }

    /** positive x above 0, else negative (exp(x) - 1). */
    public static void elu(TensorImpl a, double negative, double positive) {
        Node node = of("EluBackward1", ElementOp.ELU, a, (g, y) -> negative == positive
                ? slope(g, y, 1, positive)
                : GradMode.isEnabled() ? recordedSlope(g, y, negative, positive) : slopeOfTwo(g, y, negative, positive),
                negative, positive);
        if (node != null && negative != positive) {
            node.differentiable();
        }
    }

    /** x above 0, else alpha (exp(x / alpha) - 1). */
    public static void celu(TensorImpl a, double alpha) {
        of("EluBackward1", ElementOp.CELU, a, (g, y) -> slope(g, y, 1 / alpha, 1), alpha);
    }

    /** Gradient times positive above 0, else times factor y + positive. */
    private static TensorImpl slope(TensorImpl g, TensorImpl y, double factor, double positive) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.emptyStrided(y.device(), y.dtype(), y.shape(), Strides.preserving(g)));
            Launch.into(ElementOp.MUL_SCALAR, new double[]{factor}, out, y);
            Launch.into(ElementOp.ADD_SCALAR, new double[]{positive}, out, out);
            Launch.into(ElementOp.CLAMP, new double[]{Double.NEGATIVE_INFINITY, positive}, out, out);
            Launch.into(ElementOp.MUL, Launch.NONE, out, out, g);
            return t.give(out);
        }
    }

    /** Gradient times positive above 0, else times y + negative. */
    private static TensorImpl slopeOfTwo(TensorImpl g, TensorImpl y, double negative, double positive) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.emptyStrided(y.device(), y.dtype(), y.shape(), Strides.preserving(g)));
            Launch.into(ElementOp.CLAMP, new double[]{Double.NEGATIVE_INFINITY, 0}, out, y);
            Launch.into(ElementOp.ADD_SCALAR, new double[]{negative}, out, out);
            Launch.into(ElementOp.MUL, Launch.NONE, out, out, g);
            // what is above 0 has negative as its factor so far
            Launch.into(ElementOp.LEAKY_RELU_BACKWARD, new double[]{negative / positive}, out, out, y);
            Launch.into(ElementOp.MUL_SCALAR, new double[]{positive / negative}, out, out);
            return t.give(out);
        }
    }

    /** The same of operations of the graph. */
    private static TensorImpl recordedSlope(TensorImpl g, TensorImpl y, double negative, double positive) {
        try (Temps t = new Temps()) {
            TensorImpl above = t.own(Elementwise.compare(ElementOp.GT_SCALAR, y, 0));
            TensorImpl factor = t.own(Elementwise.add(y, negative, false));
            return Elementwise.mul(g, t.own(Selection.where(above, positive, factor)));
        }
    }

    /** The node, or null without gradients. */
    private static Node of(String name, ElementOp op, TensorImpl a, BinaryOperator<TensorImpl> backward,
            double... scalars) {
        Node[] recorded = new Node[1];
        InPlace.change(a, null, () -> Launch.into(op, scalars, a, a), () -> recorded[0] = Graph.unbound(name,
                (n, g) -> new TensorImpl[]{backward.apply(g, n.saved(0))}, a));
        if (recorded[0] != null) {
            recorded[0].save(Graph.result(recorded[0], a));
        }
        return recorded[0];
    }
}

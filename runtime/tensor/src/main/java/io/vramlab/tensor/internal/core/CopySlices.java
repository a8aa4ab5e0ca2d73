package io.vramlab.tensor.internal.core;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.type.Shape;

/**
 * Writing in place to a view inside the graph, PyTorch's CopySlices: the tensor that the view looks into becomes the result of
 * this node. Its backward copies the incoming gradient, lets the operation's own backward have the part that the view showed,
 * and puts what comes of it in that part's place.
 */
public final class CopySlices extends Node {

    private final Node operation;
    private final long[] baseShape;
    private final long[] baseStrides;
    private final long[] shape;
    private final long[] strides;
    private final long offset;

    private CopySlices(TensorImpl view, TensorImpl base, Node operation) {
        super("CopySlices");
        this.operation = operation;
        baseShape = base.shape();
        baseStrides = base.isDense() ? base.strides() : Shape.contiguous(base.shape());
        shape = view.shape();
        strides = view.strides();
        offset = view.offset() - base.offset();
    }

    /** The base becomes the result of a change to its view; takes over the hold on {@code operation}. */
    static void tie(TensorImpl view, TensorImpl base, Node operation) {
        CopySlices node = new CopySlices(view, base, operation);
        Edge[] theirs = operation.next();
        Edge[] edges = new Edge[theirs.length];
        edges[0] = Graph.edge(base);
        for (int i = 1; i < theirs.length; i++) {
            if (theirs[i] != null) {
                theirs[i].node().retain();
                edges[i] = theirs[i];
            }
        }
        node.next(edges);
        node.addResult(base);
        base.gradFn(node, 0);
        base.rebased();
        lookAgain(view, base);
        view.sawBase();
    }

    /** A view's place in the graph after its base's began anew: the part of the base that it shows. */
    static void lookAgain(TensorImpl view, TensorImpl base) {
        if (base.gradFn() == null) {
            return;
        }
        long[] baseShape = base.shape();
        long[] baseStrides = base.isDense() ? base.strides() : Shape.contiguous(baseShape);
        long[] shape = view.shape();
        long[] strides = view.strides();
        long offset = view.offset() - base.offset();
        try (GradMode.State on = GradMode.enter(true)) {
            Graph.recordUnary("AsStridedBackward0", view, base, (n, g) -> {
                TensorImpl whole = TensorImpl.emptyStrided(g.device(), g.dtype(), baseShape, baseStrides);
                Launch.run(ElementOp.FILL, new double[]{0}, whole);
                return into(whole, g, shape, strides, offset);
            });
        }
    }

    private static TensorImpl into(TensorImpl whole, TensorImpl part, long[] shape, long[] strides, long offset) {
        try (Temps t = new Temps()) {
            t.own(whole);
            Launch.into(ElementOp.COPY, Launch.NONE, t.own(whole.alias(shape, strides, offset)), part);
            return t.give(whole);
        }
    }

    @Override
    public TensorImpl[] apply(TensorImpl[] grads) {
        TensorImpl g = grads[0];
        TensorImpl[] out = new TensorImpl[next().length];
        if (g == null) {
            return out;
        }
        try (Temps t = new Temps()) {
            TensorImpl whole = t.own(TensorImpl.emptyStrided(g.device(), g.dtype(), baseShape, baseStrides));
            Launch.into(ElementOp.COPY, Launch.NONE, whole, g);
            TensorImpl part = t.own(whole.alias(shape, strides, offset));
            TensorImpl[] results;
            try (Temps own = new Temps()) {
                TensorImpl copy = own.own(Launch.unary(ElementOp.COPY, part, part.dtype()));
                results = operation.apply(new TensorImpl[]{copy});
            }
            operation.endUse();
            for (TensorImpl r : results) {
                if (r != null) {
                    t.own(r);
                }
            }
            if (results[0] != null) {
                Launch.into(ElementOp.COPY, Launch.NONE, part, results[0]);
                t.free(results[0]);
            }
            for (int i = 1; i < results.length; i++) {
                out[i] = t.give(results[i]);
            }
            out[0] = wants(0) ? t.give(whole) : null;
            return out;
        }
    }

    @Override
    public boolean touchesGraph(TensorImpl... grads) {
        return super.touchesGraph(grads) || operation.touchesGraph(grads);
    }

    @Override
    public void releaseSaved() {
        operation.releaseSaved();
        super.releaseSaved();
    }

    @Override
    protected void dispose() {
        operation.release();
    }
}

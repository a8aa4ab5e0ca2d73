package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.engine.BackwardEngine;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.AutogradException;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A {@link Tensor}'s place in the graph: whether gradients reach it, which it has, and backward. Nodes of the graph
 * hold what they need of the forward pass; {@link #backward()} lets it go node by node.
 */
abstract sealed class GradientMethods extends SparseMethods permits Tensor {

    /** {@return whether backward passes through it or accumulates into it} As {@code torch.Tensor.requires_grad}. */
    public boolean requiresGrad() {
        return read(TensorImpl::saysRequiresGrad);
    }

    /**
     * Makes this leaf one that backward accumulates into, or not; returns this. As {@code torch.Tensor.requires_grad_}.
     *
     * @param wanted
     *            false for a frozen parameter
     * @return this tensor
     * @throws AutogradException
     *             of whole numbers; with false, for what an operation made
     */
    public Tensor requiresGrad_(boolean wanted) {
        return change(a -> a.requiresGrad(wanted));
    }

    /** {@return true when no recorded operation made it} As {@code torch.Tensor.is_leaf}. */
    public boolean isLeaf() {
        return read(TensorImpl::isLeaf);
    }

    /**
     * {@return name of the node that made it, as {@code AddBackward0}; null of a leaf} As {@code torch.Tensor.grad_fn}.
     */
    public String gradFn() {
        return read(a -> a.gradFn() == null ? null : a.gradFn().name());
    }

    /**
     * {@return a new handle on the accumulated gradient, to be closed as any; null if there is none} As
     * {@code torch.Tensor.grad}.
     */
    public Tensor grad() {
        return read(a -> a.grad() == null ? null : Tensor.wrap(a.grad().retain()));
    }

    /**
     * Replaces the gradient; null drops it.
     *
     * @param gradient
     *            of this shape, dtype and device; null lets the memory of the old one go
     */
    public void grad(Tensor gradient) {
        change(a -> a.grad(gradient == null ? null : gradient.impl().retain()));
    }

    /**
     * The same memory outside the graph. As {@code torch.Tensor.detach}.
     *
     * @return a view outside the graph
     */
    public Tensor detach() {
        return map(Views::detach);
    }

    /**
     * The same memory outside the graph, as {@link #detach} gives it, but for this: what is written through it is not noticed by
     * graphs that saved it, so that their backward reads the new values. As {@code torch.Tensor.data}; to put another tensor in
     * its place, {@link #setData}.
     *
     * @return a new tensor without a gradient, on this tensor's memory
     */
    public Tensor data() {
        return map(TensorImpl::data);
    }

    /**
     * Takes another tensor's memory and form, as assigning x.data; graph and gradient stay. As
     * {@code torch.Tensor.data}.
     *
     * @param other
     *            whose memory, shape and dtype this gets
     */
    public void setData(Tensor other) {
        changeBy(other, TensorImpl::setData);
    }

    /**
     * Calls the hook with each gradient that arrives here; what it returns, if not null, takes the gradient's place. As
     * {@code torch.Tensor.register_hook}.
     *
     * @param hook
     *            is given each gradient, to look at or to replace; null changes nothing
     * @throws AutogradException
     *             if this requires no gradient
     */
    public void registerHook(UnaryOperator<Tensor> hook) {
        change(a -> Graph.hook(a, gradient -> {
            Tensor seen = Tensor.wrap(gradient.retain());
            Tensor replaced = null;
            try {
                Lifetimes.fresh(seen);
                Lifetimes.hold(seen);
                Lifetimes.calling(hook, Lifetimes.ANY);
                replaced = hook.apply(seen);
                return replaced == null || replaced == seen ? null : replaced.impl().retain();
            } finally {
                Lifetimes.unhold(seen);
                Lifetimes.done(replaced);
                Lifetimes.done(seen);
            }
        }));
    }

    /**
     * Accumulates the gradients of this scalar into the leaves. As {@code torch.Tensor.backward}.
     *
     * @throws AutogradException
     *             if it requires no gradient, is no scalar, or the graph was walked already
     */
    public void backward() {
        backward(null, false);
    }

    /**
     * Accumulates the gradients of this scalar into the leaves; the graph may be walked again if it is retained. As
     * {@code torch.Tensor.backward}.
     *
     * @param retainGraph
     *            whether what nodes keep stays for another pass; false by default
     * @throws AutogradException
     *             if it requires no gradient, is no scalar, or the graph was walked already
     */
    public void backward(boolean retainGraph) {
        backward(null, retainGraph);
    }

    /**
     * Accumulates gradients into the leaves, from that incoming gradient. As {@code torch.Tensor.backward}.
     *
     * @param gradient
     *            of this shape; null means one, for a scalar
     * @throws AutogradException
     *             if it requires no gradient, the shapes differ, or the graph was walked already
     */
    public void backward(Tensor gradient) {
        backward(gradient, false);
    }

    /**
     * Accumulates gradients into the leaves, from that incoming gradient; null means one, for a scalar. As
     * {@code torch.Tensor.backward}.
     *
     * @param gradient
     *            of this shape; null means one, for a scalar
     * @param retainGraph
     *            whether what nodes keep stays for another pass; false by default
     * @throws AutogradException
     *             if it requires no gradient, the shapes differ, or the graph was walked already
     */
    public void backward(Tensor gradient, boolean retainGraph) {
        backward(gradient, retainGraph, false);
    }

    /**
     * Accumulates gradients into the leaves, which with {@code createGraph} are part of the graph themselves. As
     * {@code torch.Tensor.backward}.
     *
     * <p>
     * Such a gradient holds the graph, and the graph its leaf, which holds the gradient: nothing of it goes before {@code grad} is
     * set to null. PyTorch warns of the same; {@link io.vramlab.autograd.Autograd#grad(Tensor, boolean, Tensor...)} has no such
     * circle.
     *
     * @param gradient
     *            of this shape; null means one, for a scalar
     * @param retainGraph
     *            whether what nodes keep stays for another pass; PyTorch's default is createGraph
     * @param createGraph
     *            whether the gradients can be differentiated again; false by default
     * @throws AutogradException
     *             if it requires no gradient, the shapes differ, the graph was walked already, or with createGraph an operation
     *             on the way has no second derivative here
     */
    public void backward(Tensor gradient, boolean retainGraph, boolean createGraph) {
        change(a -> BackwardEngine.run(List.of(a), Arrays.asList(gradient == null ? null : gradient.impl()),
                retainGraph, createGraph, List.of()));
        Reference.reachabilityFence(gradient);
    }
}

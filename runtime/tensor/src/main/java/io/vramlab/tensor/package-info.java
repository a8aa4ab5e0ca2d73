/**
 * Tensors whose memory is PyTorch's to the byte.
 *
 * <p>
 * Three layers, each counted, none leaning on the garbage collector:
 * <ol>
 * <li>{@link io.vramlab.tensor.internal.core.Storage}: a piece of device memory. The last holder to let go frees it, at once.</li>
 * <li>{@link io.vramlab.tensor.internal.core.TensorImpl}: a strided array over a storage, with its place in the graph. Held by handles,
 * by the nodes that saved it for backward, and as a gradient.</li>
 * <li>{@link io.vramlab.tensor.Tensor}: the user's handle on one. Closed by hand, by a
 * {@link io.vramlab.tensor.Scope}, by a {@link io.vramlab.tensor.Ref} that is rebound, or, failing all these, when the
 * collector finds it, which is counted apart (see {@link io.vramlab.tensor.LiveTensors}).</li>
 * </ol>
 *
 * <p>
 * An operation allocates what PyTorch's allocates, in that order, temporaries and scratch included, then starts the
 * device's kernels, then, if an argument is part of the graph, records a {@link io.vramlab.tensor.internal.core.Node} with what its
 * backward needs. Operations are grouped in families ({@code Elementwise}, {@code Pointwise}, {@code Reductions},
 * {@code MatrixOps}, {@code Views}, …), forward and backward side by side, and {@code Tensor} delegates to them in one
 * line each.
 *
 * <p>
 * Values come back to the host in two ways. One or a few elements ({@code item}, {@code get}, {@code toString}) are
 * copied straight from where they lie and take no device memory, so that looking changes nothing; whole arrays
 * ({@code toArray}, {@code toFloatArray}) first make a strided tensor contiguous on its device, as PyTorch's do.
 *
 * <p>
 * Backward is PyTorch's engine: {@link io.vramlab.tensor.internal.engine.BackwardEngine} walks the nodes. Three things about it decide how
 * much memory a training step takes, and are PyTorch's to the byte: saved tensors are let go right after their node has run,
 * a gradient that nobody else holds becomes the leaf's gradient without a copy, and gradients that meet are summed in place
 * where nobody could notice.
 *
 * <p>
 * Gradient mode is a property of the thread; formulas of backward run with it off and are written in the same
 * operations.
 */
package io.vramlab.tensor;

/**
 * What every operation stands on: a {@link io.vramlab.tensor.internal.core.TensorImpl}, which is a strided array over a counted
 * {@link io.vramlab.tensor.internal.core.Storage}; how results are allocated and kernels started
 * ({@link io.vramlab.tensor.internal.core.Launch}); and the graph that is recorded on the way
 * ({@link io.vramlab.tensor.internal.core.Graph}, {@link io.vramlab.tensor.internal.core.Node}).
 *
 * <p>
 * Knows nothing of {@link io.vramlab.tensor.Tensor}, the handle that programs hold: what is passed here is counted by
 * whoever passes it. A method that returns a {@code TensorImpl} returns a hold, which the caller must release, unless it
 * says that it borrows. {@link io.vramlab.tensor.internal.core.Temps} lets go of intermediate results in the order in which C++
 * would, which is what PyTorch's figures hang on.
 */
package io.vramlab.tensor.internal.core;

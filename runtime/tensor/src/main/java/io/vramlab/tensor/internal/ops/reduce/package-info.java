/**
 * What folds many elements into one: sums, means, extremes, norms, softmax. Begin at
 * {@link io.vramlab.tensor.internal.ops.reduce.Reductions}. The scratch memory of PyTorch's reductions is a rule of
 * {@link io.vramlab.footprint}.
 */
package io.vramlab.tensor.internal.ops.reduce;

/**
 * Operations on lists of tensors in one launch, as optimizers use them. Begin at
 * {@link io.vramlab.tensor.internal.ops.train.Foreach}.
 */
package io.vramlab.tensor.internal.ops.train;

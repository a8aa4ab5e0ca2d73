/**
 * Losses as PyTorch composes them: which temporaries exist, and when, follows its implementation on CUDA. Begin at
 * {@link io.vramlab.tensor.internal.ops.loss.Losses}.
 */
package io.vramlab.tensor.internal.ops.loss;

/**
 * Scaled dot-product attention: PyTorch's choice among its kernels, and what each takes forward and backward. Begin at
 * {@link io.vramlab.tensor.internal.ops.attention.Attention}.
 */
package io.vramlab.tensor.internal.ops.attention;

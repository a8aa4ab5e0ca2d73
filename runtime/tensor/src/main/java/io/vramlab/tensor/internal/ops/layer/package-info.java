/**
 * What layers do to rows and channels: activations with a kernel of their own, norms, embeddings. Begin at
 * {@link io.vramlab.tensor.internal.ops.layer.Normalization}.
 */
package io.vramlab.tensor.internal.ops.layer;

/**
 * Products of vectors, matrices and batches of them, and what is composed of products: distances, angles, Einstein's
 * notation. Begin at {@link io.vramlab.tensor.internal.ops.matrix.MatrixOps};
 * {@link io.vramlab.tensor.internal.ops.matrix.Workspaces} are what PyTorch hands to cuBLAS.
 */
package io.vramlab.tensor.internal.ops.matrix;

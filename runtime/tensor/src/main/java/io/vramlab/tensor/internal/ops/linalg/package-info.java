/** Factors, solutions and norms of matrices: computed on the host in double, with the memory that PyTorch's libraries take on a GPU. */
package io.vramlab.tensor.internal.ops.linalg;

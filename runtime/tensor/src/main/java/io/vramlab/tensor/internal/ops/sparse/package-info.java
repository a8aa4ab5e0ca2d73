/**
 * Tensors of few rows: merged, made dense, looked up. Sums of them are in {@link io.vramlab.tensor.internal.core.SparseSums},
 * since gradients meet there.
 */
package io.vramlab.tensor.internal.ops.sparse;

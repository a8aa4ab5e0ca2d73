/**
 * Running sums and products, deviations, products of all elements, comparisons of whole tensors. Begin at
 * {@link io.vramlab.tensor.internal.ops.statistics.Statistics}.
 */
package io.vramlab.tensor.internal.ops.statistics;

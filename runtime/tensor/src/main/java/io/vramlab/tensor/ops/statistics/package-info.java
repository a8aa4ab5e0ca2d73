/**
 * Running sums and products, deviations, products of all elements, comparisons of whole tensors. Begin at
 * {@link io.vramlab.tensor.ops.statistics.Statistics}.
 */
package io.vramlab.tensor.ops.statistics;

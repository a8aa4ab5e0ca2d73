/**
 * Elements by index: Python's brackets, gather and scatter, masks, sorting. Begin at
 * {@link io.vramlab.tensor.internal.ops.index.Indexing} for {@code a[...]} and at {@link io.vramlab.tensor.internal.ops.index.Scatters} for
 * the rest.
 */
package io.vramlab.tensor.internal.ops.index;

/**
 * The same elements in another order, more often, or with a margin: copies that move and compute nothing. Begin at
 * {@link io.vramlab.tensor.internal.ops.arrange.Arrangements}.
 */
package io.vramlab.tensor.internal.ops.arrange;

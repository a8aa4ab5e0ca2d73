/**
 * Random numbers and noise. Begin at {@link io.vramlab.tensor.internal.ops.random.Draws}; the numbers themselves come from a
 * {@link io.vramlab.tensor.type.Generator}.
 */
package io.vramlab.tensor.internal.ops.random;

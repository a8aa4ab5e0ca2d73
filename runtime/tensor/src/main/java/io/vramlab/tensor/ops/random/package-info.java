/**
 * Random numbers and noise. Begin at {@link io.vramlab.tensor.ops.random.Draws}; the numbers themselves come from a
 * {@link io.vramlab.tensor.core.Generator}.
 */
package io.vramlab.tensor.ops.random;

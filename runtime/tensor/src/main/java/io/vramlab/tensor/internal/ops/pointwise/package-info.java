/**
 * What is done to each element on its own, with broadcasting, forward and backward. Begin at
 * {@link io.vramlab.tensor.internal.ops.pointwise.Pointwise} for functions of one tensor and
 * {@link io.vramlab.tensor.internal.ops.pointwise.Elementwise} for arithmetic with two.
 */
package io.vramlab.tensor.internal.ops.pointwise;

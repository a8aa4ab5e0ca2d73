/**
 * What a tensor's methods take and give besides tensors: shapes, slices, formats, how a loss is reduced, which
 * attention may be used, a device's random numbers, and the errors. Begin at {@link io.vramlab.tensor.type.Shape} and
 * {@link io.vramlab.tensor.type.TensorException}; PyTorch has them in {@code torch} itself.
 */
package io.vramlab.tensor.type;

/**
 * The numbers of a tensor on the host: read without any memory of the device ({@link io.vramlab.tensor.internal.values.Peek},
 * {@link io.vramlab.tensor.internal.values.Values}), written as PyTorch prints them
 * ({@link io.vramlab.tensor.internal.values.TensorText}), and operations whose values are computed here because there is no kernel
 * for them ({@link io.vramlab.tensor.internal.values.HostLoops}).
 */
package io.vramlab.tensor.internal.values;

/**
 * What is done to each element on its own, over tensors of any strides: arithmetic, copies, fills, triangles, and the fused
 * steps of optimizers.
 */
package io.vramlab.device.internal.cpu.kernels.elementwise;

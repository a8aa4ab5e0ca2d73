/**
 * What networks are made of and no single formula computes: convolutions, pooling, norms, softmax, losses.
 */
package io.vramlab.device.internal.cpu.kernels.layers;

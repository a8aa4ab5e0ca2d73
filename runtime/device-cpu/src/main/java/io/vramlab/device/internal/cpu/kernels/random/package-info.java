/**
 * Random numbers: Philox, as on a real GPU, and what fills tensors with them.
 */
package io.vramlab.device.internal.cpu.kernels.random;

/**
 * Products of matrices: packed panels, a micro kernel that keeps a tile of the result in registers, and threads over the
 * panels. float64 and batches go through {@link io.vramlab.device.internal.cpu.kernels.gemm.Matmul}.
 */
package io.vramlab.device.internal.cpu.kernels.gemm;

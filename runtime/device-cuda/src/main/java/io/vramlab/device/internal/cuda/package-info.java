/**
 * A real NVIDIA GPU.
 *
 * <p>
 * JCuda's driver API does what happens seldom: finding devices, contexts, memory, streams, events. What happens thousands
 * of times a second (kernel launches, copies) goes through {@code java.lang.foreign} to the same driver library: 2.6
 * microseconds a launch where JCuda's call took 4.6 (measured on an H200). cuBLAS and NVML are reached the same way,
 * whichever version the machine has, and are not needed.
 *
 * <p>
 * <b>Nothing here is touched on a machine without a GPU.</b> {@link io.vramlab.device.internal.cuda.CudaDevices} looks for the
 * driver library, then initialises it, then counts devices, and answers with one line a user can act on when a step fails.
 * JCuda's native library is unpacked into a folder that only this user can read ({@link io.vramlab.device.internal.cuda.JCudaNatives}).
 *
 * <p>
 * JCuda's exceptions stay off: they are a process-wide switch that a notebook could flip, and carry no code. Every return
 * code is checked in {@link io.vramlab.device.internal.cuda.CudaStatus}.
 *
 * <p>
 * Kernels are CUDA C ({@code src/main/cuda}), compiled to PTX of ISA 8.0 for compute capability 7.0, so that every driver
 * from CUDA 12.0 on runs them, and committed beside their sources.
 */
package io.vramlab.device.internal.cuda;

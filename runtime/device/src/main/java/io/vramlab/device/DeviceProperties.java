package io.vramlab.device;

/**
 * What a device is. Scratch sizes of reductions depend on the processor figures (docs/footprint.md, "Reductions"), the
 * default cuBLAS workspace on the compute capability.
 *
 * @param name
 *            as the driver or the profile names it, for instance "NVIDIA H200"
 * @param totalBytes
 *            device memory in bytes
 * @param multiProcessorCount
 *            streaming multiprocessors (SMs)
 * @param maxThreadsPerMultiProcessor
 *            resident threads per SM
 * @param warpSize
 *            threads per warp
 * @param major
 *            compute capability, major
 * @param minor
 *            compute capability, minor
 */
public record DeviceProperties(String name, long totalBytes, int multiProcessorCount, int maxThreadsPerMultiProcessor,
        int warpSize, int major, int minor) {
}

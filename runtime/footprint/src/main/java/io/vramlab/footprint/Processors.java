package io.vramlab.footprint;

import io.vramlab.device.DeviceProperties;

/**
 * What the rules of this package know of a GPU: all but its memory and its name, of which they only ask whether it is an H100, whose cuDNN
 * kernels cut sums otherwise than an H200's. Two GPUs that are equal here take the same inside of every operation, unless cuDNN itself is
 * asked about them ({@link ConvolutionAnswers#isOn}).
 *
 * @param count
 *            how many multiprocessors there are
 * @param threads
 *            of a multiprocessor
 */
public record Processors(int count, int threads, int warpSize, int major, int minor, boolean isH100) {

    /** Those of a GPU. */
    public static Processors of(DeviceProperties gpu) {
        return new Processors(gpu.multiProcessorCount(), gpu.maxThreadsPerMultiProcessor(), gpu.warpSize(), gpu.major(),
                gpu.minor(), isH100(gpu));
    }

    static boolean isH100(DeviceProperties gpu) {
        return gpu.name().contains("H100");
    }

    /** The same but for their number, which is 0. */
    public Processors kind() {
        return new Processors(0, threads, warpSize, major, minor, isH100);
    }
}

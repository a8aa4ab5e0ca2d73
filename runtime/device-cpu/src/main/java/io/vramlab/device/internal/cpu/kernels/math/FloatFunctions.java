package io.vramlab.device.internal.cpu.kernels.math;

/**
 * {@link FloatMath} over arrays. Both implementations do the same arithmetic in the same order, so which of them a JVM
 * uses does not show in the bits. {@code to} and {@code from} may be one array for {@link #exp} alone.
 */
public interface FloatFunctions {

    /** Vectors, where the JVM has them and there is work for them. */
    FloatFunctions BEST = VectorModule.present() ? new WarmingFunctions() : new PlainFunctions();

    /** e to the x. */
    void exp(float[] to, float[] from, int n);

    /** Hyperbolic tangent, into another array. */
    void tanh(float[] to, float[] from, int n);

    /** 1 / (1 + exp(-x)), into another array. */
    void sigmoid(float[] to, float[] from, int n);

    /** The error function, into another array. */
    void erf(float[] to, float[] from, int n);
}

package io.vramlab.device.internal.cpu.kernels.math;

/**
 * Plain loops at first, vectors once there has been enough work: until a JVM has compiled it, vector code is a hundred
 * times slower than plain code, which a notebook of small tensors would notice and never win back.
 */
final class WarmingFunctions implements FloatFunctions {

    private static final long WARM = 300_000;

    private final FloatFunctions plain = new PlainFunctions();
    private volatile long done;

    /** Loads the vector classes, themselves a tenth of a second, when it is first asked. */
    private static final class Vectors {
        private static final FloatFunctions INSTANCE = new VectorFunctions();
    }

    private FloatFunctions now(int n) {
        if (done > WARM) {
            return Vectors.INSTANCE;
        }
        // racing threads may lose some count, and the choice does not show in the bits
        done = done + n;
        return plain;
    }

    @Override
    public void exp(float[] to, float[] from, int n) {
        now(n).exp(to, from, n);
    }

    @Override
    public void tanh(float[] to, float[] from, int n) {
        now(n).tanh(to, from, n);
    }

    @Override
    public void sigmoid(float[] to, float[] from, int n) {
        now(n).sigmoid(to, from, n);
    }

    @Override
    public void erf(float[] to, float[] from, int n) {
        now(n).erf(to, from, n);
    }
}

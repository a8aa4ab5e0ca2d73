package io.vramlab.device.internal.cpu.kernels.math;

/** One element after another. */
final class PlainFunctions implements FloatFunctions {

    @Override
    public void exp(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i++) {
            to[i] = FloatMath.exp(from[i]);
        }
    }

    @Override
    public void tanh(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i++) {
            to[i] = FloatMath.tanh(from[i]);
        }
    }

    @Override
    public void sigmoid(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i++) {
            to[i] = FloatMath.sigmoid(from[i]);
        }
    }

    @Override
    public void erf(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i++) {
            to[i] = FloatMath.erf(from[i]);
        }
    }
}

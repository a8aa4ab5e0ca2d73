package io.vramlab.device.internal.cpu.kernels.math;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link FloatMath} in vector lanes, step by step the same; what is left over at the end goes one by one. Loads only
 * where the vector module is.
 */
final class VectorFunctions implements FloatFunctions {

    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final int WIDTH = SPECIES.length();

    /** One pass over whole vectors; {@code n} is a multiple of their width. */
    private interface Pass {
        void run(float[] to, float[] from, int n);
    }

    // A function in one loop can be too long for the compiler to inline all of it, and vectors that cross a call live on
    // the heap, ten times slower. Passes are called from one place through an array, so that each is compiled alone.
    private static final Pass[] EXP = {VectorFunctions::expPass};
    private static final Pass[] SIGMOID = {VectorFunctions::negatePass, VectorFunctions::expInPlacePass,
            VectorFunctions::sigmoidPass};
    private static final Pass[] TANH = {VectorFunctions::doublePass, VectorFunctions::expInPlacePass,
            VectorFunctions::tanhPass};
    private static final Pass[] ERF = {VectorFunctions::exponentPass, VectorFunctions::expInPlacePass,
            VectorFunctions::erfPass};

    /** Runs the passes over the whole vectors and returns how many elements those are. */
    private static int run(Pass[] passes, float[] to, float[] from, int n) {
        int whole = n - n % WIDTH;
        for (Pass pass : passes) {
            pass.run(to, from, whole);
        }
        return whole;
    }

    @Override
    public void exp(float[] to, float[] from, int n) {
        for (int i = run(EXP, to, from, n); i < n; i++) {
            to[i] = FloatMath.exp(from[i]);
        }
    }

    @Override
    public void tanh(float[] to, float[] from, int n) {
        for (int i = run(TANH, to, from, n); i < n; i++) {
            to[i] = FloatMath.tanh(from[i]);
        }
    }

    @Override
    public void sigmoid(float[] to, float[] from, int n) {
        for (int i = run(SIGMOID, to, from, n); i < n; i++) {
            to[i] = FloatMath.sigmoid(from[i]);
        }
    }

    @Override
    public void erf(float[] to, float[] from, int n) {
        for (int i = run(ERF, to, from, n); i < n; i++) {
            to[i] = FloatMath.erf(from[i]);
        }
    }

    private static void expPass(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            exp(FloatVector.fromArray(SPECIES, from, i)).intoArray(to, i);
        }
    }

    private static void expInPlacePass(float[] to, float[] from, int n) {
        expPass(to, to, n);
    }

    private static void negatePass(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            FloatVector.fromArray(SPECIES, from, i).neg().intoArray(to, i);
        }
    }

    private static void sigmoidPass(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            of(1).div(FloatVector.fromArray(SPECIES, to, i).add(1)).intoArray(to, i);
        }
    }

    private static void doublePass(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            FloatVector a = FloatVector.fromArray(SPECIES, from, i).abs();
            a.add(a).intoArray(to, i);
        }
    }

    private static void tanhPass(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            FloatVector x = FloatVector.fromArray(SPECIES, from, i);
            FloatVector far = of(1).sub(of(2).div(FloatVector.fromArray(SPECIES, to, i).add(1)));
            choose(x, tanhNear(x), far, FloatMath.TANH_SWITCH).intoArray(to, i);
        }
    }

    private static void exponentPass(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            erfExponent(FloatVector.fromArray(SPECIES, from, i).abs()).intoArray(to, i);
        }
    }

    private static void erfPass(float[] to, float[] from, int n) {
        for (int i = 0; i < n; i += WIDTH) {
            FloatVector x = FloatVector.fromArray(SPECIES, from, i);
            FloatVector far = of(1).sub(FloatVector.fromArray(SPECIES, to, i));
            choose(x, erfNear(x), far, 1).intoArray(to, i);
        }
    }

    private static FloatVector of(float value) {
        return FloatVector.broadcast(SPECIES, value);
    }

    private static FloatVector exp(FloatVector x) {
        FloatVector y = x.max(FloatMath.EXP_LOWEST).min(FloatMath.EXP_HIGHEST);
        FloatVector k = y.fma(of(FloatMath.LOG2_E), of(FloatMath.ROUND)).sub(FloatMath.ROUND);
        FloatVector r = k.fma(of(-FloatMath.LN2_LOW), k.fma(of(-FloatMath.LN2_HIGH), y));
        FloatVector p = of(FloatMath.E0).fma(r, of(FloatMath.E1));
        p = p.fma(r, of(FloatMath.E2));
        p = p.fma(r, of(FloatMath.E3));
        p = p.fma(r, of(FloatMath.E4));
        p = p.fma(r, of(FloatMath.E5));
        p = p.fma(r.mul(r), r).add(1);
        IntVector n = (IntVector) k.convertShape(VectorOperators.F2I, INTS, 0);
        IntVector half = n.lanewise(VectorOperators.ASHR, 1);
        return p.mul(power2(half)).mul(power2(n.sub(half)));
    }

    private static FloatVector power2(IntVector n) {
        return n.add(127).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
    }

    private static FloatVector tanhNear(FloatVector x) {
        FloatVector z = x.mul(x);
        FloatVector p = of(FloatMath.T0).fma(z, of(FloatMath.T1));
        p = p.fma(z, of(FloatMath.T2));
        p = p.fma(z, of(FloatMath.T3));
        p = p.fma(z, of(FloatMath.T4));
        return p.mul(z).fma(x, x);
    }

    private static FloatVector erfNear(FloatVector x) {
        FloatVector s = x.mul(x);
        FloatVector p = of(FloatMath.N6).fma(s, of(FloatMath.N5));
        p = p.fma(s, of(FloatMath.N4));
        p = p.fma(s, of(FloatMath.N3));
        p = p.fma(s, of(FloatMath.N2));
        p = p.fma(s, of(FloatMath.N1));
        p = p.fma(s, of(FloatMath.N0));
        return p.fma(x, x);
    }

    private static FloatVector erfExponent(FloatVector a) {
        FloatVector t = a.min(FloatMath.ERF_ONE);
        FloatVector q = of(FloatMath.F8).fma(t, of(FloatMath.F7));
        q = q.fma(t, of(FloatMath.F6));
        q = q.fma(t, of(FloatMath.F5));
        q = q.fma(t, of(FloatMath.F4));
        q = q.fma(t, of(FloatMath.F3));
        q = q.fma(t, of(FloatMath.F2));
        q = q.fma(t, of(FloatMath.F1));
        q = q.fma(t, of(FloatMath.F0));
        return t.neg().mul(q);
    }

    /** The near value where x is near zero, or else the far one with x's sign. */
    private static FloatVector choose(FloatVector x, FloatVector near, FloatVector far, float border) {
        FloatVector signed = far.blend(far.neg(), x.compare(VectorOperators.LT, 0f));
        return signed.blend(near, x.abs().compare(VectorOperators.LT, border));
    }
}

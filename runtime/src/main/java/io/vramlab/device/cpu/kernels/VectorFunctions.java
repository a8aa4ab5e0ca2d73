package io.vramlab.device.cpu.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
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

    @Override
    public void exp(float[] to, float[] from, int n) {
        int i = 0;
        for (; i + WIDTH <= n; i += WIDTH) {
            exp(FloatVector.fromArray(SPECIES, from, i)).intoArray(to, i);
        }
        for (; i < n; i++) {
            to[i] = FloatMath.exp(from[i]);
        }
    }

    @Override
    public void tanh(float[] to, float[] from, int n) {
        int i = 0;
        for (; i + WIDTH <= n; i += WIDTH) {
            tanh(FloatVector.fromArray(SPECIES, from, i)).intoArray(to, i);
        }
        for (; i < n; i++) {
            to[i] = FloatMath.tanh(from[i]);
        }
    }

    @Override
    public void sigmoid(float[] to, float[] from, int n) {
        int i = 0;
        for (; i + WIDTH <= n; i += WIDTH) {
            FloatVector e = exp(FloatVector.fromArray(SPECIES, from, i).neg());
            FloatVector.broadcast(SPECIES, 1).div(e.add(1)).intoArray(to, i);
        }
        for (; i < n; i++) {
            to[i] = FloatMath.sigmoid(from[i]);
        }
    }

    @Override
    public void erf(float[] to, float[] from, int n) {
        int i = 0;
        for (; i + WIDTH <= n; i += WIDTH) {
            erf(FloatVector.fromArray(SPECIES, from, i)).intoArray(to, i);
        }
        for (; i < n; i++) {
            to[i] = FloatMath.erf(from[i]);
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

    private static FloatVector tanh(FloatVector x) {
        FloatVector a = x.abs();
        FloatVector z = x.mul(x);
        FloatVector p = of(FloatMath.T0).fma(z, of(FloatMath.T1));
        p = p.fma(z, of(FloatMath.T2));
        p = p.fma(z, of(FloatMath.T3));
        p = p.fma(z, of(FloatMath.T4));
        FloatVector near = p.mul(z).fma(x, x);
        FloatVector far = of(1).sub(of(2).div(exp(a.add(a)).add(1)));
        return choose(a.compare(VectorOperators.LT, FloatMath.TANH_SWITCH), x, near, far);
    }

    private static FloatVector erf(FloatVector x) {
        FloatVector a = x.abs();
        FloatVector s = x.mul(x);
        FloatVector p = of(FloatMath.N6);
        p = p.fma(s, of(FloatMath.N5));
        p = p.fma(s, of(FloatMath.N4));
        p = p.fma(s, of(FloatMath.N3));
        p = p.fma(s, of(FloatMath.N2));
        p = p.fma(s, of(FloatMath.N1));
        p = p.fma(s, of(FloatMath.N0));
        FloatVector near = p.fma(x, x);
        FloatVector t = a.min(FloatMath.ERF_ONE);
        FloatVector q = of(FloatMath.F8);
        q = q.fma(t, of(FloatMath.F7));
        q = q.fma(t, of(FloatMath.F6));
        q = q.fma(t, of(FloatMath.F5));
        q = q.fma(t, of(FloatMath.F4));
        q = q.fma(t, of(FloatMath.F3));
        q = q.fma(t, of(FloatMath.F2));
        q = q.fma(t, of(FloatMath.F1));
        q = q.fma(t, of(FloatMath.F0));
        FloatVector far = of(1).sub(exp(t.neg().mul(q)));
        return choose(a.compare(VectorOperators.LT, 1), x, near, far);
    }

    /** The near value, or else the far one with x's sign. */
    private static FloatVector choose(VectorMask<Float> isNear, FloatVector x, FloatVector near, FloatVector far) {
        return far.blend(far.neg(), x.compare(VectorOperators.LT, 0)).blend(near, isNear);
    }
}

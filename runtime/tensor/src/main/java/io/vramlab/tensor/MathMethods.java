package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.core.AutocastMode;
import io.vramlab.tensor.core.Launch;
import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.ops.pointwise.Bounds;
import io.vramlab.tensor.ops.pointwise.Elementwise;
import io.vramlab.tensor.ops.pointwise.MathFunctions;
import io.vramlab.tensor.ops.pointwise.Pointwise;
import io.vramlab.tensor.ops.pointwise.Selection;
import io.vramlab.tensor.ops.pointwise.SpecialFunctions;
import io.vramlab.tensor.ops.statistics.Comparisons;

/** {@link Tensor}'s functions of mathematics, element by element; integers become float32 where a fraction may come out. */
abstract class MathMethods extends TensorCalls {

    /** This times itself. */
    public Tensor square() {
        return map(a -> AutocastMode.full(x -> Pointwise.pow(x[0], 2), a));
    }

    /** Tangent. */
    public Tensor tan() {
        return map(MathFunctions::tan);
    }

    /** Inverse sine. */
    public Tensor asin() {
        return map(MathFunctions::asin);
    }

    /** Inverse cosine. */
    public Tensor acos() {
        return map(MathFunctions::acos);
    }

    /** Inverse tangent. */
    public Tensor atan() {
        return map(MathFunctions::atan);
    }

    /** Hyperbolic sine. */
    public Tensor sinh() {
        return map(MathFunctions::sinh);
    }

    /** Hyperbolic cosine. */
    public Tensor cosh() {
        return map(MathFunctions::cosh);
    }

    /** Inverse hyperbolic sine. */
    public Tensor asinh() {
        return map(MathFunctions::asinh);
    }

    /** Inverse hyperbolic cosine. */
    public Tensor acosh() {
        return map(MathFunctions::acosh);
    }

    /** Inverse hyperbolic tangent. */
    public Tensor atanh() {
        return map(MathFunctions::atanh);
    }

    /** 2 to the this. */
    public Tensor exp2() {
        return map(MathFunctions::exp2);
    }

    /** e to the this, less 1. */
    public Tensor expm1() {
        return map(a -> AutocastMode.full(x -> MathFunctions.expm1(x[0]), a));
    }

    /** Logarithm to the base 2. */
    public Tensor log2() {
        return map(a -> AutocastMode.full(x -> MathFunctions.log2(x[0]), a));
    }

    /** Logarithm to the base 10. */
    public Tensor log10() {
        return map(a -> AutocastMode.full(x -> MathFunctions.log10(x[0]), a));
    }

    /** 1 - erf(this). */
    public Tensor erfc() {
        return map(MathFunctions::erfc);
    }

    /** Inverse of the error function. */
    public Tensor erfinv() {
        return map(a -> AutocastMode.full(x -> SpecialFunctions.erfinv(x[0]), a));
    }

    /** Logarithm of the magnitude of the gamma function. */
    public Tensor lgamma() {
        return map(SpecialFunctions::lgamma);
    }

    /** Derivative of lgamma. */
    public Tensor digamma() {
        return map(SpecialFunctions::digamma);
    }

    /** Modified Bessel function of the first kind, order 0. */
    public Tensor i0() {
        return map(SpecialFunctions::i0);
    }

    /** sin(pi x) / (pi x), 1 at 0. */
    public Tensor sinc() {
        return map(SpecialFunctions::sinc);
    }

    /** log(x / (1 - x)). */
    public Tensor logit() {
        return map(a -> SpecialFunctions.logit(a, -1));
    }

    /** log(x / (1 - x)), x limited to [eps, 1 - eps]. */
    public Tensor logit(double eps) {
        return map(a -> SpecialFunctions.logit(a, eps));
    }

    /** -x log(x), PyTorch's torch.special.entr. */
    public Tensor entr() {
        return map(SpecialFunctions::entr);
    }

    /** this times log(other), 0 where this is 0. */
    public Tensor xlogy(Tensor other) {
        return with(other, MathFunctions::xlogy);
    }

    /** Angle of the point (other, this). */
    public Tensor atan2(Tensor other) {
        return with(other, MathFunctions::atan2);
    }

    /** Square root of the sum of the squares. */
    public Tensor hypot(Tensor other) {
        return with(other, SpecialFunctions::hypot);
    }

    /** log(exp(this) + exp(other)). */
    public Tensor logaddexp(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.logAddExp(a, b, false));
    }

    /** log2(2 to the this + 2 to the other). */
    public Tensor logaddexp2(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.logAddExp(a, b, true));
    }

    /** This with the other's signs. */
    public Tensor copysign(Tensor other) {
        return with(other, SpecialFunctions::copysign);
    }

    /** 0 below 0, values at 0, 1 above; no gradient, as in PyTorch. */
    public Tensor heaviside(Tensor values) {
        return with(values, SpecialFunctions::heaviside);
    }

    /** The larger; a number rather than NaN. */
    public Tensor fmax(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.fextremum(a, b, true));
    }

    /** The smaller; a number rather than NaN. */
    public Tensor fmin(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.fextremum(a, b, false));
    }

    /** The larger of the two, see {@link Tensor#maximum}. */
    public Tensor max(Tensor other) {
        return with(other, Elementwise::maximum);
    }

    /** The smaller of the two, see {@link Tensor#minimum}. */
    public Tensor min(Tensor other) {
        return with(other, Elementwise::minimum);
    }

    /** Without the fraction. */
    public Tensor trunc() {
        return map(MathFunctions::trunc);
    }

    /** Without the fraction, as {@link #trunc}. */
    public Tensor fix() {
        return map(MathFunctions::trunc);
    }

    /** The fraction. */
    public Tensor frac() {
        return map(MathFunctions::frac);
    }

    /** -1, 0 or 1. */
    public Tensor sgn() {
        return map(Pointwise::sign);
    }

    /** This tensor: a new handle on it. */
    public Tensor positive() {
        return map(TensorImpl::retain);
    }

    /** -this. */
    public Tensor negative() {
        return map(Pointwise::neg);
    }

    /** Magnitude. */
    public Tensor absolute() {
        return map(Pointwise::abs);
    }

    /** From radians to degrees. */
    public Tensor rad2deg() {
        return map(a -> SpecialFunctions.scaled(a, 180 / Math.PI, "Rad2DegBackward0"));
    }

    /** From degrees to radians. */
    public Tensor deg2rad() {
        return map(a -> SpecialFunctions.scaled(a, Math.PI / 180, "Deg2RadBackward0"));
    }

    /** 0 for NaN, the dtype's largest and smallest numbers for infinities. */
    public Tensor nanToNum() {
        return map(a -> SpecialFunctions.nanToNum(a, Bounds.largest(a.dtype()), -Bounds.largest(a.dtype())));
    }

    /** Remainder of this / value with the sign of value: Python's %. */
    public Tensor remainder(double value) {
        return map(a -> MathFunctions.remainder(a, value, false, true));
    }

    /** Remainder of this / value with the sign of value; integers stay integers. */
    public Tensor remainder(long value) {
        return map(a -> MathFunctions.remainder(a, value, true, true));
    }

    /** Remainder of this / other with the sign of other. */
    public Tensor remainder(Tensor other) {
        return with(other, (a, b) -> MathFunctions.remainder(a, b, true));
    }

    /** Remainder of this / value with the sign of this: Java's %. */
    public Tensor fmod(double value) {
        return map(a -> MathFunctions.remainder(a, value, false, false));
    }

    /** Remainder of this / value with the sign of this; integers stay integers. */
    public Tensor fmod(long value) {
        return map(a -> MathFunctions.remainder(a, value, true, false));
    }

    /** Remainder of this / other with the sign of this. */
    public Tensor fmod(Tensor other) {
        return with(other, (a, b) -> MathFunctions.remainder(a, b, false));
    }

    /** this / value rounded down: Python's //. No gradient, as in PyTorch. */
    public Tensor floorDivide(double value) {
        return map(a -> MathFunctions.floorDivide(a, value, false));
    }

    /** this / value rounded down; integers stay integers. */
    public Tensor floorDivide(long value) {
        return map(a -> MathFunctions.floorDivide(a, value, true));
    }

    /** this / other rounded down; no gradient, as in PyTorch. */
    public Tensor floorDivide(Tensor other) {
        return with(other, MathFunctions::floorDivide);
    }

    /** base to the power this. */
    public Tensor rpow(double base) {
        return map(a -> AutocastMode.full(x -> SpecialFunctions.powerOf(base, x[0]), a));
    }

    /** this + weight (end - this). */
    public Tensor lerp(Tensor end, double weight) {
        return with(end, (a, b) -> MathFunctions.lerp(a, b, weight));
    }

    /** this + weight (end - this). */
    public Tensor lerp(Tensor end, Tensor weight) {
        return with(x -> MathFunctions.lerp(x[0], x[1], x[2]), end, weight);
    }

    /** this + a b. */
    public Tensor addcmul(Tensor a, Tensor b) {
        return addcmul(a, b, 1);
    }

    /** this + value a b. */
    public Tensor addcmul(Tensor a, Tensor b, double value) {
        return with(x -> MathFunctions.addcmul(x[0], x[1], x[2], value), a, b);
    }

    /** this + a / b. */
    public Tensor addcdiv(Tensor a, Tensor b) {
        return addcdiv(a, b, 1);
    }

    /** this + value a / b. */
    public Tensor addcdiv(Tensor a, Tensor b, double value) {
        return with(x -> MathFunctions.addcdiv(x[0], x[1], x[2], value), a, b);
    }

    /** At least min. */
    public Tensor clampMin(double min) {
        return map(a -> Selection.clamp(a, min, Double.POSITIVE_INFINITY));
    }

    /** At most max. */
    public Tensor clampMax(double max) {
        return map(a -> Selection.clamp(a, Double.NEGATIVE_INFINITY, max));
    }

    /** Limited to [min, max], element by element; null is no bound. */
    public Tensor clamp(Tensor min, Tensor max) {
        return with(x -> Bounds.clamp(x[0], x[1], x[2]), min, max);
    }

    /** Limited to [min, max], as {@link Tensor#clamp}. */
    public Tensor clip(double min, double max) {
        return map(a -> Selection.clamp(a, min, max));
    }

    /** Rounded to so many decimals, halves to even. */
    public Tensor round(int decimals) {
        return map(a -> Bounds.round(a, decimals));
    }

    // ---- truth ----

    /** Where one of the two is true and the other is not. */
    public Tensor logicalXor(Tensor other) {
        return with(other, (a, b) -> Elementwise.compare(ElementOp.XOR, a, b));
    }

    /** Python's &amp;: bit by bit of integers, logical of bool. */
    public Tensor bitwiseAnd(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.bits(ElementOp.BIT_AND, ElementOp.AND, a, b));
    }

    /** Python's |: bit by bit of integers, logical of bool. */
    public Tensor bitwiseOr(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.bits(ElementOp.BIT_OR, ElementOp.OR, a, b));
    }

    /** Python's ^: bit by bit of integers, logical of bool. */
    public Tensor bitwiseXor(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.bits(ElementOp.BIT_XOR, ElementOp.XOR, a, b));
    }

    /** Python's ~: bit by bit of integers, logical of bool. */
    public Tensor bitwiseNot() {
        return map(a -> Launch.unary(a.dtype() == DType.BOOL ? ElementOp.NOT : ElementOp.BIT_NOT, a, a.dtype()));
    }

    /** Where infinite, as bool. */
    public Tensor isinf() {
        return map(SpecialFunctions::isinf);
    }

    /** Where neither infinite nor NaN, as bool. */
    public Tensor isfinite() {
        return map(SpecialFunctions::isfinite);
    }

    /** Where there is a minus sign, as bool. */
    public Tensor signbit() {
        return map(a -> Launch.unary(ElementOp.SIGN_BIT, a, DType.BOOL));
    }

    /** Where |this - other| is at most 1e-8 + 1e-5 |other|, as bool. */
    public Tensor isclose(Tensor other) {
        return isclose(other, 1e-5, 1e-8);
    }

    /** Where |this - other| is at most atol + rtol |other|, as bool. */
    public Tensor isclose(Tensor other, double rtol, double atol) {
        return with(other, (a, b) -> SpecialFunctions.isclose(a, b, rtol, atol));
    }

    /** Whether all elements are close, see {@link #isclose(Tensor)}. */
    public boolean allclose(Tensor other) {
        return allclose(other, 1e-5, 1e-8);
    }

    /** Whether all elements are close. */
    public boolean allclose(Tensor other, double rtol, double atol) {
        return read(a -> Comparisons.allclose(a, other.impl(), rtol, atol));
    }

    /** Whether shape and all elements are equal. */
    public boolean equal(Tensor other) {
        return read(a -> Comparisons.equal(a, other.impl()));
    }

    /** Where an element is one of those, as bool. */
    public Tensor isin(Tensor elements) {
        return with(elements, Comparisons::isin);
    }
}

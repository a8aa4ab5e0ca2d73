package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.ops.pointwise.MathFunctions;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.SpecialFunctions;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s powers of e, logarithms, roots and the functions beyond them, element by element. Whole numbers
 * become float32, as in PyTorch; where a function is not defined the result is NaN.
 */
abstract sealed class MathMethods extends CompoundMethods permits TrigonometricMethods {

    /**
     * e to the this. As {@code torch.exp}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps the result; under
     *         autocast in float32
     */
    public Tensor exp() {
        return map(a -> AutocastMode.full(x -> Pointwise.exp(x[0]), a));
    }

    /**
     * 2 to the this. As {@code torch.exp2}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps the result
     */
    public Tensor exp2() {
        return map(MathFunctions::exp2);
    }

    /**
     * e to the this, less 1. As {@code torch.expm1}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps the result; under
     *         autocast in float32
     */
    public Tensor expm1() {
        return map(a -> AutocastMode.full(x -> MathFunctions.expm1(x[0]), a));
    }

    /**
     * Natural logarithm. As {@code torch.log}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor; under
     *         autocast in float32
     */
    public Tensor log() {
        return map(a -> AutocastMode.full(x -> Pointwise.log(x[0]), a));
    }

    /**
     * log(1 + this). As {@code torch.log1p}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor; under
     *         autocast in float32
     */
    public Tensor log1p() {
        return map(a -> AutocastMode.full(x -> Pointwise.log1p(x[0]), a));
    }

    /**
     * Logarithm to the base 2. As {@code torch.log2}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor; under
     *         autocast in float32
     */
    public Tensor log2() {
        return map(a -> AutocastMode.full(x -> MathFunctions.log2(x[0]), a));
    }

    /**
     * Logarithm to the base 10. As {@code torch.log10}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor; under
     *         autocast in float32
     */
    public Tensor log10() {
        return map(a -> AutocastMode.full(x -> MathFunctions.log10(x[0]), a));
    }

    /**
     * Square root. As {@code torch.sqrt}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps the result
     */
    public Tensor sqrt() {
        return map(Pointwise::sqrt);
    }

    /**
     * 1 / square root. As {@code torch.rsqrt}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps the result; under
     *         autocast in float32
     */
    public Tensor rsqrt() {
        return map(a -> AutocastMode.full(x -> Pointwise.rsqrt(x[0]), a));
    }

    /**
     * Error function. As {@code torch.erf}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor erf() {
        return map(Pointwise::erf);
    }

    /**
     * 1 - erf(this). As {@code torch.erfc}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor erfc() {
        return map(MathFunctions::erfc);
    }

    /**
     * exp(x^2) erfc(x), which neither overflows nor vanishes where x is large. As {@code torch.special.erfcx}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor and the
     *         result
     * @throws TensorException
     *             if this is of float16 or bfloat16, as in PyTorch
     */
    public Tensor erfcx() {
        return map(SpecialFunctions::erfcx);
    }

    /**
     * Inverse of the error function. As {@code torch.erfinv}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor; under
     *         autocast in float32
     */
    public Tensor erfinv() {
        return map(a -> AutocastMode.full(x -> SpecialFunctions.erfinv(x[0]), a));
    }

    /**
     * Logarithm of the magnitude of the gamma function. As {@code torch.lgamma}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor lgamma() {
        return map(SpecialFunctions::lgamma);
    }

    /**
     * Derivative of lgamma. As {@code torch.digamma}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor digamma() {
        return map(SpecialFunctions::digamma);
    }

    /**
     * Modified Bessel function of the first kind, order 0. As {@code torch.i0}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor i0() {
        return map(SpecialFunctions::i0);
    }

    /**
     * -x log(x), minus infinity below 0. As {@code torch.special.entr}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor entr() {
        return map(SpecialFunctions::entr);
    }

    /**
     * this times log(other), 0 where this is 0. As {@code torch.xlogy}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype, float32 of whole numbers; backward keeps both
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor xlogy(Tensor other) {
        return with(other, MathFunctions::xlogy);
    }

    /**
     * log(exp(this) + exp(other)). As {@code torch.logaddexp}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype, float32 of whole numbers, without overflow on
     *         the way; backward keeps both
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor logaddexp(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.logAddExp(a, b, false));
    }

    /**
     * log2(2 to the this + 2 to the other). As {@code torch.logaddexp2}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype, float32 of whole numbers, without overflow on
     *         the way; backward keeps both
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor logaddexp2(Tensor other) {
        return with(other, (a, b) -> SpecialFunctions.logAddExp(a, b, true));
    }
}

package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.ops.pointwise.MathFunctions;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.pointwise.SpecialFunctions;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s functions of angles, in radians, and the hyperbolic ones, element by element. Whole numbers become
 * float32, as in PyTorch; where a function is not defined the result is NaN.
 */
abstract sealed class TrigonometricMethods extends MathMethods permits RoundingMethods {

    /**
     * Sine. As {@code torch.sin}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor sin() {
        return map(Pointwise::sin);
    }

    /**
     * Cosine. As {@code torch.cos}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor cos() {
        return map(Pointwise::cos);
    }

    /**
     * Tangent. As {@code torch.tan}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps the result
     */
    public Tensor tan() {
        return map(a -> AutocastMode.full(x -> MathFunctions.tan(x[0]), a));
    }

    /**
     * Inverse sine. As {@code torch.asin}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor asin() {
        return map(a -> AutocastMode.full(x -> MathFunctions.asin(x[0]), a));
    }

    /**
     * Inverse cosine. As {@code torch.acos}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor acos() {
        return map(a -> AutocastMode.full(x -> MathFunctions.acos(x[0]), a));
    }

    /**
     * Inverse tangent. As {@code torch.atan}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor atan() {
        return map(MathFunctions::atan);
    }

    /**
     * Hyperbolic sine. As {@code torch.sinh}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor sinh() {
        return map(a -> AutocastMode.full(x -> MathFunctions.sinh(x[0]), a));
    }

    /**
     * Hyperbolic cosine. As {@code torch.cosh}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor cosh() {
        return map(a -> AutocastMode.full(x -> MathFunctions.cosh(x[0]), a));
    }

    /**
     * Hyperbolic tangent. As {@code torch.tanh}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps the result
     */
    public Tensor tanh() {
        return map(Pointwise::tanh);
    }

    /**
     * Inverse hyperbolic sine. As {@code torch.asinh}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor asinh() {
        return map(MathFunctions::asinh);
    }

    /**
     * Inverse hyperbolic cosine. As {@code torch.acosh}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor acosh() {
        return map(MathFunctions::acosh);
    }

    /**
     * Inverse hyperbolic tangent. As {@code torch.atanh}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor atanh() {
        return map(MathFunctions::atanh);
    }

    /**
     * Angle of the point (other, this). As {@code torch.atan2}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype, from -pi to pi, float32 of whole numbers;
     *         backward keeps both
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor atan2(Tensor other) {
        return with(other, MathFunctions::atan2);
    }

    /**
     * Square root of the sum of the squares. As {@code torch.hypot}.
     *
     * @param other
     *            broadcast against this one
     * @return a new tensor of the broadcast shape in the promoted dtype; backward keeps both and the result
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public Tensor hypot(Tensor other) {
        return with(other, SpecialFunctions::hypot);
    }

    /**
     * sin(pi x) / (pi x), 1 at 0. As {@code torch.sinc}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps this tensor
     */
    public Tensor sinc() {
        return map(SpecialFunctions::sinc);
    }

    /**
     * From radians to degrees. As {@code torch.rad2deg}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps nothing
     */
    public Tensor rad2deg() {
        return map(a -> SpecialFunctions.scaled(a, 180 / Math.PI, "Rad2DegBackward0"));
    }

    /**
     * From degrees to radians. As {@code torch.deg2rad}.
     *
     * @return a new tensor of this shape, float32 where this is of whole numbers; backward keeps nothing
     */
    public Tensor deg2rad() {
        return map(a -> SpecialFunctions.scaled(a, Math.PI / 180, "Deg2RadBackward0"));
    }
}

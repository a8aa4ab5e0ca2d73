package io.vramlab.device;

/**
 * Element-by-element operations: {@code out[i] = op(in0[i], in1[i], …; s0, s1, …)}. Arithmetic is done in float for
 * float16, bfloat16 and float32, in double for float64, in long for integers, and rounded once at the end; inputs of
 * another dtype than the output's are converted first (COPY is the cast). Comparisons write bool. The scalars are named
 * s0, s1 … in the comments; g is an incoming gradient.
 */
public enum ElementOp {
    /** a, converted to the output's dtype. */
    COPY(1),
    /** s0. */
    FILL(0),
    /** a + s0 * b. */
    ADD(2),
    /** a - s0 * b. */
    SUB(2),
    /** a * b. */
    MUL(2),
    /** a / b. */
    DIV(2),
    /** a + s0. */
    ADD_SCALAR(1),
    /** a * s0. */
    MUL_SCALAR(1),
    /** a / s0. */
    DIV_SCALAR(1),
    /** s0 - a. */
    RSUB_SCALAR(1),
    /** s0 / a. */
    RDIV_SCALAR(1),
    /** a to the power s0. */
    POW_SCALAR(1),
    /** a to the power b. */
    POW(2),
    /** The larger; NaN wins. */
    MAXIMUM(2),
    /** The smaller; NaN wins. */
    MINIMUM(2),
    /** -a. */
    NEG(1),
    /** Magnitude. */
    ABS(1),
    /** -1, 0, 1. */
    SIGN(1),
    /** 1 / a. */
    RECIPROCAL(1),
    /** Square root. */
    SQRT(1),
    /** 1 / square root. */
    RSQRT(1),
    /** e to the a. */
    EXP(1),
    /** Natural logarithm. */
    LOG(1),
    /** log(1 + a). */
    LOG1P(1),
    /** Sine. */
    SIN(1),
    /** Cosine. */
    COS(1),
    /** Error function. */
    ERF(1),
    /** Largest integer not above a. */
    FLOOR(1),
    /** Smallest integer not below a. */
    CEIL(1),
    /** Nearest integer, halves to even. */
    ROUND(1),
    /** Hyperbolic tangent. */
    TANH(1),
    /** 1 / (1 + exp(-a)). */
    SIGMOID(1),
    /** max(a, 0); NaN stays. */
    RELU(1),
    /** a * Phi(a), exact with erf. */
    GELU(1),
    /** GELU by the tanh approximation. */
    GELU_TANH(1),
    /** a * sigmoid(a). */
    SILU(1),
    /** a limited to [s0, s1]. */
    CLAMP(1),
    /** a == b. */
    EQ(2),
    /** a != b. */
    NE(2),
    /** a &lt; b. */
    LT(2),
    /** a &lt;= b. */
    LE(2),
    /** a &gt; b. */
    GT(2),
    /** a &gt;= b. */
    GE(2),
    /** a == s0. */
    EQ_SCALAR(1),
    /** a != s0. */
    NE_SCALAR(1),
    /** a &lt; s0. */
    LT_SCALAR(1),
    /** a &lt;= s0. */
    LE_SCALAR(1),
    /** a &gt; s0. */
    GT_SCALAR(1),
    /** a &gt;= s0. */
    GE_SCALAR(1),
    /** Truth values: a and b. */
    AND(2),
    /** Truth values: a or b. */
    OR(2),
    /** Truth value: not a. */
    NOT(1),
    /** True where a is NaN or infinite. */
    NOT_FINITE(1),
    /** a (bool) ? b : c. */
    WHERE(3),
    /** b (bool) ? s0 : a. */
    MASKED_FILL(2),
    /** a + s0 * b * c. */
    ADDCMUL(3),
    /** a + s0 * b / c. */
    ADDCDIV(3),
    /** a + s0 * (b - a). */
    LERP(2),
    /** (g, result): g where result is above 0. */
    RELU_BACKWARD(2),
    /** (g, input). */
    GELU_BACKWARD(2),
    /** (g, input). */
    GELU_TANH_BACKWARD(2),
    /** (g, result): g * (1 - result * result). */
    TANH_BACKWARD(2),
    /** (g, result): g * result * (1 - result). */
    SIGMOID_BACKWARD(2),
    /** (g, input). */
    SILU_BACKWARD(2),
    /** (g, input): g inside [s0, s1], else 0. */
    CLAMP_BACKWARD(2),
    /** (g, input): g * sign(input). */
    ABS_BACKWARD(2),
    /** (g, input): g * s0 * input ^ (s0 - 1). */
    POW_SCALAR_BACKWARD(2),
    /** (input, target): binary cross-entropy of sigmoid(input). */
    BCE_WITH_LOGITS(2),
    /** (input, target): square of the difference. */
    SQUARED_ERROR(2),
    /** (g, input, target): s0 * g * (input - target). */
    SQUARED_ERROR_BACKWARD(3),
    /** (input, target): magnitude of the difference. */
    ABSOLUTE_ERROR(2),
    /** (g, input, target): s0 * g * sign(input - target). */
    ABSOLUTE_ERROR_BACKWARD(3),
    /** a above 0, else s0 * a. */
    LEAKY_RELU(1),
    /** (g, input or result). */
    LEAKY_RELU_BACKWARD(2),
    /** s1 * a above 0, else s0 * (exp(a) - 1): ELU with scale 1, SELU with its two constants. */
    ELU(1),
    /** (g, input). */
    ELU_BACKWARD(2),
    /** (g, result), of the form in place. */
    ELU_RESULT_BACKWARD(2),
    /** a above 0, else s0 * (exp(a / s0) - 1). */
    CELU(1),
    /** (g, input). */
    CELU_BACKWARD(2),
    /** (g, result), of the form in place. */
    CELU_RESULT_BACKWARD(2),
    /** log(1 + exp(s0 * a)) / s0; a itself where s0 * a is above s1. */
    SOFTPLUS(1),
    /** (g, input). */
    SOFTPLUS_BACKWARD(2),
    /** (g, input): g strictly inside (s0, s1), else 0. */
    HARDTANH_BACKWARD(2),
    /** a * min(max(a + 3, 0), 6) / 6. */
    HARDSWISH(1),
    /** (g, input). */
    HARDSWISH_BACKWARD(2),
    /** min(max(a + 3, 0), 6) / 6. */
    HARDSIGMOID(1),
    /** (g, input). */
    HARDSIGMOID_BACKWARD(2),
    /** log(sigmoid(a)). */
    LOG_SIGMOID(1),
    /** (g, input). */
    LOG_SIGMOID_BACKWARD(2),
    /** a * tanh(log(1 + exp(a))). */
    MISH(1),
    /** (g, input). */
    MISH_BACKWARD(2),
    /** a above s0, else s1. */
    THRESHOLD(1),
    /** (g, input): g where the input is above s0. */
    THRESHOLD_BACKWARD(2),
    /** a moved by s0 towards 0, and 0 within. */
    SOFTSHRINK(1),
    /** a outside [-s0, s0], else 0. */
    HARDSHRINK(1),
    /** (g, input): g outside [-s0, s0]. */
    SHRINK_BACKWARD(2),
    /** (input, slope): a above 0, else a * slope. */
    PRELU(2),
    /** (g, input, slope). */
    PRELU_BACKWARD(3),
    /** (g, input). */
    PRELU_BACKWARD_SLOPE(2),
    /** a * sigmoid(b). */
    GLU(2),
    /** (g, a, b): gradient of {@link #GLU} for b. */
    GLU_BACKWARD_GATE(3),
    /** (input, target): quadratic within s0 of each other, else linear. */
    SMOOTH_L1(2),
    /** (g, input, target): s0 the scale, s1 the bound. */
    SMOOTH_L1_BACKWARD(3),
    /** (input, target): quadratic up to a distance of s0, else linear. */
    HUBER(2),
    /** (g, input, target): s0 the scale, s1 the bound. */
    HUBER_BACKWARD(3),
    /** (probability, target): binary cross-entropy, logarithms at least -100. */
    BCE(2),
    /** (g, probability, target). */
    BCE_BACKWARD(3),
    /** a * log(b); 0 where a is 0. */
    XLOGY(2),
    /** Tangent. */
    TAN(1),
    /** Hyperbolic sine. */
    SINH(1),
    /** Hyperbolic cosine. */
    COSH(1),
    /** Inverse sine. */
    ASIN(1),
    /** Inverse cosine. */
    ACOS(1),
    /** Inverse tangent. */
    ATAN(1),
    /** Inverse hyperbolic sine. */
    ASINH(1),
    /** Inverse hyperbolic cosine. */
    ACOSH(1),
    /** Inverse hyperbolic tangent. */
    ATANH(1),
    /** 2 to the a. */
    EXP2(1),
    /** e to the a, less 1. */
    EXPM1(1),
    /** 1 - erf(a). */
    ERFC(1),
    /** Logarithm to the base 2. */
    LOG2(1),
    /** Logarithm to the base 10. */
    LOG10(1),
    /** a without its fraction. */
    TRUNC(1),
    /** a less its whole part. */
    FRAC(1),
    /** True where a is infinite. */
    IS_INF(1),
    /** Truth values: one of a and b alone. */
    XOR(2),
    /** The angle of (b, a). */
    ATAN2(2),
    /** sqrt(a * a + b * b). */
    HYPOT(2),
    /** Remainder of a / b with the sign of a. */
    FMOD(2),
    /** Remainder of a / b with the sign of b. */
    REMAINDER(2),
    /** Remainder of a / s0 with the sign of a. */
    FMOD_SCALAR(1),
    /** Remainder of a / s0 with the sign of s0. */
    REMAINDER_SCALAR(1),
    /** a / b, rounded down. */
    FLOOR_DIVIDE(2),
    /** a / s0, rounded down. */
    FLOOR_DIVIDE_SCALAR(1),
    /** log(exp(a) + exp(b)). */
    LOG_ADD_EXP(2),
    /** a with the sign of b. */
    COPY_SIGN(2),
    /** a + c * (b - a). */
    LERP_TENSOR(3),
    /** sin(pi a) / (pi a), 1 at 0. */
    SINC(1),
    /** True where a has a minus sign, -0 too. */
    SIGN_BIT(1),
    /** The inverse of the error function. */
    ERF_INV(1),
    /** Modified Bessel function of the first kind, order 0. */
    I0(1),
    /** Modified Bessel function of the first kind, order 1. */
    I1(1),
    /** Logarithm of the magnitude of the gamma function. */
    LGAMMA(1),
    /** Derivative of {@link #LGAMMA}. */
    DIGAMMA(1),
    /** Derivative of {@link #DIGAMMA}. */
    TRIGAMMA(1),
    /** a, 0 where it is NaN, s0 where it is infinite, s1 where it is minus infinity. */
    NAN_TO_NUM(1),
    /** log(a / (1 - a)), a limited to [s0, 1 - s0] unless s0 is negative. */
    LOGIT(1),
    /** (g, input), s0 as in {@link #LOGIT}. */
    LOGIT_BACKWARD(2),
    /** -a log(a); 0 at 0, minus infinity below. */
    ENTROPY(1),
    /** 0 below 0, b at 0, 1 above. */
    HEAVISIDE(2),
    /** log2(2^a + 2^b). */
    LOG_ADD_EXP2(2),
    /** The larger; a number wins over NaN. */
    FMAX(2),
    /** The smaller; a number wins over NaN. */
    FMIN(2),
    /** a limited to [b, c]. */
    CLAMP_TENSOR(3),
    /** Bitwise and of integers, logical of truth values. */
    BIT_AND(2),
    /** Bitwise or. */
    BIT_OR(2),
    /** Bitwise exclusive or. */
    BIT_XOR(2),
    /** Bitwise not of integers. */
    BIT_NOT(1),
    /** a / b, rounded toward zero. */
    TRUNC_DIVIDE(2),
    /** exp(a * a) * erfc(a), without overflow on the way. */
    ERFCX(1);

    private final int inputs;

    ElementOp(int inputs) {
        this.inputs = inputs;
    }

    /** {@return how many input operands it takes} */
    public int inputs() {
        return inputs;
    }
}

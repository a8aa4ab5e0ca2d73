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
    ABSOLUTE_ERROR_BACKWARD(3);

    private final int inputs;

    ElementOp(int inputs) {
        this.inputs = inputs;
    }

    /** How many input operands it takes. */
    public int inputs() {
        return inputs;
    }
}

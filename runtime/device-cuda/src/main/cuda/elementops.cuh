// Every element operation as a function of single values; the order is that of io.vramlab.device.ElementOp.
#pragma once
#include "common.cuh"

#define ELEMENT_OPS(X) \
    X(COPY) X(FILL) X(ADD) X(SUB) X(MUL) X(DIV) X(ADD_SCALAR) X(MUL_SCALAR) X(DIV_SCALAR) X(RSUB_SCALAR) \
    X(RDIV_SCALAR) X(POW_SCALAR) X(POW) X(MAXIMUM) X(MINIMUM) X(NEG) X(ABS) X(SIGN) X(RECIPROCAL) X(SQRT) X(RSQRT) \
    X(EXP) X(LOG) X(LOG1P) X(SIN) X(COS) X(ERF) X(FLOOR) X(CEIL) X(ROUND) X(TANH) X(SIGMOID) X(RELU) X(GELU) \
    X(GELU_TANH) X(SILU) X(CLAMP) X(EQ) X(NE) X(LT) X(LE) X(GT) X(GE) X(EQ_SCALAR) X(NE_SCALAR) X(LT_SCALAR) \
    X(LE_SCALAR) X(GT_SCALAR) X(GE_SCALAR) X(AND) X(OR) X(NOT) X(NOT_FINITE) X(WHERE) X(MASKED_FILL) X(ADDCMUL) \
    X(ADDCDIV) X(LERP) X(RELU_BACKWARD) X(GELU_BACKWARD) X(GELU_TANH_BACKWARD) X(TANH_BACKWARD) X(SIGMOID_BACKWARD) \
    X(SILU_BACKWARD) X(CLAMP_BACKWARD) X(ABS_BACKWARD) X(POW_SCALAR_BACKWARD) X(BCE_WITH_LOGITS) X(SQUARED_ERROR) \
    X(SQUARED_ERROR_BACKWARD) X(ABSOLUTE_ERROR) X(ABSOLUTE_ERROR_BACKWARD) \
    X(LEAKY_RELU) X(LEAKY_RELU_BACKWARD) X(ELU) X(ELU_BACKWARD) X(ELU_RESULT_BACKWARD) X(CELU) X(CELU_BACKWARD) \
    X(CELU_RESULT_BACKWARD) X(SOFTPLUS) X(SOFTPLUS_BACKWARD) X(HARDTANH_BACKWARD) X(HARDSWISH) X(HARDSWISH_BACKWARD) \
    X(HARDSIGMOID) X(HARDSIGMOID_BACKWARD) X(LOG_SIGMOID) X(LOG_SIGMOID_BACKWARD) X(MISH) X(MISH_BACKWARD) \
    X(THRESHOLD) X(THRESHOLD_BACKWARD) X(SOFTSHRINK) X(HARDSHRINK) X(SHRINK_BACKWARD) X(PRELU) X(PRELU_BACKWARD) \
    X(PRELU_BACKWARD_SLOPE) X(GLU) X(GLU_BACKWARD_GATE) X(SMOOTH_L1) X(SMOOTH_L1_BACKWARD) X(HUBER) X(HUBER_BACKWARD) \
    X(BCE) X(BCE_BACKWARD) X(XLOGY) X(TAN) X(SINH) X(COSH) X(ASIN) X(ACOS) X(ATAN) X(ASINH) X(ACOSH) X(ATANH) X(EXP2) \
    X(EXPM1) X(ERFC) X(LOG2) X(LOG10) X(TRUNC) X(FRAC) X(IS_INF) X(XOR) X(ATAN2) X(HYPOT) X(FMOD) X(REMAINDER) \
    X(FMOD_SCALAR) X(REMAINDER_SCALAR) X(FLOOR_DIVIDE) X(FLOOR_DIVIDE_SCALAR) X(LOG_ADD_EXP) X(COPY_SIGN) \
    X(LERP_TENSOR) \
    X(SINC) X(SIGN_BIT) X(ERF_INV) X(I0) X(I1) X(LGAMMA) X(DIGAMMA) X(TRIGAMMA) X(NAN_TO_NUM) X(LOGIT) X(LOGIT_BACKWARD) \
    X(ENTROPY) X(HEAVISIDE) X(LOG_ADD_EXP2) X(FMAX) X(FMIN) X(CLAMP_TENSOR) X(BIT_AND) X(BIT_OR) X(BIT_XOR) X(BIT_NOT) \
    X(TRUNC_DIVIDE) X(ERFCX)

#define NAME_OP(name) OP_##name,
enum { ELEMENT_OPS(NAME_OP) OP_COUNT };
#undef NAME_OP

__device__ __forceinline__ float f_exp(float x) { return expf(x); }
__device__ __forceinline__ double f_exp(double x) { return exp(x); }
__device__ __forceinline__ float f_log(float x) { return logf(x); }
__device__ __forceinline__ double f_log(double x) { return log(x); }
__device__ __forceinline__ float f_log1p(float x) { return log1pf(x); }
__device__ __forceinline__ double f_log1p(double x) { return log1p(x); }
__device__ __forceinline__ float f_sqrt(float x) { return sqrtf(x); }
__device__ __forceinline__ double f_sqrt(double x) { return sqrt(x); }
__device__ __forceinline__ float f_sin(float x) { return sinf(x); }
__device__ __forceinline__ double f_sin(double x) { return sin(x); }
__device__ __forceinline__ float f_cos(float x) { return cosf(x); }
__device__ __forceinline__ double f_cos(double x) { return cos(x); }
__device__ __forceinline__ float f_erf(float x) { return erff(x); }
__device__ __forceinline__ double f_erf(double x) { return erf(x); }
__device__ __forceinline__ float f_tanh(float x) { return tanhf(x); }
__device__ __forceinline__ double f_tanh(double x) { return tanh(x); }
__device__ __forceinline__ float f_floor(float x) { return floorf(x); }
__device__ __forceinline__ double f_floor(double x) { return floor(x); }
__device__ __forceinline__ float f_ceil(float x) { return ceilf(x); }
__device__ __forceinline__ double f_ceil(double x) { return ceil(x); }
__device__ __forceinline__ float f_rint(float x) { return rintf(x); }
__device__ __forceinline__ double f_rint(double x) { return rint(x); }
__device__ __forceinline__ float f_abs(float x) { return fabsf(x); }
__device__ __forceinline__ double f_abs(double x) { return fabs(x); }
__device__ __forceinline__ float f_pow(float x, float y) { return y == 2 ? x * x : powf(x, y); }
__device__ __forceinline__ double f_pow(double x, double y) { return y == 2 ? x * x : pow(x, y); }
__device__ __forceinline__ float f_expm1(float x) { return expm1f(x); }
__device__ __forceinline__ double f_expm1(double x) { return expm1(x); }
__device__ __forceinline__ float f_tan(float x) { return tanf(x); }
__device__ __forceinline__ double f_tan(double x) { return tan(x); }
__device__ __forceinline__ float f_sinh(float x) { return sinhf(x); }
__device__ __forceinline__ double f_sinh(double x) { return sinh(x); }
__device__ __forceinline__ float f_cosh(float x) { return coshf(x); }
__device__ __forceinline__ double f_cosh(double x) { return cosh(x); }
__device__ __forceinline__ float f_asin(float x) { return asinf(x); }
__device__ __forceinline__ double f_asin(double x) { return asin(x); }
__device__ __forceinline__ float f_acos(float x) { return acosf(x); }
__device__ __forceinline__ double f_acos(double x) { return acos(x); }
__device__ __forceinline__ float f_atan(float x) { return atanf(x); }
__device__ __forceinline__ double f_atan(double x) { return atan(x); }
__device__ __forceinline__ float f_asinh(float x) { return asinhf(x); }
__device__ __forceinline__ double f_asinh(double x) { return asinh(x); }
__device__ __forceinline__ float f_acosh(float x) { return acoshf(x); }
__device__ __forceinline__ double f_acosh(double x) { return acosh(x); }
__device__ __forceinline__ float f_atanh(float x) { return atanhf(x); }
__device__ __forceinline__ double f_atanh(double x) { return atanh(x); }
__device__ __forceinline__ float f_exp2(float x) { return exp2f(x); }
__device__ __forceinline__ double f_exp2(double x) { return exp2(x); }
__device__ __forceinline__ float f_erfc(float x) { return erfcf(x); }
__device__ __forceinline__ double f_erfc(double x) { return erfc(x); }
__device__ __forceinline__ float f_log2(float x) { return log2f(x); }
__device__ __forceinline__ double f_log2(double x) { return log2(x); }
__device__ __forceinline__ float f_log10(float x) { return log10f(x); }
__device__ __forceinline__ double f_log10(double x) { return log10(x); }
__device__ __forceinline__ float f_trunc(float x) { return truncf(x); }
__device__ __forceinline__ double f_trunc(double x) { return trunc(x); }
__device__ __forceinline__ float f_atan2(float x, float y) { return atan2f(x, y); }
__device__ __forceinline__ double f_atan2(double x, double y) { return atan2(x, y); }
__device__ __forceinline__ float f_hypot(float x, float y) { return hypotf(x, y); }
__device__ __forceinline__ double f_hypot(double x, double y) { return hypot(x, y); }
__device__ __forceinline__ float f_fmod(float x, float y) { return fmodf(x, y); }
__device__ __forceinline__ double f_fmod(double x, double y) { return fmod(x, y); }
__device__ __forceinline__ float f_copysign(float x, float y) { return copysignf(x, y); }
__device__ __forceinline__ double f_copysign(double x, double y) { return copysign(x, y); }

template <class C> __device__ __forceinline__ C sign_of(C a) {
    return a > 0 ? (C) 1 : a < 0 ? (C) -1 : (C) 0;
}

template <class C> __device__ __forceinline__ C sigmoid(C a) {
    return 1 / (1 + f_exp(-a));
}

template <class C> __device__ __forceinline__ C mish_slope(C x) {
    C h = f_tanh(f_log1p(f_exp(x)));
    return h + x * sigmoid(x) * (1 - h * h);
}

template <class C> __device__ __forceinline__ C smooth_l1(C z, C beta) {
    return z < beta ? (C) 0.5 * z * z / beta : z - (C) 0.5 * beta;
}

template <class C> __device__ __forceinline__ C huber(C z, C delta) {
    return z <= delta ? (C) 0.5 * z * z : delta * (z - (C) 0.5 * delta);
}

template <class C> __device__ __forceinline__ C remainder_of(C a, C b) {
    C r = f_fmod(a, b);
    return r != 0 && (b < 0) != (r < 0) ? r + b : r;
}

// As Python divides: rounded down from the exact remainder, so that a quotient just below a whole number stays below.
template <class C> __device__ __forceinline__ C floor_divide(C a, C b) {
    if (b == 0) {
        return a / b;
    }
    C r = f_fmod(a, b);
    C q = (a - r) / b;
    if (r != 0 && (b < 0) != (r < 0)) {
        q -= 1;
    }
    if (q == 0) {
        return f_copysign((C) 0, a / b);
    }
    C f = f_floor(q);
    return q - f > (C) 0.5 ? f + 1 : f;
}

template <class C> __device__ __forceinline__ C log_add_exp(C a, C b) {
    if (a == b && a - a != 0) {
        return a;
    }
    C m = a > b ? a : b;
    return a != a || b != b ? a + b : m + f_log1p(f_exp(-f_abs(a - b)));
}

template <class C> __device__ __forceinline__ C lerp_of(C a, C b, C w) {
    return f_abs(w) < (C) 0.5 ? a + w * (b - a) : b - (b - a) * (1 - w);
}

template <class C> __device__ __forceinline__ C normal(C a) {
    return (C) 0.5 * (1 + f_erf(a * (C) 0.70710678118654752440));
}

template <class C> __device__ __forceinline__ C gelu_inner(C a) {
    return (C) 0.79788456080286535588 * (a + (C) 0.044715 * a * a * a);
}

__device__ __forceinline__ float f_lgamma(float x) { return lgammaf(x); }
__device__ __forceinline__ double f_lgamma(double x) { return lgamma(x); }
__device__ __forceinline__ float f_erfinv(float x) { return erfinvf(x); }
__device__ __forceinline__ double f_erfinv(double x) { return erfinv(x); }
__device__ __forceinline__ float f_erfcx(float x) { return erfcxf(x); }
__device__ __forceinline__ double f_erfcx(double x) { return erfcx(x); }
__device__ __forceinline__ float f_i0(float x) { return cyl_bessel_i0f(x); }
__device__ __forceinline__ double f_i0(double x) { return cyl_bessel_i0(x); }
__device__ __forceinline__ float f_i1(float x) { return cyl_bessel_i1f(x); }
__device__ __forceinline__ double f_i1(double x) { return cyl_bessel_i1(x); }
__device__ __forceinline__ bool minus(float x) { return __float_as_int(x) < 0; }
__device__ __forceinline__ bool minus(double x) { return __double_as_longlong(x) < 0; }

// Recurrence up to 10, then the asymptotic series, as the simulated GPU does; in double.
__device__ __noinline__ double digamma_of(double x) {
    if (x == 0) {
        return minus(x) ? (double) INF_F : -(double) INF_F;
    }
    double below = 0;
    if (x < 0) {
        if (x == floor(x)) {
            return (double) NAN_F;
        }
        below = -3.14159265358979323846 / tan(3.14159265358979323846 * x);
        x = 1 - x;
    }
    for (; x < 10; x += 1) {
        below -= 1 / x;
    }
    double q = 1 / (x * x);
    double series = q * (1 / 12.0 - q * (1 / 120.0 - q * (1 / 252.0 - q * (1 / 240.0 - q / 132.0))));
    return below + log(x) - 0.5 / x - series;
}

__device__ __noinline__ double trigamma_of(double x) {
    double sign = 1, below = 0;
    if (x < 0.5) {
        double sine = sin(3.14159265358979323846 * x);
        below = 3.14159265358979323846 * 3.14159265358979323846 / (sine * sine);
        sign = -1;
        x = 1 - x;
    }
    for (; x < 10; x += 1) {
        below += sign / (x * x);
    }
    double q = 1 / (x * x);
    double series = q * (1 / 6.0 - q * (1 / 30.0 - q * (1 / 42.0 - q * (1 / 30.0 - q * 5 / 66.0))));
    return below + sign * (1 / x + 0.5 * q + series / x);
}

template <class C> __device__ __forceinline__ C logit_of(C a, C eps) {
    C z = eps < 0 ? a : smaller(larger(a, eps), 1 - eps);
    return f_log(z / (1 - z));
}

template <class C> __device__ __forceinline__ C logit_slope(C g, C x, C eps) {
    return eps < 0 ? (x < 0 || x > 1 ? (C) NAN_F : g / (x * (1 - x))) : x < eps || x > 1 - eps ? 0 : g / (x * (1 - x));
}

template <class C> __device__ __forceinline__ C log_add_exp2(C a, C b) {
    if (a == b && a - a != 0) {
        return a;
    }
    return (a > b ? a : b) + f_log1p(f_pow((C) 2, -f_abs(a - b))) * (C) 1.44269504088896340736;
}

// Operations that few programs use: not inlined, so that a driver translates them once and not in every kernel.
template <class C> __device__ __noinline__ C rarer(int op, C a, C b, C c, C s, C t) {
    switch (op) {
        case OP_LEAKY_RELU: return a > 0 ? a : a * s;
        case OP_LEAKY_RELU_BACKWARD: return b > 0 ? a : a * s;
        case OP_ELU: return a > 0 ? a * t : f_expm1(a) * s;
        case OP_ELU_BACKWARD: return b <= 0 ? a * s * f_exp(b) : a * t;
        case OP_ELU_RESULT_BACKWARD: return b <= 0 ? a * (b + s) : a * t;
        case OP_CELU: return a > 0 ? a : f_expm1(a / s) * s;
        case OP_CELU_BACKWARD: return b <= 0 ? a * f_exp(b / s) : a;
        case OP_CELU_RESULT_BACKWARD: return b <= 0 ? a / s * (b + s) : a;
        case OP_SOFTPLUS: return a * s > t ? a : f_log1p(f_exp(a * s)) / s;
        case OP_SOFTPLUS_BACKWARD: return b * s > t ? a : a * sigmoid(b * s);
        case OP_HARDTANH_BACKWARD: return b <= s || b >= t ? 0 : a;
        case OP_HARDSWISH: return a * smaller(larger(a + 3, (C) 0), (C) 6) / 6;
        case OP_HARDSWISH_BACKWARD: return b < -3 ? 0 : b <= 3 ? a * (b / 3 + (C) 0.5) : a;
        case OP_HARDSIGMOID: return smaller(larger(a + 3, (C) 0), (C) 6) / 6;
        case OP_HARDSIGMOID_BACKWARD: return b > -3 && b < 3 ? a / 6 : 0;
        case OP_LOG_SIGMOID: return smaller(a, (C) 0) - f_log1p(f_exp(-f_abs(a)));
        case OP_LOG_SIGMOID_BACKWARD: return a * sigmoid(-b);
        case OP_MISH: return a * f_tanh(f_log1p(f_exp(a)));
        case OP_MISH_BACKWARD: return a * mish_slope(b);
        case OP_THRESHOLD: return a <= s ? t : a;
        case OP_THRESHOLD_BACKWARD: return b <= s ? 0 : a;
        case OP_SOFTSHRINK: return a > s ? a - s : a < -s ? a + s : 0;
        case OP_HARDSHRINK: return a >= -s && a <= s ? 0 : a;
        case OP_SHRINK_BACKWARD: return b >= -s && b <= s ? 0 : a;
        case OP_PRELU: return a > 0 ? a : a * b;
        case OP_PRELU_BACKWARD: return b > 0 ? a : a * c;
        case OP_PRELU_BACKWARD_SLOPE: return b > 0 ? 0 : a * b;
        case OP_GLU: return a * sigmoid(b);
        case OP_GLU_BACKWARD_GATE: return a * b * sigmoid(c) * (1 - sigmoid(c));
        case OP_SMOOTH_L1: return smooth_l1(f_abs(a - b), s);
        case OP_SMOOTH_L1_BACKWARD: return b - c <= -t ? -s * a : b - c >= t ? s * a : s * (b - c) * a / t;
        case OP_HUBER: return huber(f_abs(a - b), s);
        case OP_HUBER_BACKWARD: return b - c <= -t ? -s * a * t : b - c >= t ? s * a * t : s * (b - c) * a;
        case OP_BCE: return (b - 1) * larger(f_log1p(-a), (C) -100) - b * larger(f_log(a), (C) -100);
        case OP_BCE_BACKWARD: return a * (b - c) / larger((1 - b) * b, (C) 1e-12);
        case OP_XLOGY: return b != b ? b : a == 0 ? 0 : a * f_log(b);
        case OP_SINC: return a == 0 ? 1 : f_sin((C) 3.14159265358979323846 * a) / ((C) 3.14159265358979323846 * a);
        case OP_SIGN_BIT: return minus(a);
        case OP_ERF_INV: return f_erfinv(a);
        case OP_ERFCX: return f_erfcx(a);
        case OP_I0: return f_i0(a);
        case OP_I1: return f_i1(a);
        case OP_LGAMMA: return f_lgamma(a);
        case OP_DIGAMMA: return (C) digamma_of((double) a);
        case OP_TRIGAMMA: return (C) trigamma_of((double) a);
        case OP_NAN_TO_NUM: return a != a ? 0 : a - a == 0 ? a : a > 0 ? s : t;
        case OP_LOGIT: return logit_of(a, s);
        case OP_LOGIT_BACKWARD: return logit_slope(a, b, s);
        case OP_ENTROPY: return a > 0 ? -a * f_log(a) : a == 0 ? 0 : a != a ? a : (C) -INF_F;
        case OP_HEAVISIDE: return a == 0 ? b : a < 0 ? 0 : 1;
        case OP_LOG_ADD_EXP2: return log_add_exp2(a, b);
        case OP_FMAX: return a != a ? b : b != b ? a : a > b ? a : b;
        case OP_FMIN: return a != a ? b : b != b ? a : a < b ? a : b;
        case OP_CLAMP_TENSOR: return smaller(larger(a, b), c);
        case OP_BIT_AND: return (C) ((i64) a & (i64) b);
        case OP_BIT_OR: return (C) ((i64) a | (i64) b);
        case OP_BIT_XOR: return (C) ((i64) a ^ (i64) b);
        case OP_BIT_NOT: return (C) ~(i64) a;
        case OP_TRUNC_DIVIDE: return a / b < 0 ? f_ceil(a / b) : f_floor(a / b);
        case OP_TAN: return f_tan(a);
        case OP_SINH: return f_sinh(a);
        case OP_COSH: return f_cosh(a);
        case OP_ASIN: return f_asin(a);
        case OP_ACOS: return f_acos(a);
        case OP_ATAN: return f_atan(a);
        case OP_ASINH: return f_asinh(a);
        case OP_ACOSH: return f_acosh(a);
        case OP_ATANH: return f_atanh(a);
        case OP_EXP2: return f_exp2(a);
        case OP_EXPM1: return f_expm1(a);
        case OP_ERFC: return f_erfc(a);
        case OP_LOG2: return f_log2(a);
        case OP_LOG10: return f_log10(a);
        case OP_TRUNC: return f_trunc(a);
        case OP_FRAC: return a - f_trunc(a);
        case OP_IS_INF: return (a == a && a - a != 0);
        case OP_XOR: return ((a != 0) != (b != 0));
        case OP_ATAN2: return f_atan2(a, b);
        case OP_HYPOT: return f_hypot(a, b);
        case OP_FMOD: return f_fmod(a, b);
        case OP_REMAINDER: return remainder_of(a, b);
        case OP_FMOD_SCALAR: return f_fmod(a, s);
        case OP_REMAINDER_SCALAR: return remainder_of(a, s);
        case OP_FLOOR_DIVIDE: return floor_divide(a, b);
        case OP_FLOOR_DIVIDE_SCALAR: return floor_divide(a, s);
        case OP_LOG_ADD_EXP: return log_add_exp(a, b);
        case OP_COPY_SIGN: return f_copysign(a, b);
        case OP_LERP_TENSOR: return lerp_of(a, b, c);
        default: return NAN_F;
    }
}

// For float and double.
template <class C> __device__ __forceinline__ C eval(int op, C a, C b, C c, C s, C t) {
    switch (op) {
        case OP_COPY: return a;
        case OP_FILL: return s;
        case OP_ADD: return a + s * b;
        case OP_SUB: return a - s * b;
        case OP_MUL: return a * b;
        case OP_DIV: return a / b;
        case OP_ADD_SCALAR: return a + s;
        case OP_MUL_SCALAR: return a * s;
        case OP_DIV_SCALAR: return a / s;
        case OP_RSUB_SCALAR: return s - a;
        case OP_RDIV_SCALAR: return s / a;
        case OP_POW_SCALAR: return f_pow(a, s);
        case OP_POW: return f_pow(a, b);
        case OP_MAXIMUM: return larger(a, b);
        case OP_MINIMUM: return smaller(a, b);
        case OP_NEG: return -a;
        case OP_ABS: return f_abs(a);
        case OP_SIGN: return sign_of(a);
        case OP_RECIPROCAL: return 1 / a;
        case OP_SQRT: return f_sqrt(a);
        case OP_RSQRT: return 1 / f_sqrt(a);
        case OP_EXP: return f_exp(a);
        case OP_LOG: return f_log(a);
        case OP_LOG1P: return f_log1p(a);
        case OP_SIN: return f_sin(a);
        case OP_COS: return f_cos(a);
        case OP_ERF: return f_erf(a);
        case OP_FLOOR: return f_floor(a);
        case OP_CEIL: return f_ceil(a);
        case OP_ROUND: return f_rint(a);
        case OP_TANH: return f_tanh(a);
        case OP_SIGMOID: return sigmoid(a);
        case OP_RELU: return a < 0 ? 0 : a;
        case OP_GELU: return a * normal(a);
        case OP_GELU_TANH: return (C) 0.5 * a * (1 + f_tanh(gelu_inner(a)));
        case OP_SILU: return a * sigmoid(a);
        case OP_CLAMP: return a != a ? a : a < s ? (s > t ? t : s) : a > t ? t : a;
        case OP_EQ: return a == b;
        case OP_NE: return a != b;
        case OP_LT: return a < b;
        case OP_LE: return a <= b;
        case OP_GT: return a > b;
        case OP_GE: return a >= b;
        case OP_EQ_SCALAR: return a == s;
        case OP_NE_SCALAR: return a != s;
        case OP_LT_SCALAR: return a < s;
        case OP_LE_SCALAR: return a <= s;
        case OP_GT_SCALAR: return a > s;
        case OP_GE_SCALAR: return a >= s;
        case OP_AND: return a != 0 && b != 0;
        case OP_OR: return a != 0 || b != 0;
        case OP_NOT: return a == 0;
        case OP_NOT_FINITE: return a - a != 0;
        case OP_WHERE: return a != 0 ? b : c;
        case OP_MASKED_FILL: return b != 0 ? s : a;
        case OP_ADDCMUL: return a + s * b * c;
        case OP_ADDCDIV: return a + s * b / c;
        case OP_LERP: return f_abs(s) < (C) 0.5 ? a + s * (b - a) : b - (b - a) * (1 - s);
        case OP_RELU_BACKWARD: return b <= 0 ? 0 : a;
        case OP_GELU_BACKWARD:
            return a * (normal(b) + b * (C) 0.39894228040143267794 * f_exp((C) -0.5 * b * b));
        case OP_GELU_TANH_BACKWARD: {
            C h = f_tanh(gelu_inner(b));
            C inner = (C) 0.79788456080286535588 * (1 + (C) 0.134145 * b * b);
            return a * ((C) 0.5 * (1 + h) + (C) 0.5 * b * (1 - h * h) * inner);
        }
        case OP_TANH_BACKWARD: return a * (1 - b * b);
        case OP_SIGMOID_BACKWARD: return a * b * (1 - b);
        case OP_SILU_BACKWARD: {
            C y = sigmoid(b);
            return a * y * (1 + b * (1 - y));
        }
        case OP_CLAMP_BACKWARD: return b >= s && b <= t ? a : 0;
        case OP_ABS_BACKWARD: return a * sign_of(b);
        case OP_POW_SCALAR_BACKWARD: return s == 0 ? 0 : a * s * f_pow(b, s - 1);
        case OP_BCE_WITH_LOGITS: return (1 - b) * a + larger(-a, (C) 0) + f_log1p(f_exp(-f_abs(a)));
        case OP_SQUARED_ERROR: return (a - b) * (a - b);
        case OP_SQUARED_ERROR_BACKWARD: return s * (b - c) * a;
        case OP_ABSOLUTE_ERROR: return f_abs(a - b);
        case OP_ABSOLUTE_ERROR_BACKWARD: return s * sign_of(b - c) * a;
        default: return rarer<C>(op, a, b, c, s, t);
    }
}

// Towards zero; by zero -1, as the hardware answers.
__device__ __forceinline__ i64 divide(i64 a, i64 b) {
    return b == 0 ? -1 : b == -1 ? -a : a / b;
}

__device__ __forceinline__ i64 floor_mod(i64 a, i64 b) {
    i64 r = b == 0 || b == -1 ? 0 : a % b;
    return r != 0 && (b < 0) != (r < 0) ? r + b : r;
}

__device__ __forceinline__ i64 floor_div(i64 a, i64 b) {
    return b == 0 || b == -1 ? divide(a, b) : (a - floor_mod(a, b)) / b;
}

__device__ __forceinline__ i64 power(i64 a, i64 e) {
    if (e < 0) {
        return a == 1 ? 1 : a == -1 ? (e % 2 == 0 ? 1 : -1) : 0;
    }
    i64 r = 1;
    for (; e > 0; e >>= 1) {
        if (e & 1) {
            r *= a;
        }
        a *= a;
    }
    return r;
}

// For integers and truth values; operations that integers have no form of are computed in double by the caller.
template <> __device__ __forceinline__ i64 eval<i64>(int op, i64 a, i64 b, i64 c, i64 s, i64 t) {
    switch (op) {
        case OP_COPY: case OP_FLOOR: case OP_CEIL: case OP_ROUND: return a;
        case OP_FILL: return s;
        case OP_ADD: return a + s * b;
        case OP_SUB: return a - s * b;
        case OP_MUL: return a * b;
        case OP_DIV: return divide(a, b);
        case OP_ADD_SCALAR: return a + s;
        case OP_MUL_SCALAR: return a * s;
        case OP_DIV_SCALAR: return divide(a, s);
        case OP_RSUB_SCALAR: return s - a;
        case OP_RDIV_SCALAR: return divide(s, a);
        case OP_RECIPROCAL: return divide(1, a);
        case OP_POW_SCALAR: return power(a, s);
        case OP_POW: return power(a, b);
        case OP_MAXIMUM: return a > b ? a : b;
        case OP_MINIMUM: return a < b ? a : b;
        case OP_NEG: return -a;
        case OP_ABS: return a < 0 ? -a : a;
        case OP_SIGN: return sign_of(a);
        case OP_RELU: return a < 0 ? 0 : a;
        case OP_CLAMP: { i64 low = a > s ? a : s; return low < t ? low : t; }
        case OP_EQ: return a == b;
        case OP_NE: return a != b;
        case OP_LT: return a < b;
        case OP_LE: return a <= b;
        case OP_GT: return a > b;
        case OP_GE: return a >= b;
        case OP_EQ_SCALAR: return a == s;
        case OP_NE_SCALAR: return a != s;
        case OP_LT_SCALAR: return a < s;
        case OP_LE_SCALAR: return a <= s;
        case OP_GT_SCALAR: return a > s;
        case OP_GE_SCALAR: return a >= s;
        case OP_AND: return a != 0 && b != 0;
        case OP_OR: return a != 0 || b != 0;
        case OP_NOT: return a == 0;
        case OP_WHERE: return a != 0 ? b : c;
        case OP_MASKED_FILL: return b != 0 ? s : a;
        case OP_ADDCMUL: return a + s * b * c;
        case OP_ADDCDIV: return a + divide(s * b, c);
        case OP_RELU_BACKWARD: return b <= 0 ? 0 : a;
        case OP_SQUARED_ERROR: return (a - b) * (a - b);
        case OP_ABSOLUTE_ERROR: return a < b ? b - a : a - b;
        case OP_BIT_AND: return a & b;
        case OP_BIT_OR: return a | b;
        case OP_BIT_XOR: return a ^ b;
        case OP_BIT_NOT: return ~a;
        case OP_TRUNC_DIVIDE: return divide(a, b);
        case OP_FMAX: return a > b ? a : b;
        case OP_FMIN: return a < b ? a : b;
        case OP_CLAMP_TENSOR: { i64 low = a > b ? a : b; return low < c ? low : c; }
        case OP_HEAVISIDE: return a == 0 ? b : a < 0 ? 0 : 1;
        case OP_SIGN_BIT: return a < 0;
        case OP_TRUNC: return a;
        case OP_FRAC: return 0;
        case OP_IS_INF: return 0;
        case OP_XOR: return (a != 0) != (b != 0);
        case OP_FMOD: return b == 0 ? 0 : b == -1 ? 0 : a % b;
        case OP_FMOD_SCALAR: return s == 0 ? 0 : s == -1 ? 0 : a % s;
        case OP_REMAINDER: return floor_mod(a, b);
        case OP_REMAINDER_SCALAR: return floor_mod(a, s);
        case OP_FLOOR_DIVIDE: return floor_div(a, b);
        case OP_FLOOR_DIVIDE_SCALAR: return floor_div(a, s);
        case OP_THRESHOLD: return a <= s ? t : a;
        default: return 0;
    }
}

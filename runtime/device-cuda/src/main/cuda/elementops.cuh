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
    X(SQUARED_ERROR_BACKWARD) X(ABSOLUTE_ERROR) X(ABSOLUTE_ERROR_BACKWARD)

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

template <class C> __device__ __forceinline__ C sign_of(C a) {
    return a > 0 ? (C) 1 : a < 0 ? (C) -1 : (C) 0;
}

template <class C> __device__ __forceinline__ C sigmoid(C a) {
    return 1 / (1 + f_exp(-a));
}

template <class C> __device__ __forceinline__ C normal(C a) {
    return (C) 0.5 * (1 + f_erf(a * (C) 0.70710678118654752440));
}

template <class C> __device__ __forceinline__ C gelu_inner(C a) {
    return (C) 0.79788456080286535588 * (a + (C) 0.044715 * a * a * a);
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
        default: return NAN_F;
    }
}

// Towards zero; by zero -1, as the hardware answers.
__device__ __forceinline__ i64 divide(i64 a, i64 b) {
    return b == 0 ? -1 : b == -1 ? -a : a / b;
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
        default: return 0;
    }
}

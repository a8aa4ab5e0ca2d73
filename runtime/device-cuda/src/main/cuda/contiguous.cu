// Element-by-element operations on contiguous float32, sixteen bytes at a time: one kernel per operation.
#include "elementops.cuh"

struct ContiguousArgs {
    float* out;
    const float* in[3];
    i64 n;
    float s, t;
};

template <int OP> __device__ __forceinline__ float4 eval4(float4 a, float4 b, float4 c, float s, float t) {
    float4 r;
    r.x = eval<float>(OP, a.x, b.x, c.x, s, t);
    r.y = eval<float>(OP, a.y, b.y, c.y, s, t);
    r.z = eval<float>(OP, a.z, b.z, c.z, s, t);
    r.w = eval<float>(OP, a.w, b.w, c.w, s, t);
    return r;
}

// Two float4 per thread, all loads before the first use.
template <int OP, int INPUTS> __device__ __forceinline__ void contiguous(const ContiguousArgs& a) {
    i64 quads = a.n >> 2;
    i64 i = (i64) blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    i64 j = i + blockDim.x;
    float4 zero = make_float4(0, 0, 0, 0);
    float4 x[2][3] = {{zero, zero, zero}, {zero, zero, zero}};
#pragma unroll
    for (int k = 0; k < INPUTS; k++) {
        if (i < quads) x[0][k] = ((const float4*) a.in[k])[i];
        if (j < quads) x[1][k] = ((const float4*) a.in[k])[j];
    }
    if (i < quads) ((float4*) a.out)[i] = eval4<OP>(x[0][0], x[0][1], x[0][2], a.s, a.t);
    if (j < quads) ((float4*) a.out)[j] = eval4<OP>(x[1][0], x[1][1], x[1][2], a.s, a.t);
    i64 k = (quads << 2) + i;
    if (k < a.n) {
        float v[3] = {0, 0, 0};
        for (int m = 0; m < INPUTS; m++) {
            v[m] = a.in[m][k];
        }
        a.out[k] = eval<float>(OP, v[0], v[1], v[2], a.s, a.t);
    }
}

#define CONTIGUOUS(name, inputs) KERNEL contiguous_##name(ContiguousArgs a) { contiguous<OP_##name, inputs>(a); }
CONTIGUOUS(FILL, 0)
CONTIGUOUS(ADD, 2) CONTIGUOUS(SUB, 2) CONTIGUOUS(MUL, 2) CONTIGUOUS(DIV, 2)
CONTIGUOUS(ADD_SCALAR, 1) CONTIGUOUS(MUL_SCALAR, 1) CONTIGUOUS(DIV_SCALAR, 1)
CONTIGUOUS(NEG, 1) CONTIGUOUS(SQRT, 1) CONTIGUOUS(EXP, 1) CONTIGUOUS(TANH, 1) CONTIGUOUS(SIGMOID, 1)
CONTIGUOUS(RELU, 1) CONTIGUOUS(GELU, 1) CONTIGUOUS(SILU, 1)
CONTIGUOUS(ADDCMUL, 3) CONTIGUOUS(ADDCDIV, 3) CONTIGUOUS(LERP, 2)
CONTIGUOUS(RELU_BACKWARD, 2) CONTIGUOUS(GELU_BACKWARD, 2) CONTIGUOUS(SILU_BACKWARD, 2)
CONTIGUOUS(TANH_BACKWARD, 2) CONTIGUOUS(SIGMOID_BACKWARD, 2)
CONTIGUOUS(SQUARED_ERROR, 2) CONTIGUOUS(SQUARED_ERROR_BACKWARD, 3)

// The second input is one row, repeated: its quads follow each other every `width` quads.
struct RowArgs {
    float* out;
    const float* a;
    const float* row;
    i64 n;
    u32 width;
    float s;
};

template <int OP> __device__ __forceinline__ void rows(const RowArgs& a) {
    i64 quads = a.n >> 2;
    float4 zero = make_float4(0, 0, 0, 0);
    i64 i = (i64) blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    i64 j = i + blockDim.x;
    float4 x = zero, y = zero, p = zero, q = zero;
    if (i < quads) {
        x = ((const float4*) a.a)[i];
        p = ((const float4*) a.row)[(i >> 32) == 0 ? (u32) i % a.width : i % a.width];
    }
    if (j < quads) {
        y = ((const float4*) a.a)[j];
        q = ((const float4*) a.row)[(j >> 32) == 0 ? (u32) j % a.width : j % a.width];
    }
    if (i < quads) ((float4*) a.out)[i] = eval4<OP>(x, p, zero, a.s, 0);
    if (j < quads) ((float4*) a.out)[j] = eval4<OP>(y, q, zero, a.s, 0);
}

#define ROWS(name) KERNEL rows_##name(RowArgs a) { rows<OP_##name>(a); }
ROWS(ADD) ROWS(SUB) ROWS(MUL) ROWS(DIV)

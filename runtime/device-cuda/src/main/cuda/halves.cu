// Element-by-element operations on contiguous float16 and bfloat16, and conversions between them and float32: eight elements
// at a time, computed in float32 and rounded once.
#include "elementops.cuh"

struct HalfArgs {
    void* out;
    const void* in[3];
    i64 n;
    float s, t;
    int bf; // 1 for bfloat16
};

__device__ __forceinline__ float widen(u32 h, int bf) {
    return bf ? bf16_to_float((unsigned short) h) : half_to_float((unsigned short) h);
}

__device__ __forceinline__ u32 narrow(float f, int bf) {
    return bf ? float_to_bf16(f) : float_to_half(f);
}

__device__ __forceinline__ u32 word(const uint4& v, int k) {
    return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
}

template <int OP, int INPUTS> __device__ __forceinline__ u32 eval2(const uint4* x, int k, const HalfArgs& a) {
    float low[3] = {0, 0, 0};
    float high[3] = {0, 0, 0};
#pragma unroll
    for (int m = 0; m < INPUTS; m++) {
        u32 w = word(x[m], k);
        low[m] = widen(w & 0xffff, a.bf);
        high[m] = widen(w >> 16, a.bf);
    }
    return narrow(eval<float>(OP, low[0], low[1], low[2], a.s, a.t), a.bf)
            | narrow(eval<float>(OP, high[0], high[1], high[2], a.s, a.t), a.bf) << 16;
}

template <int OP, int INPUTS> __device__ __forceinline__ void halves(const HalfArgs& a) {
    i64 octets = a.n >> 3;
    i64 i = thread_index();
    if (i < octets) {
        uint4 x[3];
#pragma unroll
        for (int m = 0; m < INPUTS; m++) {
            x[m] = ((const uint4*) a.in[m])[i];
        }
        uint4 r;
        r.x = eval2<OP, INPUTS>(x, 0, a);
        r.y = eval2<OP, INPUTS>(x, 1, a);
        r.z = eval2<OP, INPUTS>(x, 2, a);
        r.w = eval2<OP, INPUTS>(x, 3, a);
        ((uint4*) a.out)[i] = r;
    }
    i64 k = (octets << 3) + i;
    if (k < a.n) {
        float v[3] = {0, 0, 0};
        for (int m = 0; m < INPUTS; m++) {
            v[m] = widen(((const unsigned short*) a.in[m])[k], a.bf);
        }
        ((unsigned short*) a.out)[k] = (unsigned short) narrow(eval<float>(OP, v[0], v[1], v[2], a.s, a.t), a.bf);
    }
}

#define HALVES(name, inputs) KERNEL halves_##name(HalfArgs a) { halves<OP_##name, inputs>(a); }
HALVES(FILL, 0)
HALVES(ADD, 2) HALVES(SUB, 2) HALVES(MUL, 2) HALVES(DIV, 2)
HALVES(ADD_SCALAR, 1) HALVES(MUL_SCALAR, 1) HALVES(DIV_SCALAR, 1)
HALVES(NEG, 1) HALVES(SQRT, 1) HALVES(EXP, 1) HALVES(TANH, 1) HALVES(SIGMOID, 1)
HALVES(RELU, 1) HALVES(GELU, 1) HALVES(SILU, 1)
HALVES(ADDCMUL, 3) HALVES(ADDCDIV, 3) HALVES(LERP, 2)
HALVES(RELU_BACKWARD, 2) HALVES(GELU_BACKWARD, 2) HALVES(SILU_BACKWARD, 2)
HALVES(TANH_BACKWARD, 2) HALVES(SIGMOID_BACKWARD, 2)
HALVES(SQUARED_ERROR, 2) HALVES(SQUARED_ERROR_BACKWARD, 3)

KERNEL halves_to_float(HalfArgs a) {
    i64 octets = a.n >> 3;
    i64 i = thread_index();
    if (i < octets) {
        uint4 x = ((const uint4*) a.in[0])[i];
        float4* out = (float4*) a.out + 2 * i;
        out[0] = make_float4(widen(x.x & 0xffff, a.bf), widen(x.x >> 16, a.bf), widen(x.y & 0xffff, a.bf),
                widen(x.y >> 16, a.bf));
        out[1] = make_float4(widen(x.z & 0xffff, a.bf), widen(x.z >> 16, a.bf), widen(x.w & 0xffff, a.bf),
                widen(x.w >> 16, a.bf));
    }
    i64 k = (octets << 3) + i;
    if (k < a.n) {
        ((float*) a.out)[k] = widen(((const unsigned short*) a.in[0])[k], a.bf);
    }
}

KERNEL halves_of_float(HalfArgs a) {
    i64 octets = a.n >> 3;
    i64 i = thread_index();
    if (i < octets) {
        const float4* in = (const float4*) a.in[0] + 2 * i;
        float4 x = in[0];
        float4 y = in[1];
        uint4 r;
        r.x = narrow(x.x, a.bf) | narrow(x.y, a.bf) << 16;
        r.y = narrow(x.z, a.bf) | narrow(x.w, a.bf) << 16;
        r.z = narrow(y.x, a.bf) | narrow(y.y, a.bf) << 16;
        r.w = narrow(y.z, a.bf) | narrow(y.w, a.bf) << 16;
        ((uint4*) a.out)[i] = r;
    }
    i64 k = (octets << 3) + i;
    if (k < a.n) {
        ((unsigned short*) a.out)[k] = (unsigned short) narrow(((const float*) a.in[0])[k], a.bf);
    }
}

// Eight neighbouring elements at once, of float32, float16 or bfloat16, computed in float32. Addresses are multiples of 16 bytes.
#pragma once
#include "common.cuh"

template <int DT> __device__ __forceinline__ float element(u32 bits) {
    return DT == BF16 ? bf16_to_float((unsigned short) bits) : half_to_float((unsigned short) bits);
}

template <int DT> __device__ __forceinline__ u32 bits_of(float f) {
    return DT == BF16 ? float_to_bf16(f) : float_to_half(f);
}

template <int DT> __device__ __forceinline__ void load8(const void* p, i64 octet, float* x) {
    if (DT == F32) {
        float4 a = ((const float4*) p)[2 * octet];
        float4 b = ((const float4*) p)[2 * octet + 1];
        x[0] = a.x, x[1] = a.y, x[2] = a.z, x[3] = a.w, x[4] = b.x, x[5] = b.y, x[6] = b.z, x[7] = b.w;
    } else {
        uint4 a = ((const uint4*) p)[octet];
        u32 w[4] = {a.x, a.y, a.z, a.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            x[2 * k] = element<DT>(w[k] & 0xffff);
            x[2 * k + 1] = element<DT>(w[k] >> 16);
        }
    }
}

template <int DT> __device__ __forceinline__ void store8(void* p, i64 octet, const float* x) {
    if (DT == F32) {
        ((float4*) p)[2 * octet] = make_float4(x[0], x[1], x[2], x[3]);
        ((float4*) p)[2 * octet + 1] = make_float4(x[4], x[5], x[6], x[7]);
    } else {
        u32 w[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            w[k] = bits_of<DT>(x[2 * k]) | bits_of<DT>(x[2 * k + 1]) << 16;
        }
        ((uint4*) p)[octet] = make_uint4(w[0], w[1], w[2], w[3]);
    }
}

// float32 where `wide`, else as the kernel's other operands.
template <int DT> __device__ __forceinline__ void load8_of(const void* p, i64 octet, int wide, float* x) {
    if (wide) {
        load8<F32>(p, octet, x);
    } else {
        load8<DT>(p, octet, x);
    }
}

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
    for (int by = 16; by > 0; by >>= 1) {
        v += __shfl_xor_sync(0xffffffffu, v, by);
    }
    return v;
}

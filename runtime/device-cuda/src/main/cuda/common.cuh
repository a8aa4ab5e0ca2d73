// What every kernel shares: dtypes, operands as row-major sequences, conversions, sums over a block.
// Written without CUDA's headers, so that the compiler library alone (NVRTC) compiles it anywhere.
#pragma once

typedef long long i64;
typedef unsigned int u32;
typedef unsigned long long u64;

// the order of io.vramlab.device.DType
enum { F32, F64, F16, BF16, I64, I32, U8, BOOL };

#define KERNEL extern "C" __global__ void
#define INF_F __int_as_float(0x7f800000)
#define NAN_F __int_as_float(0x7fffffff)

// A strided operand. Dimensions that are walked as one are merged before the launch, so that a contiguous one has rank 1.
struct View {
    char* p;
    int dt;
    int rank;
    u32 size[8];
    i64 stride[8];
};

__device__ __forceinline__ i64 offset_of(const View& v, i64 i) {
    if (v.rank == 1) {
        return i * v.stride[0];
    }
    i64 at = 0;
    if ((i >> 32) == 0) {
        u32 rest = (u32) i;
#pragma unroll 1
        for (int d = v.rank - 1; d > 0; d--) {
            u32 q = rest / v.size[d];
            at += (rest - q * v.size[d]) * v.stride[d];
            rest = q;
        }
        return at + rest * v.stride[0];
    }
#pragma unroll 1
    for (int d = v.rank - 1; d > 0; d--) {
        i64 q = i / v.size[d];
        at += (i - q * v.size[d]) * v.stride[d];
        i = q;
    }
    return at + i * v.stride[0];
}

__device__ __forceinline__ float half_to_float(unsigned short h) {
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
}

__device__ __forceinline__ unsigned short float_to_half(float f) {
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
}

__device__ __forceinline__ float bf16_to_float(unsigned short h) {
    return __uint_as_float((u32) h << 16);
}

__device__ __forceinline__ unsigned short float_to_bf16(float f) {
    u32 bits = __float_as_uint(f);
    if ((bits & 0x7fffffff) > 0x7f800000) {
        return 0x7fff;
    }
    return (unsigned short) ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// Called, not pasted, unless a file asks for it: a dozen copies of each in every kernel take the driver seconds to compile.
#ifdef PASTE_ACCESS
#define ACCESS __forceinline__
#else
#define ACCESS __noinline__
#endif

template <class C> __device__ ACCESS C load_at(const char* p, int dt, i64 at) {
    switch (dt) {
        case F32: return (C) ((const float*) p)[at];
        case F64: return (C) ((const double*) p)[at];
        case F16: return (C) half_to_float(((const unsigned short*) p)[at]);
        case BF16: return (C) bf16_to_float(((const unsigned short*) p)[at]);
        case I64: return (C) ((const i64*) p)[at];
        case I32: return (C) ((const int*) p)[at];
        default: return (C) ((const unsigned char*) p)[at];
    }
}

template <class C> __device__ ACCESS void store_at(char* p, int dt, i64 at, C value) {
    switch (dt) {
        case F32: ((float*) p)[at] = (float) value; break;
        case F64: ((double*) p)[at] = (double) value; break;
        case F16: ((unsigned short*) p)[at] = float_to_half((float) value); break;
        case BF16: ((unsigned short*) p)[at] = float_to_bf16((float) value); break;
        case I64: ((i64*) p)[at] = (i64) value; break;
        case I32: ((int*) p)[at] = (int) (i64) value; break;
        case U8: ((unsigned char*) p)[at] = (unsigned char) (i64) value; break;
        default: ((unsigned char*) p)[at] = value != 0; break;
    }
}

template <class C> __device__ __forceinline__ C load(const View& v, i64 i) {
    return load_at<C>(v.p, v.dt, offset_of(v, i));
}

template <class C> __device__ __forceinline__ void store(const View& v, i64 i, C value) {
    store_at<C>(v.p, v.dt, offset_of(v, i), value);
}

__device__ __forceinline__ void copy_element(const View& to, i64 j, const View& from, i64 i) {
    i64 a = offset_of(from, i);
    i64 b = offset_of(to, j);
    switch (to.dt) {
        case F64: case I64: ((i64*) to.p)[b] = ((const i64*) from.p)[a]; break;
        case F32: case I32: ((int*) to.p)[b] = ((const int*) from.p)[a]; break;
        case F16: case BF16: ((short*) to.p)[b] = ((const short*) from.p)[a]; break;
        default: to.p[b] = from.p[a]; break;
    }
}

__device__ __forceinline__ i64 thread_index() {
    return (i64) blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ i64 thread_count() {
    return (i64) gridDim.x * blockDim.x;
}

template <class C> __device__ __forceinline__ C shuffle_down(C v, int by) {
    return __shfl_down_sync(0xffffffffu, v, by);
}

// Sum over the block in a fixed order; every thread gets it. Blocks are multiples of 32, at most 1024.
template <class C> __device__ C block_sum(C v) {
    __shared__ C part[33];
    __syncthreads();
    for (int by = 16; by > 0; by >>= 1) {
        v += shuffle_down(v, by);
    }
    if ((threadIdx.x & 31) == 0) {
        part[threadIdx.x >> 5] = v;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < (blockDim.x >> 5) ? part[threadIdx.x] : (C) 0;
        for (int by = 16; by > 0; by >>= 1) {
            v += shuffle_down(v, by);
        }
        if (threadIdx.x == 0) {
            part[32] = v;
        }
    }
    __syncthreads();
    return part[32];
}

// Largest over the block; NaN wins.
template <class C> __device__ __forceinline__ C larger(C a, C b) {
    return a != a ? a : b != b ? b : a > b ? a : b;
}

template <class C> __device__ __forceinline__ C smaller(C a, C b) {
    return a != a ? a : b != b ? b : a < b ? a : b;
}

template <class C> __device__ C block_max(C v) {
    __shared__ C part[33];
    __syncthreads();
    for (int by = 16; by > 0; by >>= 1) {
        v = larger(v, shuffle_down(v, by));
    }
    if ((threadIdx.x & 31) == 0) {
        part[threadIdx.x >> 5] = v;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        v = part[threadIdx.x < (blockDim.x >> 5) ? threadIdx.x : 0];
        for (int by = 16; by > 0; by >>= 1) {
            v = larger(v, shuffle_down(v, by));
        }
        if (threadIdx.x == 0) {
            part[32] = v;
        }
    }
    __syncthreads();
    return part[32];
}

// The device side of assert(): prints the text and loses the context with CUDA_ERROR_ASSERT, as PyTorch's kernels do.
extern "C" __device__ void __assertfail(const char* message, const char* file, u32 line, const char* function,
        size_t charSize);

#define REQUIRE(condition, text) \
    if (!(condition)) { \
        __assertfail(text, "vramlab", __LINE__, __FUNCTION__, 1); \
    }

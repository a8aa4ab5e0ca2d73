// Softmax of long contiguous rows, a multiple of 8 elements: a block to each, which reads them twice.
#include "vectors.cuh"

struct LongRowArgs {
    void* out;
    const void* a; // forward: the input; backward: the incoming gradient
    const void* b; // backward: the forward result
    i64 rows;
    i64 length;
    int log;
};

template <int DT> __device__ __forceinline__ void long_softmax(const LongRowArgs& a) {
    i64 octets = a.length >> 3;
    i64 base = (i64) blockIdx.x * octets;
    float most = -INF_F;
    float sum = 0;
#pragma unroll 2
    for (i64 j = threadIdx.x; j < octets; j += blockDim.x) {
        float x[8];
        load8<DT>(a.a, base + j, x);
        float now = most;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            now = fmaxf(now, x[i]);
        }
        // nothing but minus infinity so far: 0 stands for it, and every exponential is 0
        float shift = now == -INF_F ? 0 : now;
        sum *= __expf(most - shift);
        most = now;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            sum += __expf(x[i] - shift);
        }
    }
    float all = block_max(most);
    float shift = all == -INF_F ? 0 : all;
    sum = block_sum(sum * __expf(most - shift));
    float scale = a.log ? all + logf(sum) : 1 / sum;
#pragma unroll 2
    for (i64 j = threadIdx.x; j < octets; j += blockDim.x) {
        float x[8];
        load8<DT>(a.a, base + j, x);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            x[i] = a.log ? x[i] - scale : __expf(x[i] - all) * scale;
        }
        store8<DT>(a.out, base + j, x);
    }
}

template <int DT> __device__ __forceinline__ void long_softmax_backward(const LongRowArgs& a) {
    i64 octets = a.length >> 3;
    i64 base = (i64) blockIdx.x * octets;
    float sum = 0;
#pragma unroll 2
    for (i64 j = threadIdx.x; j < octets; j += blockDim.x) {
        float g[8];
        load8<DT>(a.a, base + j, g);
        if (a.log) {
#pragma unroll
            for (int i = 0; i < 8; i++) {
                sum += g[i];
            }
        } else {
            float y[8];
            load8<DT>(a.b, base + j, y);
#pragma unroll
            for (int i = 0; i < 8; i++) {
                sum += g[i] * y[i];
            }
        }
    }
    sum = block_sum(sum);
#pragma unroll 2
    for (i64 j = threadIdx.x; j < octets; j += blockDim.x) {
        float g[8];
        float y[8];
        load8<DT>(a.a, base + j, g);
        load8<DT>(a.b, base + j, y);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            g[i] = a.log ? g[i] - __expf(y[i]) * sum : (g[i] - sum) * y[i];
        }
        store8<DT>(a.out, base + j, g);
    }
}

#define ROWS(NAME, DT) \
    KERNEL long_softmax_##NAME(LongRowArgs a) { long_softmax<DT>(a); } \
    KERNEL long_softmax_backward_##NAME(LongRowArgs a) { long_softmax_backward<DT>(a); }

ROWS(FLOAT16, F16)
ROWS(BFLOAT16, BF16)

// Copies of whole vectors of 16 bytes between any orders in memory, and sums of float32 with 16-bit elements.
#include "vectors.cuh"

struct CopyArgs {
    View out; // sizes and strides count vectors
    View in;
    i64 n;
};

KERNEL copy_vectors(CopyArgs a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        ((uint4*) a.out.p)[offset_of(a.out, i)] = ((const uint4*) a.in.p)[offset_of(a.in, i)];
    }
}

struct MixedArgs {
    float* out;
    const float* wide;
    const void* narrow;
    i64 octets;
    float ofWide;
    float ofNarrow;
};

template <int DT> __device__ __forceinline__ void add_mixed(const MixedArgs& a) {
    i64 i = thread_index();
    if (i < a.octets) {
        float x[8];
        float y[8];
        load8<F32>(a.wide, i, x);
        load8<DT>(a.narrow, i, y);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            x[k] = x[k] * a.ofWide + y[k] * a.ofNarrow;
        }
        store8<F32>(a.out, i, x);
    }
}

KERNEL add_mixed_FLOAT16(MixedArgs a) { add_mixed<F16>(a); }
KERNEL add_mixed_BFLOAT16(MixedArgs a) { add_mixed<BF16>(a); }

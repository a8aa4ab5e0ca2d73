// Element-by-element operations over any strides and dtypes, and many tensors at once.
#define PASTE_ACCESS
#include "elementops.cuh"

struct ElementArgs {
    View out;
    View in[3];
    double s, t;
    i64 n;
    int op;
    int inputs;
};

template <class C> __device__ __forceinline__ void elements(const ElementArgs& a) {
    C s = (C) a.s;
    C t = (C) a.t;
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        C x = a.inputs > 0 ? load<C>(a.in[0], i) : (C) 0;
        C y = a.inputs > 1 ? load<C>(a.in[1], i) : (C) 0;
        C z = a.inputs > 2 ? load<C>(a.in[2], i) : (C) 0;
        store<C>(a.out, i, eval<C>(a.op, x, y, z, s, t));
    }
}

KERNEL elements_f(ElementArgs a) { elements<float>(a); }
KERNEL elements_d(ElementArgs a) { elements<double>(a); }
KERNEL elements_l(ElementArgs a) { elements<i64>(a); }

// Many contiguous float32 tensors: block row y works on tensor y.
struct ForeachTensor {
    float* out;
    const float* in[3];
    i64 n;
    float s, t;
};

struct ForeachArgs {
    int op;
    int inputs;
    ForeachTensor tensor[64];
};

KERNEL foreach_f(ForeachArgs a) {
    const ForeachTensor& f = a.tensor[blockIdx.y];
#pragma unroll 1
    for (i64 i = thread_index(); i < f.n; i += thread_count()) {
        float x = a.inputs > 0 ? f.in[0][i] : 0;
        float y = a.inputs > 1 ? f.in[1][i] : 0;
        float z = a.inputs > 2 ? f.in[2][i] : 0;
        f.out[i] = eval<float>(a.op, x, y, z, f.s, f.t);
    }
}

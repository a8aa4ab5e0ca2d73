// Optimizer steps over many tensors in one launch: block row y works on tensor y.
#define PASTE_ACCESS
#include "common.cuh"

struct Tensor5 {
    char* p;    // parameter
    char* g;    // gradient
    char* m;    // first moment, or momentum buffer
    char* v;    // second moment
    char* most; // largest second moment so far, or null
    char* step;
    i64 n;
};

struct OptimArgs {
    double lr, beta1, beta2, eps, weightDecay, momentum, dampening;
    const float* gradScale;
    const float* foundInf;
    int dt, gdt, sdt, stepDt;
    int decoupled, maximize, nesterov, firstStep;
    Tensor5 tensor[48];
};

template <class C> __device__ __forceinline__ void adam(const OptimArgs& a) {
    if (a.foundInf && *a.foundInf != 0) {
        return;
    }
    const Tensor5& t = a.tensor[blockIdx.y];
    __shared__ double shared[2];
    if (threadIdx.x == 0) {
        double count = load_at<double>(t.step, a.stepDt, 0);
        shared[0] = a.lr / (1 - pow(a.beta1, count));
        shared[1] = sqrt(1 - pow(a.beta2, count));
    }
    __syncthreads();
    C stepSize = (C) shared[0];
    C root = (C) shared[1];
    C scale = a.gradScale ? (C) *a.gradScale : (C) 1;
    C decay = (C) (a.lr * a.weightDecay);
    C weightDecay = (C) a.weightDecay;
    C left1 = (C) (1 - a.beta1), beta2 = (C) a.beta2, left2 = (C) (1 - a.beta2), eps = (C) a.eps;
#pragma unroll 1
    for (i64 i = thread_index(); i < t.n; i += thread_count()) {
        C p = load_at<C>(t.p, a.dt, i);
        C g = load_at<C>(t.g, a.gdt, i);
        C m = load_at<C>(t.m, a.sdt, i);
        C v = load_at<C>(t.v, a.sdt, i);
        if (a.gradScale) {
            g /= scale;
            store_at<C>(t.g, a.gdt, i, g);
        }
        if (a.maximize) {
            g = -g;
        }
        if (a.decoupled) {
            p -= decay * p;
        } else {
            g += weightDecay * p;
        }
        m += left1 * (g - m);
        v = beta2 * v + left2 * g * g;
        C square = v;
        if (t.most) {
            square = larger(load_at<C>(t.most, a.sdt, i), v);
            store_at<C>(t.most, a.sdt, i, square);
        }
        p -= stepSize * m / ((C) sqrt(square) / root + eps);
        store_at<C>(t.p, a.dt, i, p);
        store_at<C>(t.m, a.sdt, i, m);
        store_at<C>(t.v, a.sdt, i, v);
    }
}

KERNEL adam_f(OptimArgs a) { adam<float>(a); }
KERNEL adam_d(OptimArgs a) { adam<double>(a); }

template <class C> __device__ __forceinline__ void sgd(const OptimArgs& a) {
    if (a.foundInf && *a.foundInf != 0) {
        return;
    }
    const Tensor5& t = a.tensor[blockIdx.y];
    C scale = a.gradScale ? (C) *a.gradScale : (C) 1;
    C lr = (C) a.lr, momentum = (C) a.momentum, left = (C) (1 - a.dampening), weightDecay = (C) a.weightDecay;
#pragma unroll 1
    for (i64 i = thread_index(); i < t.n; i += thread_count()) {
        C p = load_at<C>(t.p, a.dt, i);
        C g = load_at<C>(t.g, a.gdt, i);
        if (a.gradScale) {
            g /= scale;
            store_at<C>(t.g, a.gdt, i, g);
        }
        g = (a.maximize ? -g : g) + weightDecay * p;
        if (t.m) {
            C buffer = a.firstStep ? g : momentum * load_at<C>(t.m, a.sdt, i) + left * g;
            store_at<C>(t.m, a.sdt, i, buffer);
            g = a.nesterov ? g + momentum * buffer : buffer;
        }
        store_at<C>(t.p, a.dt, i, p - lr * g);
    }
}

KERNEL sgd_f(OptimArgs a) { sgd<float>(a); }
KERNEL sgd_d(OptimArgs a) { sgd<double>(a); }

struct UnscaleArgs {
    View grad;
    const float* inverse;
    float* foundInf;
    i64 n;
};

KERNEL unscale(UnscaleArgs a) {
    float inverse = *a.inverse;
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        double g = load<double>(a.grad, i);
        if (g - g != 0) {
            *a.foundInf = 1; // every writer writes the same
        }
        store<double>(a.grad, i, g * (double) inverse);
    }
}

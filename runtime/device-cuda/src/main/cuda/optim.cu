// Optimizer steps over many tensors in one launch: block row y works on tensor y.
#define PASTE_ACCESS
#include "vectors.cuh"

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

// A step's constants, the same for all elements of a tensor.
template <class C> struct AdamStep {
    C stepSize, root, scale, decay, weightDecay, left1, beta2, left2, eps;

    __device__ __forceinline__ AdamStep(const OptimArgs& a, const Tensor5& t) {
        __shared__ double shared[2];
        if (threadIdx.x == 0) {
            double count = load_at<double>(t.step, a.stepDt, 0);
            shared[0] = a.lr / (1 - pow(a.beta1, count));
            shared[1] = sqrt(1 - pow(a.beta2, count));
        }
        __syncthreads();
        stepSize = (C) shared[0];
        root = (C) shared[1];
        scale = a.gradScale ? (C) *a.gradScale : (C) 1;
        decay = (C) (a.lr * a.weightDecay);
        weightDecay = (C) a.weightDecay;
        left1 = (C) (1 - a.beta1);
        beta2 = (C) a.beta2;
        left2 = (C) (1 - a.beta2);
        eps = (C) a.eps;
    }

    __device__ __forceinline__ void element(const OptimArgs& a, C& p, C& g, C& m, C& v, C* most) const {
        C slope;
        if (a.gradScale) {
            g /= scale;
        }
        slope = a.maximize ? -g : g;
        if (a.decoupled) {
            p -= decay * p;
        } else {
            slope += weightDecay * p;
        }
        m += left1 * (slope - m);
        v = beta2 * v + left2 * slope * slope;
        C square = v;
        if (most) {
            square = larger(*most, v);
            *most = square;
        }
        p -= stepSize * m / ((C) sqrt(square) / root + eps);
    }
};

template <class C> __device__ __forceinline__ void adam(const OptimArgs& a) {
    const Tensor5& t = a.tensor[blockIdx.y];
    if ((i64) blockIdx.x * blockDim.x >= t.n || (a.foundInf && *a.foundInf != 0)) {
        return;
    }
    AdamStep<C> step(a, t);
#pragma unroll 1
    for (i64 i = thread_index(); i < t.n; i += thread_count()) {
        C p = load_at<C>(t.p, a.dt, i);
        C g = load_at<C>(t.g, a.gdt, i);
        C m = load_at<C>(t.m, a.sdt, i);
        C v = load_at<C>(t.v, a.sdt, i);
        C most = t.most ? load_at<C>(t.most, a.sdt, i) : (C) 0;
        step.element(a, p, g, m, v, t.most ? &most : 0);
        if (a.gradScale) {
            store_at<C>(t.g, a.gdt, i, g);
        }
        if (t.most) {
            store_at<C>(t.most, a.sdt, i, most);
        }
        store_at<C>(t.p, a.dt, i, p);
        store_at<C>(t.m, a.sdt, i, m);
        store_at<C>(t.v, a.sdt, i, v);
    }
}

KERNEL adam_f(OptimArgs a) { adam<float>(a); }
KERNEL adam_d(OptimArgs a) { adam<double>(a); }

// Eight elements at once, all of one dtype; without largest second moments.
template <int DT> __device__ __forceinline__ void adam_octets(const OptimArgs& a) {
    const Tensor5& t = a.tensor[blockIdx.y];
    i64 octets = t.n >> 3;
    if ((i64) blockIdx.x * blockDim.x > octets || (a.foundInf && *a.foundInf != 0)) {
        return;
    }
    AdamStep<float> step(a, t);
#pragma unroll 1
    for (i64 i = thread_index(); i < octets; i += thread_count()) {
        float p[8], g[8], m[8], v[8];
        load8<DT>(t.p, i, p);
        load8<DT>(t.g, i, g);
        load8<DT>(t.m, i, m);
        load8<DT>(t.v, i, v);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            step.element(a, p[k], g[k], m[k], v[k], 0);
        }
        if (a.gradScale) {
            store8<DT>(t.g, i, g);
        }
        store8<DT>(t.p, i, p);
        store8<DT>(t.m, i, m);
        store8<DT>(t.v, i, v);
    }
    i64 i = (octets << 3) + thread_index();
    if (i < t.n) {
        float p = load_at<float>(t.p, DT, i);
        float g = load_at<float>(t.g, DT, i);
        float m = load_at<float>(t.m, DT, i);
        float v = load_at<float>(t.v, DT, i);
        step.element(a, p, g, m, v, 0);
        if (a.gradScale) {
            store_at<float>(t.g, DT, i, g);
        }
        store_at<float>(t.p, DT, i, p);
        store_at<float>(t.m, DT, i, m);
        store_at<float>(t.v, DT, i, v);
    }
}

KERNEL adam_octets_FLOAT32(OptimArgs a) { adam_octets<F32>(a); }
KERNEL adam_octets_FLOAT16(OptimArgs a) { adam_octets<F16>(a); }
KERNEL adam_octets_BFLOAT16(OptimArgs a) { adam_octets<BF16>(a); }

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

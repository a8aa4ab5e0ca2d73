// Softmax and negative log likelihood. One block or warp per row; sums in a fixed order.
#include "common.cuh"

__device__ __forceinline__ float f_exp(float x) { return expf(x); }
__device__ __forceinline__ double f_exp(double x) { return exp(x); }
__device__ __forceinline__ float f_log(float x) { return logf(x); }
__device__ __forceinline__ double f_log(double x) { return log(x); }

// The elements of a row, shared by the block's threads.
#define EACH(j, n) _Pragma("unroll 1") for (i64 j = threadIdx.x; j < (n); j += blockDim.x)

// All views have the normalised dimension last: element j of row r is number r * length + j.
struct SoftmaxArgs {
    View out;
    View a; // forward: the input; backward: the incoming gradient
    View b; // backward: the forward result
    i64 rows;
    i64 length;
    int log;
};

template <class C> __device__ __forceinline__ void softmax_row(const SoftmaxArgs& a) {
    for (i64 r = blockIdx.x; r < a.rows; r += gridDim.x) {
        i64 base = r * a.length;
        C most = (C) -INF_F;
        EACH(j, a.length) {
            most = larger(most, load<C>(a.a, base + j));
        }
        most = block_max(most);
        C sum = 0;
        EACH(j, a.length) {
            sum += f_exp(load<C>(a.a, base + j) - most);
        }
        sum = block_sum(sum);
        C shift = most + f_log(sum);
        C scale = 1 / sum;
        EACH(j, a.length) {
            C x = load<C>(a.a, base + j);
            store<C>(a.out, base + j, a.log ? x - most - (shift - most) : f_exp(x - most) * scale);
        }
    }
}

KERNEL softmax_f(SoftmaxArgs a) { softmax_row<float>(a); }
KERNEL softmax_d(SoftmaxArgs a) { softmax_row<double>(a); }

// Contiguous float32 rows of up to 4096, a multiple of 4: read once, kept in registers. Blocks of 32 to 256 threads.
template <int QUADS> __device__ __forceinline__ void softmax_registers(const SoftmaxArgs& a) {
    i64 r = (i64) blockIdx.x;
    int quads = (int) (a.length >> 2);
    const float4* in = (const float4*) ((const float*) a.a.p + r * a.length);
    float4* out = (float4*) ((float*) a.out.p + r * a.length);
    float4 x[QUADS];
    float most = -INF_F;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        int j = threadIdx.x + k * blockDim.x;
        x[k] = j < quads ? in[j] : make_float4(-INF_F, -INF_F, -INF_F, -INF_F);
        most = larger(most, larger(larger(x[k].x, x[k].y), larger(x[k].z, x[k].w)));
    }
    most = block_max(most);
    float sum = 0;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        if (!a.log) {
            x[k].x = expf(x[k].x - most);
            x[k].y = expf(x[k].y - most);
            x[k].z = expf(x[k].z - most);
            x[k].w = expf(x[k].w - most);
            sum += (x[k].x + x[k].y) + (x[k].z + x[k].w);
        } else {
            x[k].x -= most;
            x[k].y -= most;
            x[k].z -= most;
            x[k].w -= most;
            sum += (expf(x[k].x) + expf(x[k].y)) + (expf(x[k].z) + expf(x[k].w));
        }
    }
    sum = block_sum(sum);
    float scale = a.log ? logf(sum) : 1 / sum;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        int j = threadIdx.x + k * blockDim.x;
        if (j < quads) {
            float4 y = x[k];
            out[j] = a.log ? make_float4(y.x - scale, y.y - scale, y.z - scale, y.w - scale)
                           : make_float4(y.x * scale, y.y * scale, y.z * scale, y.w * scale);
        }
    }
}

KERNEL softmax_registers_4(SoftmaxArgs a) { softmax_registers<4>(a); }

// Contiguous float32 rows of up to 1024, a multiple of 4: one warp each, no waiting between warps. Blocks of 128.
template <int QUADS> __device__ __forceinline__ void softmax_warp(const SoftmaxArgs& a) {
    i64 r = (i64) blockIdx.x * 4 + (threadIdx.x >> 5);
    if (r >= a.rows) {
        return;
    }
    int lane = threadIdx.x & 31;
    int quads = (int) (a.length >> 2);
    const float4* in = (const float4*) ((const float*) a.a.p + r * a.length);
    float4* out = (float4*) ((float*) a.out.p + r * a.length);
    float4 x[QUADS];
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        int j = lane + k * 32;
        x[k] = j < quads ? in[j] : make_float4(-INF_F, -INF_F, -INF_F, -INF_F);
    }
    float most = -INF_F;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        most = larger(most, larger(larger(x[k].x, x[k].y), larger(x[k].z, x[k].w)));
    }
#pragma unroll
    for (int by = 16; by > 0; by >>= 1) {
        most = larger(most, __shfl_xor_sync(0xffffffffu, most, by));
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        x[k] = make_float4(x[k].x - most, x[k].y - most, x[k].z - most, x[k].w - most);
        float4 e = make_float4(expf(x[k].x), expf(x[k].y), expf(x[k].z), expf(x[k].w));
        sum += (e.x + e.y) + (e.z + e.w);
        if (!a.log) {
            x[k] = e;
        }
    }
#pragma unroll
    for (int by = 16; by > 0; by >>= 1) {
        sum += __shfl_xor_sync(0xffffffffu, sum, by);
    }
    float scale = a.log ? logf(sum) : 1 / sum;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        int j = lane + k * 32;
        if (j < quads) {
            float4 y = x[k];
            out[j] = a.log ? make_float4(y.x - scale, y.y - scale, y.z - scale, y.w - scale)
                           : make_float4(y.x * scale, y.y * scale, y.z * scale, y.w * scale);
        }
    }
}

KERNEL softmax_warp_1(SoftmaxArgs a) { softmax_warp<1>(a); }
KERNEL softmax_warp_2(SoftmaxArgs a) { softmax_warp<2>(a); }
KERNEL softmax_warp_4(SoftmaxArgs a) { softmax_warp<4>(a); }
KERNEL softmax_warp_8(SoftmaxArgs a) { softmax_warp<8>(a); }

template <class C> __device__ __forceinline__ void softmax_backward(const SoftmaxArgs& a) {
    for (i64 r = blockIdx.x; r < a.rows; r += gridDim.x) {
        i64 base = r * a.length;
        C sum = 0;
        EACH(j, a.length) {
            C g = load<C>(a.a, base + j);
            sum += a.log ? g : g * load<C>(a.b, base + j);
        }
        sum = block_sum(sum);
        EACH(j, a.length) {
            C g = load<C>(a.a, base + j);
            C y = load<C>(a.b, base + j);
            store<C>(a.out, base + j, a.log ? g - f_exp(y) * sum : (g - sum) * y);
        }
    }
}

KERNEL softmax_backward_f(SoftmaxArgs a) { softmax_backward<float>(a); }
KERNEL softmax_backward_d(SoftmaxArgs a) { softmax_backward<double>(a); }

struct NllArgs {
    View out;
    View totalWeight;
    View values; // forward: log-probabilities; backward: the incoming gradient
    View target;
    View weight;
    i64 n;
    i64 classes;
    i64 ignore;
    int reduction;
    int weighted;
};

__device__ __forceinline__ double class_weight(const NllArgs& a, i64 t) {
    return a.weighted ? load<double>(a.weight, t) : 1;
}

// One block: the sum has one order.
KERNEL nll_forward(NllArgs a) {
    double sum = 0;
    double counted = 0;
    EACH(i, a.n) {
        i64 t = load<i64>(a.target, i);
        double loss = 0;
        if (t != a.ignore) {
            REQUIRE(t >= 0 && t < a.classes, "t >= 0 && t < n_classes");
            double share = class_weight(a, t);
            loss = -load<double>(a.values, i * a.classes + t) * share;
            counted += share;
        }
        sum += loss;
        if (a.reduction == 0) {
            store<double>(a.out, i, loss);
        }
    }
    sum = block_sum(sum);
    counted = block_sum(counted);
    if (threadIdx.x == 0) {
        store<double>(a.totalWeight, 0, counted);
        if (a.reduction != 0) {
            store<double>(a.out, 0, a.reduction == 1 ? sum / counted : sum);
        }
    }
}

KERNEL nll_backward(NllArgs a) {
    i64 i = thread_index();
    if (i >= a.n) {
        return;
    }
    i64 t = load<i64>(a.target, i);
    if (t != a.ignore) {
        REQUIRE(t >= 0 && t < a.classes, "t >= 0 && t < n_classes");
        double weight = a.reduction == 1 ? load<double>(a.totalWeight, 0) : 1;
        store<double>(a.out, i * a.classes + t, -load<double>(a.values, a.reduction == 0 ? i : 0) * class_weight(a, t) / weight);
    }
}

// A cross-entropy's gradient between its two halves, where one element a row is not zero: its class and its value, at the
// start of the row's own memory. Two passes over [rows, classes] instead of four.
struct RowGradient {
    int at; // -1 in an ignored row
    float value;
};

KERNEL nll_backward_rows(NllArgs a) {
    i64 i = thread_index();
    if (i >= a.n) {
        return;
    }
    i64 t = load<i64>(a.target, i);
    RowGradient g = {-1, 0};
    if (t != a.ignore) {
        REQUIRE(t >= 0 && t < a.classes, "t >= 0 && t < n_classes");
        double weight = a.reduction == 1 ? load<double>(a.totalWeight, 0) : 1;
        g.at = (int) t;
        g.value = (float) (-load<double>(a.values, a.reduction == 0 ? i : 0) / weight);
    }
    RowGradient* row = (RowGradient*) ((float*) a.out.p + i * a.classes);
    row->at = g.at;
    row->value = g.value;
}

KERNEL log_softmax_backward_rows(SoftmaxArgs a) {
    for (i64 r = blockIdx.x; r < a.rows; r += gridDim.x) {
        const RowGradient* row = (const RowGradient*) ((const float*) a.a.p + r * a.length);
        int at = row->at;
        float sum = row->value;
        const float* y = (const float*) a.b.p + r * a.length;
        float* out = (float*) a.out.p + r * a.length;
        EACH(j, a.length) {
            float g = j == at ? sum : 0.0f;
            out[j] = g - expf(y[j]) * sum;
        }
    }
}

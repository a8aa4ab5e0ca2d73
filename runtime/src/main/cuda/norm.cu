// Softmax, layer norm, batch norm, negative log likelihood. One block per row or channel; sums in a fixed order.
#include "common.cuh"

__device__ __forceinline__ float f_exp(float x) { return expf(x); }
__device__ __forceinline__ double f_exp(double x) { return exp(x); }
__device__ __forceinline__ float f_log(float x) { return logf(x); }
__device__ __forceinline__ double f_log(double x) { return log(x); }

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
    i64 n;
    i64 classes;
    i64 ignore;
    int reduction;
};

// One block: the sum has one order.
KERNEL nll_forward(NllArgs a) {
    double sum = 0;
    double counted = 0;
    EACH(i, a.n) {
        i64 t = load<i64>(a.target, i);
        double loss = 0;
        if (t != a.ignore) {
            REQUIRE(t >= 0 && t < a.classes, "t >= 0 && t < n_classes");
            loss = -load<double>(a.values, i * a.classes + t);
            counted += 1;
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
        store<double>(a.out, i * a.classes + t, -load<double>(a.values, a.reduction == 0 ? i : 0) / weight);
    }
}

struct LayerNormArgs {
    View out;
    View mean;
    View rstd;
    View in;
    View weight;
    View bias;
    View gradOut;
    i64 rows;
    i64 length;
    double eps;
    int hasWeight;
    int hasBias;
};

template <class C> __device__ __forceinline__ void layer_norm(const LayerNormArgs& a) {
    for (i64 r = blockIdx.x; r < a.rows; r += gridDim.x) {
        i64 base = r * a.length;
        C sum = 0;
        EACH(j, a.length) {
            sum += load<C>(a.in, base + j);
        }
        C mean = block_sum(sum) / (C) a.length;
        C squares = 0;
        EACH(j, a.length) {
            C d = load<C>(a.in, base + j) - mean;
            squares += d * d;
        }
        C rstd = 1 / (C) sqrt((double) (block_sum(squares) / (C) a.length) + a.eps);
        EACH(j, a.length) {
            C w = a.hasWeight ? load<C>(a.weight, j) : (C) 1;
            C b = a.hasBias ? load<C>(a.bias, j) : (C) 0;
            store<C>(a.out, base + j, (load<C>(a.in, base + j) - mean) * rstd * w + b);
        }
        if (threadIdx.x == 0) {
            store<C>(a.mean, r, mean);
            store<C>(a.rstd, r, rstd);
        }
    }
}

KERNEL layer_norm_f(LayerNormArgs a) { layer_norm<float>(a); }
KERNEL layer_norm_d(LayerNormArgs a) { layer_norm<double>(a); }

// The gradient of the input into out.
template <class C> __device__ __forceinline__ void layer_norm_input(const LayerNormArgs& a) {
    for (i64 r = blockIdx.x; r < a.rows; r += gridDim.x) {
        i64 base = r * a.length;
        C mean = load<C>(a.mean, r);
        C rstd = load<C>(a.rstd, r);
        C sum = 0;
        C along = 0;
        EACH(j, a.length) {
            C g = load<C>(a.gradOut, base + j) * (a.hasWeight ? load<C>(a.weight, j) : (C) 1);
            sum += g;
            along += g * (load<C>(a.in, base + j) - mean) * rstd;
        }
        sum = block_sum(sum) / (C) a.length;
        along = block_sum(along) / (C) a.length;
        EACH(j, a.length) {
            C g = load<C>(a.gradOut, base + j) * (a.hasWeight ? load<C>(a.weight, j) : (C) 1);
            C x = (load<C>(a.in, base + j) - mean) * rstd;
            store<C>(a.out, base + j, rstd * (g - sum - x * along));
        }
    }
}

KERNEL layer_norm_input_f(LayerNormArgs a) { layer_norm_input<float>(a); }
KERNEL layer_norm_input_d(LayerNormArgs a) { layer_norm_input<double>(a); }

// The gradients of weight and bias: blocks of 32 columns by 8 rows.
template <class C> __device__ __forceinline__ void layer_norm_weight(const LayerNormArgs& a) {
    __shared__ C weights[8][33];
    __shared__ C biases[8][33];
    int lane = threadIdx.x >> 5;
    int column = threadIdx.x & 31;
    i64 j = (i64) blockIdx.x * 32 + column;
    C w = 0;
    C b = 0;
    if (j < a.length) {
#pragma unroll 1
        for (i64 r = lane; r < a.rows; r += 8) {
            C g = load<C>(a.gradOut, r * a.length + j);
            w += g * (load<C>(a.in, r * a.length + j) - load<C>(a.mean, r)) * load<C>(a.rstd, r);
            b += g;
        }
    }
    weights[lane][column] = w;
    biases[lane][column] = b;
    __syncthreads();
    if (lane == 0 && j < a.length) {
        for (int k = 1; k < 8; k++) {
            w += weights[k][column];
            b += biases[k][column];
        }
        if (a.hasWeight) {
            store<C>(a.weight, j, w);
        }
        if (a.hasBias) {
            store<C>(a.bias, j, b);
        }
    }
}

KERNEL layer_norm_weight_f(LayerNormArgs a) { layer_norm_weight<float>(a); }
KERNEL layer_norm_weight_d(LayerNormArgs a) { layer_norm_weight<double>(a); }

// Views in and out have the channels first: channel c is the elements from c * length on.
struct BatchNormArgs {
    View out;
    View in;
    View gradOut;
    View weight;
    View bias;
    View mean;
    View invStd;
    View runningMean;
    View runningVar;
    View gradWeight;
    View gradBias;
    i64 length;
    double momentum;
    double eps;
    int training;
    int has; // 1 weight, 2 bias, 4 running, 8 gradWeight, 16 gradBias, 32 gradIn
};

KERNEL batch_norm(BatchNormArgs a) {
    i64 c = blockIdx.x;
    i64 base = c * a.length;
    double mean;
    double variance;
    if (a.training) {
        double sum = 0;
        EACH(j, a.length) {
            sum += load<double>(a.in, base + j);
        }
        mean = block_sum(sum) / a.length;
        double squares = 0;
        EACH(j, a.length) {
            double d = load<double>(a.in, base + j) - mean;
            squares += d * d;
        }
        variance = block_sum(squares) / a.length;
    } else {
        mean = load<double>(a.runningMean, c);
        variance = load<double>(a.runningVar, c);
    }
    double scale = 1 / sqrt(variance + a.eps);
    float factor = (float) (scale * (a.has & 1 ? load<double>(a.weight, c) : 1));
    float shift = a.has & 2 ? load<float>(a.bias, c) : 0;
    if (a.in.dt == F64) {
        double w = scale * (a.has & 1 ? load<double>(a.weight, c) : 1);
        double b = a.has & 2 ? load<double>(a.bias, c) : 0;
        EACH(j, a.length) {
            store<double>(a.out, base + j, (load<double>(a.in, base + j) - mean) * w + b);
        }
    } else {
        EACH(j, a.length) {
            store<float>(a.out, base + j, (load<float>(a.in, base + j) - (float) mean) * factor + shift);
        }
    }
    if (a.training && threadIdx.x == 0) {
        store<double>(a.mean, c, mean);
        store<double>(a.invStd, c, scale);
        if (a.has & 4) {
            double unbiased = variance * a.length / (a.length > 1 ? a.length - 1 : 1);
            store<double>(a.runningMean, c, (1 - a.momentum) * load<double>(a.runningMean, c) + a.momentum * mean);
            store<double>(a.runningVar, c, (1 - a.momentum) * load<double>(a.runningVar, c) + a.momentum * unbiased);
        }
    }
}

KERNEL batch_norm_backward(BatchNormArgs a) {
    i64 c = blockIdx.x;
    i64 base = c * a.length;
    double mean = load<double>(a.mean, c);
    double scale = load<double>(a.invStd, c);
    double sum = 0;
    double along = 0;
    EACH(j, a.length) {
        double g = load<double>(a.gradOut, base + j);
        sum += g;
        along += g * (load<double>(a.in, base + j) - mean);
    }
    sum = block_sum(sum);
    along = block_sum(along) * scale;
    if (threadIdx.x == 0) {
        if (a.has & 8) {
            store<double>(a.gradWeight, c, along);
        }
        if (a.has & 16) {
            store<double>(a.gradBias, c, sum);
        }
    }
    if (a.has & 32) {
        double factor = scale * (a.has & 1 ? load<double>(a.weight, c) : 1);
        double gradMean = a.training ? sum / a.length : 0;
        double slope = a.training ? along / a.length * scale : 0;
        EACH(j, a.length) {
            double g = load<double>(a.gradOut, base + j);
            store<double>(a.out, base + j, (g - gradMean - (load<double>(a.in, base + j) - mean) * slope) * factor);
        }
    }
}

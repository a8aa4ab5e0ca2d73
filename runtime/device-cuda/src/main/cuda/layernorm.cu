// Layer norm. One block per row; sums in a fixed order. All views have the normalised dimension last: element j of row r is
// number r * length + j.
#include "common.cuh"

// The elements of a row, shared by the block's threads.
#define EACH(j, n) _Pragma("unroll 1") for (i64 j = threadIdx.x; j < (n); j += blockDim.x)

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
    int rootMeanSquare; // nothing is centred, and there is no mean
};

template <class C> __device__ __forceinline__ void layer_norm(const LayerNormArgs& a) {
    for (i64 r = blockIdx.x; r < a.rows; r += gridDim.x) {
        i64 base = r * a.length;
        C sum = 0;
        EACH(j, a.length) {
            sum += load<C>(a.in, base + j);
        }
        C mean = a.rootMeanSquare ? (C) 0 : block_sum(sum) / (C) a.length;
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
            if (!a.rootMeanSquare) {
                store<C>(a.mean, r, mean);
            }
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
        C mean = a.rootMeanSquare ? (C) 0 : load<C>(a.mean, r);
        C rstd = load<C>(a.rstd, r);
        C sum = 0;
        C along = 0;
        EACH(j, a.length) {
            C g = load<C>(a.gradOut, base + j) * (a.hasWeight ? load<C>(a.weight, j) : (C) 1);
            sum += g;
            along += g * (load<C>(a.in, base + j) - mean) * rstd;
        }
        sum = a.rootMeanSquare ? (C) 0 : block_sum(sum) / (C) a.length;
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
            C mean = a.rootMeanSquare ? (C) 0 : load<C>(a.mean, r);
            w += g * (load<C>(a.in, r * a.length + j) - mean) * load<C>(a.rstd, r);
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

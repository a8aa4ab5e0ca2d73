// Layer norm of contiguous rows of up to 2048 elements, a multiple of 8: a warp to each row, read once. Gradients of weight and
// bias are sums over some rows for each block, then over the blocks, both in a fixed order.
#include "vectors.cuh"

struct RowNormArgs {
    void* out; // forward: the result; backward: the gradient of the input
    float* mean;
    float* rstd;
    const void* in;
    const void* weight;
    const void* bias;
    const void* gradOut;
    i64 rows;
    int length;
    int wide;            // weight and bias are float32
    int rootMeanSquare;  // nothing is centred, and there is no mean
    float eps;
};

#define EACH_OCTET(k, j) \
    _Pragma("unroll") for (int k = 0; k < OCTETS; k++) \
        if (int j = lane + k * 32; j < octets)

template <int DT, int OCTETS> __device__ __forceinline__ void row_norm(const RowNormArgs& a) {
    i64 r = (i64) blockIdx.x * 4 + (threadIdx.x >> 5);
    if (r >= a.rows) {
        return;
    }
    int lane = threadIdx.x & 31;
    int octets = a.length >> 3;
    i64 base = r * octets;
    float x[OCTETS][8];
    float sum = 0;
    EACH_OCTET(k, j) {
        load8<DT>(a.in, base + j, x[k]);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            sum += x[k][i];
        }
    }
    float mean = a.rootMeanSquare ? 0 : warp_sum(sum) / a.length;
    float squares = 0;
    EACH_OCTET(k, j) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            x[k][i] -= mean;
            squares += x[k][i] * x[k][i];
        }
    }
    float rstd = 1 / (float) sqrt((double) (warp_sum(squares) / a.length) + (double) a.eps);
    EACH_OCTET(k, j) {
        float w[8] = {1, 1, 1, 1, 1, 1, 1, 1};
        float b[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        if (a.weight) {
            load8_of<DT>(a.weight, j, a.wide, w);
        }
        if (a.bias) {
            load8_of<DT>(a.bias, j, a.wide, b);
        }
#pragma unroll
        for (int i = 0; i < 8; i++) {
            x[k][i] = x[k][i] * rstd * w[i] + b[i];
        }
        store8<DT>(a.out, base + j, x[k]);
    }
    if (lane == 0) {
        if (!a.rootMeanSquare) {
            a.mean[r] = mean;
        }
        a.rstd[r] = rstd;
    }
}

template <int DT, int OCTETS> __device__ __forceinline__ void row_norm_input(const RowNormArgs& a) {
    i64 r = (i64) blockIdx.x * 4 + (threadIdx.x >> 5);
    if (r >= a.rows) {
        return;
    }
    int lane = threadIdx.x & 31;
    int octets = a.length >> 3;
    i64 base = r * octets;
    float mean = a.rootMeanSquare ? 0 : a.mean[r];
    float rstd = a.rstd[r];
    float x[OCTETS][8];
    float g[OCTETS][8];
    float sum = 0;
    float along = 0;
    EACH_OCTET(k, j) {
        float w[8] = {1, 1, 1, 1, 1, 1, 1, 1};
        load8<DT>(a.in, base + j, x[k]);
        load8<DT>(a.gradOut, base + j, g[k]);
        if (a.weight) {
            load8_of<DT>(a.weight, j, a.wide, w);
        }
#pragma unroll
        for (int i = 0; i < 8; i++) {
            g[k][i] *= w[i];
            x[k][i] = (x[k][i] - mean) * rstd;
            sum += g[k][i];
            along += g[k][i] * x[k][i];
        }
    }
    sum = a.rootMeanSquare ? 0 : warp_sum(sum) / a.length;
    along = warp_sum(along) / a.length;
    EACH_OCTET(k, j) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            x[k][i] = rstd * (g[k][i] - sum - x[k][i] * along);
        }
        store8<DT>(a.out, base + j, x[k]);
    }
}

// Partial sums, [chunks][2][length], of the rows' gradients times what they were, then of the gradients.
struct PartArgs {
    float* parts;
    const float* mean;
    const float* rstd;
    const void* in; // none: the gradients alone
    const void* gradOut;
    i64 rows;
    int length;
    int chunk; // rows of a block
};

template <int DT> __device__ __forceinline__ void norm_parts(const PartArgs& a) {
    __shared__ float all[2][8][32][9];
    int warp = threadIdx.x >> 5;
    int lane = threadIdx.x & 31;
    int octets = a.length >> 3;
    int j = blockIdx.x * 32 + lane;
    float w[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    float b[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    i64 end = min((i64) (blockIdx.y + 1) * a.chunk, a.rows);
    if (j < octets) {
#pragma unroll 4
        for (i64 r = (i64) blockIdx.y * a.chunk + warp; r < end; r += 8) {
            float g[8];
            load8<DT>(a.gradOut, r * octets + j, g);
            if (a.in) {
                float x[8];
                load8<DT>(a.in, r * octets + j, x);
                float mean = a.mean ? a.mean[r] : 0;
                float rstd = a.rstd[r];
#pragma unroll
                for (int i = 0; i < 8; i++) {
                    w[i] += g[i] * (x[i] - mean) * rstd;
                }
            }
#pragma unroll
            for (int i = 0; i < 8; i++) {
                b[i] += g[i];
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        all[0][warp][lane][i] = w[i];
        all[1][warp][lane][i] = b[i];
    }
    __syncthreads();
    int column = blockIdx.x * 256 + threadIdx.x;
    if (column < a.length) {
        float* to = a.parts + (i64) blockIdx.y * 2 * a.length + column;
        for (int which = a.in ? 0 : 1; which < 2; which++) {
            float sum = 0;
            for (int k = 0; k < 8; k++) {
                sum += all[which][k][threadIdx.x >> 3][threadIdx.x & 7];
            }
            to[which * a.length] = sum;
        }
    }
}

struct TotalArgs {
    const float* parts;
    void* weight; // either may be none
    void* bias;
    int length;
    int chunks;
    int dt;
    float by;
};

// Blocks of 32 columns by 8 rows of partial sums.
KERNEL norm_totals(TotalArgs a) {
    __shared__ float part[8][33];
    int lane = threadIdx.x & 31;
    int row = threadIdx.x >> 5;
    int column = blockIdx.x * 32 + lane;
    for (int which = 0; which < 2; which++) {
        void* to = which ? a.bias : a.weight;
        if (!to) {
            continue;
        }
        float sum = 0;
        if (column < a.length) {
#pragma unroll 8
            for (int c = row; c < a.chunks; c += 8) {
                sum += a.parts[((i64) c * 2 + which) * a.length + column];
            }
        }
        part[row][lane] = sum;
        __syncthreads();
        if (row == 0 && column < a.length) {
            for (int k = 1; k < 8; k++) {
                sum += part[k][lane];
            }
            store_at<float>((char*) to, a.dt, column, sum * a.by);
        }
        __syncthreads();
    }
}

#define NORMS(NAME, DT) \
    KERNEL row_norm_4_##NAME(RowNormArgs a) { row_norm<DT, 4>(a); } \
    KERNEL row_norm_8_##NAME(RowNormArgs a) { row_norm<DT, 8>(a); } \
    KERNEL row_norm_input_4_##NAME(RowNormArgs a) { row_norm_input<DT, 4>(a); } \
    KERNEL row_norm_input_8_##NAME(RowNormArgs a) { row_norm_input<DT, 8>(a); } \
    KERNEL norm_parts_##NAME(PartArgs a) { norm_parts<DT>(a); }

NORMS(FLOAT32, F32)
NORMS(FLOAT16, F16)
NORMS(BFLOAT16, BF16)

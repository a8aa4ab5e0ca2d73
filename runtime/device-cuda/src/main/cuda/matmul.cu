// Matrix products without cuBLAS: any strides and dtypes, c = alpha a b + beta c.
#define PASTE_ACCESS
#include "common.cuh"

struct MatrixArgs {
    char* c;
    const char* a;
    const char* b;
    i64 cRow, cColumn, aRow, aColumn, bRow, bColumn; // strides in elements
    double alpha, beta;
    int m, n, k, dt;
};

#define TILE_M 128
#define TILE_N 128
#define TILE_K 8

// 256 threads; each computes 8 x 8 of a tile of 128 x 128.
KERNEL matmul_f(MatrixArgs g) {
    __shared__ float as[2][TILE_K][TILE_M + 4];
    __shared__ float bs[2][TILE_K][TILE_N + 4];
    int top = blockIdx.y * TILE_M;
    int left = blockIdx.x * TILE_N;
    int ty = threadIdx.x >> 4;
    int tx = threadIdx.x & 15;
    float sum[8][8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            sum[i][j] = 0;
        }
    }
    // neighbouring threads read neighbouring memory, whichever way the operand lies
    bool aByColumn = g.aColumn == 1;
    bool bByRow = g.bColumn == 1;
    float ra[4];
    float rb[4];
    auto fetch = [&](int k0) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            int at = threadIdx.x + e * 256;
            int am = aByColumn ? at / TILE_K : at % TILE_M;
            int ak = aByColumn ? at % TILE_K : at / TILE_M;
            ra[e] = top + am < g.m && k0 + ak < g.k
                    ? load_at<float>(g.a, g.dt, (top + am) * g.aRow + (k0 + ak) * g.aColumn) : 0;
            int bn = bByRow ? at % TILE_N : at / TILE_K;
            int bk = bByRow ? at / TILE_N : at % TILE_K;
            rb[e] = left + bn < g.n && k0 + bk < g.k
                    ? load_at<float>(g.b, g.dt, (k0 + bk) * g.bRow + (left + bn) * g.bColumn) : 0;
        }
    };
    auto put = [&](int buffer) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            int at = threadIdx.x + e * 256;
            as[buffer][aByColumn ? at % TILE_K : at / TILE_M][aByColumn ? at / TILE_K : at % TILE_M] = ra[e];
            bs[buffer][bByRow ? at / TILE_N : at % TILE_K][bByRow ? at % TILE_N : at / TILE_K] = rb[e];
        }
    };
    fetch(0);
    put(0);
    __syncthreads();
    int buffer = 0;
#pragma unroll 1
    for (int k0 = 0; k0 < g.k; k0 += TILE_K) {
        bool more = k0 + TILE_K < g.k;
        if (more) {
            fetch(k0 + TILE_K);
        }
#pragma unroll
        for (int k = 0; k < TILE_K; k++) {
            float x[8];
            float y[8];
#pragma unroll
            for (int h = 0; h < 2; h++) {
                *(float4*) (x + 4 * h) = *(const float4*) &as[buffer][k][ty * 4 + h * 64];
                *(float4*) (y + 4 * h) = *(const float4*) &bs[buffer][k][tx * 4 + h * 64];
            }
#pragma unroll
            for (int i = 0; i < 8; i++) {
#pragma unroll
                for (int j = 0; j < 8; j++) {
                    sum[i][j] = fmaf(x[i], y[j], sum[i][j]);
                }
            }
        }
        if (more) {
            put(buffer ^ 1);
            __syncthreads();
            buffer ^= 1;
        }
    }
    float alpha = (float) g.alpha;
    float beta = (float) g.beta;
#pragma unroll
    for (int i = 0; i < 8; i++) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int row = top + ty * 4 + (i >> 2) * 64 + (i & 3);
            int column = left + tx * 4 + (j >> 2) * 64 + (j & 3);
            if (row < g.m && column < g.n) {
                i64 at = row * g.cRow + column * g.cColumn;
                float v = alpha * sum[i][j];
                if (beta != 0) {
                    v += beta * load_at<float>(g.c, g.dt, at);
                }
                store_at<float>(g.c, g.dt, at, v);
            }
        }
    }
}

// 16 x 16 threads, one result each: for float64 and integers, where there is no cuBLAS.
template <class C> __device__ __forceinline__ void plain(const MatrixArgs& g) {
    __shared__ C as[16][17];
    __shared__ C bs[16][17];
    int ty = threadIdx.x >> 4;
    int tx = threadIdx.x & 15;
    int row = blockIdx.y * 16 + ty;
    int column = blockIdx.x * 16 + tx;
    C sum = 0;
#pragma unroll 1
    for (int k0 = 0; k0 < g.k; k0 += 16) {
        as[ty][tx] = row < g.m && k0 + tx < g.k ? load_at<C>(g.a, g.dt, row * g.aRow + (k0 + tx) * g.aColumn) : (C) 0;
        bs[ty][tx] = column < g.n && k0 + ty < g.k ? load_at<C>(g.b, g.dt, (k0 + ty) * g.bRow + column * g.bColumn)
                                                   : (C) 0;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            sum += as[ty][k] * bs[k][tx];
        }
        __syncthreads();
    }
    if (row < g.m && column < g.n) {
        i64 at = row * g.cRow + column * g.cColumn;
        C v = (C) g.alpha * sum;
        if (g.beta != 0) {
            v += (C) g.beta * load_at<C>(g.c, g.dt, at);
        }
        store_at<C>(g.c, g.dt, at, v);
    }
}

KERNEL matmul_d(MatrixArgs g) { plain<double>(g); }
KERNEL matmul_l(MatrixArgs g) { plain<i64>(g); }

// Attention over blocks of keys with a running softmax (FlashAttention 2), in 16-bit types on tensor cores. Four warps per block;
// a warp has 16 or 32 rows. Backward is two kernels that compute the probabilities again: one block for some keys, then one for some
// queries, so that sums have a fixed order and nothing is shared between blocks.
#pragma once

typedef unsigned int u32;
typedef unsigned short u16;
typedef long long i64;

#define WARPS 4
#define THREADS (32 * WARPS)
#define INFINITE __int_as_float(0x7f800000)
#define LOG2E 1.4426950408889634f

// A [batch, heads, rows, d] whose rows lie as they like, in whole vectors of 16 bytes; strides in elements.
struct Matrix {
    u16* at;
    i64 batch;
    i64 head;
    i64 row;
};

struct Shape {
    int heads; // of queries
    int group; // heads of queries for one of keys
    int queries;
    int keys;
    int size; // of a head, at most D
    int causal;
    float scale;
};

__device__ __forceinline__ u32 shared_address(const void* p) { return (u32) __cvta_generic_to_shared(p); }

__device__ __forceinline__ void copy_async(u32 to, const void* from, bool there) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there ? 16 : 0) : "memory");
}

__device__ __forceinline__ void copies_start() { asm volatile("cp.async.commit_group;" ::: "memory"); }

__device__ __forceinline__ void copies_wait() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }

__device__ __forceinline__ void matrices(u32* r, u32 at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at)
                 : "memory");
}

__device__ __forceinline__ void matrices_turned(u32* r, u32 at) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at)
                 : "memory");
}

template <bool BF> __device__ __forceinline__ void multiply(float* c, const u32* a, u32 b0, u32 b1) {
    if (BF) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                     "{%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    } else {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                     "{%0,%1,%2,%3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }
}

template <bool BF> __device__ __forceinline__ u32 packed(float low, float high) {
    u32 r;
    if (BF) {
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    } else {
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    }
    return r;
}

template <bool BF> __device__ __forceinline__ float unpacked(u16 bits) {
    if (BF) {
        return __uint_as_float((u32) bits << 16);
    }
    float r;
    asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(bits));
    return r;
}

__device__ __forceinline__ float power_of_2(float x) {
    float r;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

// Where vector c of row r of a tile lies: neighbours in a column lie in different banks.
template <int D> __device__ __forceinline__ u32 place(u32 tile, int r, int c) {
    return tile + (r * (D / 8) + (c ^ (r & 7))) * 16;
}

// Starts to fetch rows of d elements; what is not there becomes zero.
template <int ROWS, int D>
__device__ __forceinline__ void fetch(u32 tile, const u16* from, i64 row, int rows, int d) {
#pragma unroll
    for (int i = 0; i < ROWS * (D / 8) / THREADS; i++) {
        int r = (threadIdx.x + i * THREADS) / (D / 8);
        int c = (threadIdx.x + i * THREADS) % (D / 8);
        bool there = r < rows && c * 8 < d;
        copy_async(place<D>(tile, r, c), there ? from + r * row + c * 8 : from, there);
    }
}

// A warp's 16 rows from `row` on, elements 16 k to 16 k + 15, as the first factor.
template <int D> __device__ __forceinline__ void first_factor(u32* a, u32 tile, int row, int k) {
    int lane = threadIdx.x & 31;
    matrices(a, place<D>(tile, row + (lane & 15), 2 * k + (lane >> 4)));
}

// 16 rows of a tile as two second factors whose columns are rows: b[0..1] the first 8, b[2..3] the next.
template <int D> __device__ __forceinline__ void second_factors(u32* b, u32 tile, int row, int k) {
    int lane = threadIdx.x & 31;
    matrices(b, place<D>(tile, row + (lane >> 4) * 8 + (lane & 7), 2 * k + ((lane >> 3) & 1)));
}

// 16 rows of a tile, which are summed over, as two second factors of columns 16 n to 16 n + 15.
template <int D> __device__ __forceinline__ void second_factors_turned(u32* b, u32 tile, int row, int n) {
    int lane = threadIdx.x & 31;
    matrices_turned(b, place<D>(tile, row + (lane & 15), 2 * n + (lane >> 4)));
}

// Sums 16 x 8 of one kind of factor: s[m][n] += rows of `a` times rows of `b`.
template <bool BF, int D, int MT, int NT>
__device__ __forceinline__ void products(float (*s)[NT][4], u32 a, int arow, u32 b, int brow) {
#pragma unroll
    for (int k = 0; k < D / 16; k++) {
        u32 fa[MT][4];
#pragma unroll
        for (int m = 0; m < MT; m++) {
            first_factor<D>(fa[m], a, arow + 16 * m, k);
        }
#pragma unroll
        for (int n = 0; n < NT; n += 2) {
            u32 fb[4];
            second_factors<D>(fb, b, brow + 8 * n, k);
#pragma unroll
            for (int m = 0; m < MT; m++) {
                multiply<BF>(s[m][n], fa[m], fb[0], fb[1]);
                multiply<BF>(s[m][n + 1], fa[m], fb[2], fb[3]);
            }
        }
    }
}

// As products, with first factors that are in registers.
template <bool BF, int D, int MT, int NT>
__device__ __forceinline__ void products_of(float (*s)[NT][4], u32 (*fa)[D / 16][4], u32 b, int brow) {
#pragma unroll
    for (int k = 0; k < D / 16; k++) {
#pragma unroll
        for (int n = 0; n < NT; n += 2) {
            u32 fb[4];
            second_factors<D>(fb, b, brow + 8 * n, k);
#pragma unroll
            for (int m = 0; m < MT; m++) {
                multiply<BF>(s[m][n], fa[m][k], fb[0], fb[1]);
                multiply<BF>(s[m][n + 1], fa[m][k], fb[2], fb[3]);
            }
        }
    }
}

// o[m][n] += s times the rows of `b`.
template <bool BF, int D, int MT, int NT>
__device__ __forceinline__ void weighted_rows(float (*o)[D / 8][4], float (*s)[NT][4], u32 b, int brow) {
#pragma unroll
    for (int k = 0; k < NT / 2; k++) {
        u32 fa[MT][4];
#pragma unroll
        for (int m = 0; m < MT; m++) {
            fa[m][0] = packed<BF>(s[m][2 * k][0], s[m][2 * k][1]);
            fa[m][1] = packed<BF>(s[m][2 * k][2], s[m][2 * k][3]);
            fa[m][2] = packed<BF>(s[m][2 * k + 1][0], s[m][2 * k + 1][1]);
            fa[m][3] = packed<BF>(s[m][2 * k + 1][2], s[m][2 * k + 1][3]);
        }
#pragma unroll
        for (int n = 0; n < D / 16; n++) {
            u32 fb[4];
            second_factors_turned<D>(fb, b, brow + 16 * k, n);
#pragma unroll
            for (int m = 0; m < MT; m++) {
                multiply<BF>(o[m][2 * n], fa[m], fb[0], fb[1]);
                multiply<BF>(o[m][2 * n + 1], fa[m], fb[2], fb[3]);
            }
        }
    }
}

template <int MT, int NT> __device__ __forceinline__ void clear(float (*s)[NT][4]) {
#pragma unroll
    for (int m = 0; m < MT; m++) {
#pragma unroll
        for (int n = 0; n < NT; n++) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
                s[m][n][i] = 0;
            }
        }
    }
}

// Writes a warp's rows, times `by`, through its own rows of a tile, which nobody else reads any more.
template <bool BF, int D, int MT>
__device__ __forceinline__ void write_rows(u16* to, i64 row, int rows, int d, float (*o)[D / 8][4], float (*by)[2],
                                           u32 tile) {
    int lane = threadIdx.x & 31;
    int first = (threadIdx.x >> 5) * 16 * MT;
#pragma unroll
    for (int m = 0; m < MT; m++) {
#pragma unroll
        for (int n = 0; n < D / 8; n++) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                u32 at = place<D>(tile, first + 16 * m + 8 * half + (lane >> 2), n) + (lane & 3) * 4;
                u32 two = packed<BF>(o[m][n][2 * half] * by[m][half], o[m][n][2 * half + 1] * by[m][half]);
                asm volatile("st.shared.b32 [%0], %1;" ::"r"(at), "r"(two) : "memory");
            }
        }
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 16 * MT * (D / 8) / 32; i++) {
        int r = first + (lane + 32 * i) / (D / 8);
        int c = (lane + 32 * i) % (D / 8);
        uint4 v;
        asm volatile("ld.shared.v4.b32 {%0,%1,%2,%3}, [%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "r"(place<D>(tile, r, c))
                     : "memory");
        if (r < rows && c * 8 < d) {
            *(uint4*) (to + r * row + c * 8) = v;
        }
    }
}

// out and, unless there is no place for them, the logarithms of the rows' sums: one block for 64 MT queries of a head.
template <bool BF, int D, int MT>
__device__ __forceinline__ void attend(Matrix out, float* logarithms, Matrix q, Matrix k, Matrix v, Shape a) {
    constexpr int M = 16 * MT * WARPS;
    constexpr int N = 64;
    constexpr int NT = N / 8;
    extern __shared__ __align__(128) char memory[];
    u32 tile_q = shared_address(memory);
    u32 tile_k = tile_q + M * D * 2;
    u32 tile_v = tile_k + N * D * 2;
    int lane = threadIdx.x & 31;
    int first = (threadIdx.x >> 5) * 16 * MT;
    int b = blockIdx.y / a.heads;
    int h = blockIdx.y % a.heads;
    // with a causal mask the last queries see most: they begin
    int start = (a.causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * M;
    const u16* qs = q.at + b * q.batch + h * q.head + start * q.row;
    const u16* ks = k.at + b * k.batch + h / a.group * k.head;
    const u16* vs = v.at + b * v.batch + h / a.group * v.head;
    int blocks = (a.keys + N - 1) / N;
    if (a.causal) {
        blocks = min(blocks, (start + M + N - 1) / N);
    }
    fetch<M, D>(tile_q, qs, q.row, a.queries - start, a.size);
    fetch<N, D>(tile_k, ks, k.row, a.keys, a.size);
    copies_start();
    float o[MT][D / 8][4];
    float most[MT][2];
    float sum[MT][2];
    clear<MT, D / 8>(o);
#pragma unroll
    for (int m = 0; m < MT; m++) {
        most[m][0] = most[m][1] = -INFINITE;
        sum[m][0] = sum[m][1] = 0;
    }
    float scale = a.scale * LOG2E;
#pragma unroll 1
    for (int j = 0; j < blocks; j++) {
        copies_wait();
        __syncthreads();
        fetch<N, D>(tile_v, vs + (i64) j * N * v.row, v.row, a.keys - j * N, a.size);
        copies_start();
        float s[MT][NT][4];
        clear<MT, NT>(s);
        products<BF, D, MT, NT>(s, tile_q, first, tile_k, 0);
        if (j * N + N > a.keys || (a.causal && j * N + N - 1 > start)) {
#pragma unroll
            for (int m = 0; m < MT; m++) {
#pragma unroll
                for (int n = 0; n < NT; n++) {
#pragma unroll
                    for (int i = 0; i < 4; i++) {
                        int key = j * N + n * 8 + (lane & 3) * 2 + (i & 1);
                        int query = start + first + m * 16 + (lane >> 2) + (i >> 1) * 8;
                        if (key >= a.keys || (a.causal && key > query)) {
                            s[m][n][i] = -INFINITE;
                        }
                    }
                }
            }
        }
#pragma unroll
        for (int m = 0; m < MT; m++) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                float now = most[m][half];
#pragma unroll
                for (int n = 0; n < NT; n++) {
                    now = fmaxf(now, fmaxf(s[m][n][2 * half], s[m][n][2 * half + 1]));
                }
                now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 1));
                now = fmaxf(now, __shfl_xor_sync(0xffffffff, now, 2));
                float less = power_of_2((most[m][half] - now) * scale);
                most[m][half] = now;
                float shift = now * scale;
                float added = 0;
#pragma unroll
                for (int n = 0; n < NT; n++) {
#pragma unroll
                    for (int i = 2 * half; i < 2 * half + 2; i++) {
                        s[m][n][i] = power_of_2(s[m][n][i] * scale - shift);
                        added += s[m][n][i];
                    }
                }
                sum[m][half] = sum[m][half] * less + added;
#pragma unroll
                for (int n = 0; n < D / 8; n++) {
                    o[m][n][2 * half] *= less;
                    o[m][n][2 * half + 1] *= less;
                }
            }
        }
        copies_wait();
        __syncthreads();
        if (j + 1 < blocks) {
            fetch<N, D>(tile_k, ks + (i64) (j + 1) * N * k.row, k.row, a.keys - (j + 1) * N, a.size);
        }
        copies_start();
        weighted_rows<BF, D, MT, NT>(o, s, tile_v, 0);
    }
    float by[MT][2];
#pragma unroll
    for (int m = 0; m < MT; m++) {
#pragma unroll
        for (int half = 0; half < 2; half++) {
            float all = sum[m][half];
            all += __shfl_xor_sync(0xffffffff, all, 1);
            all += __shfl_xor_sync(0xffffffff, all, 2);
            by[m][half] = 1 / all;
            int query = start + first + m * 16 + half * 8 + (lane >> 2);
            if (logarithms && (lane & 3) == 0 && query < a.queries) {
                logarithms[(i64) blockIdx.y * a.queries + query] = most[m][half] * a.scale + logf(all);
            }
        }
    }
    write_rows<BF, D, MT>(out.at + b * out.batch + h * out.head + start * out.row, out.row, a.queries - start, a.size, o,
                          by, tile_q);
}

// Of each row of the result, its product with its gradient: 16 threads to a row.
template <bool BF> __device__ __forceinline__ void row_products(float* sums, Matrix grad, Matrix out, Shape a) {
    int row = (blockIdx.x * THREADS + threadIdx.x) / 16;
    int b = blockIdx.y / a.heads;
    int h = blockIdx.y % a.heads;
    int c = (threadIdx.x & 15) * 8;
    float sum = 0;
    if (row < a.queries && c < a.size) {
        uint4 x = *(const uint4*) (grad.at + b * grad.batch + h * grad.head + row * grad.row + c);
        uint4 y = *(const uint4*) (out.at + b * out.batch + h * out.head + row * out.row + c);
        u32 xs[4] = {x.x, x.y, x.z, x.w};
        u32 ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            sum += unpacked<BF>((u16) xs[i]) * unpacked<BF>((u16) ys[i]);
            sum += unpacked<BF>((u16) (xs[i] >> 16)) * unpacked<BF>((u16) (ys[i] >> 16));
        }
    }
#pragma unroll
    for (int step = 8; step > 0; step >>= 1) {
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    }
    if ((threadIdx.x & 15) == 0 && row < a.queries) {
        sums[(i64) blockIdx.y * a.queries + row] = sum;
    }
}

// Gradients of keys and values: one block for 64 MT keys of a head, over all queries that see them.
template <bool BF, int D, int MT>
__device__ __forceinline__ void key_gradients(Matrix gk, Matrix gv, Matrix grad, const float* logarithms,
                                              const float* sums, Matrix q, Matrix k, Matrix v, Shape a) {
    constexpr int N = 16 * MT * WARPS;
    constexpr int M = 64;
    constexpr int PART = 32;
    constexpr int NT = PART / 8;
    extern __shared__ __align__(128) char memory[];
    u32 tile_k = shared_address(memory);
    u32 tile_v = tile_k + N * D * 2;
    u32 tiles = tile_v + N * D * 2;
    float* rows = (float*) (memory + 2 * N * D * 2 + 4 * M * D * 2);
    int lane = threadIdx.x & 31;
    int first = (threadIdx.x >> 5) * 16 * MT;
    int kv = a.heads / a.group;
    int b = blockIdx.y / kv;
    int h = blockIdx.y % kv;
    int start = blockIdx.x * N;
    fetch<N, D>(tile_k, k.at + b * k.batch + h * k.head + start * k.row, k.row, a.keys - start, a.size);
    fetch<N, D>(tile_v, v.at + b * v.batch + h * v.head + start * v.row, v.row, a.keys - start, a.size);
    int from = a.causal ? start / M : 0;
    int each = max(0, (a.queries + M - 1) / M - from);
    int steps = a.group * each;
    float dk[MT][D / 8][4];
    float dv[MT][D / 8][4];
    clear<MT, D / 8>(dk);
    clear<MT, D / 8>(dv);
    float scale = a.scale * LOG2E;
    auto start_fetch = [&](int step) {
        int head = h * a.group + step / each;
        int query = (from + step % each) * M;
        u32 tile = tiles + (step & 1) * 2 * M * D * 2;
        float* row = rows + (step & 1) * 2 * M;
        fetch<M, D>(tile, q.at + b * q.batch + head * q.head + query * q.row, q.row, a.queries - query, a.size);
        fetch<M, D>(tile + M * D * 2, grad.at + b * grad.batch + head * grad.head + query * grad.row, grad.row,
                    a.queries - query, a.size);
        if (threadIdx.x < M) {
            i64 at = (i64) (b * a.heads + head) * a.queries + query + threadIdx.x;
            bool there = query + threadIdx.x < a.queries;
            row[threadIdx.x] = there ? logarithms[at] * LOG2E : INFINITE;
            row[M + threadIdx.x] = there ? sums[at] : 0;
        }
    };
    if (steps > 0) {
        start_fetch(0);
    }
    copies_start();
#pragma unroll 1
    for (int step = 0; step < steps; step++) {
        copies_wait();
        __syncthreads();
        if (step + 1 < steps) {
            start_fetch(step + 1);
        }
        copies_start();
        u32 tile_q = tiles + (step & 1) * 2 * M * D * 2;
        u32 tile_g = tile_q + M * D * 2;
        const float* row = rows + (step & 1) * 2 * M;
        int query = (from + step % each) * M;
#pragma unroll 1
        for (int part = 0; part < M; part += PART) {
            float s[MT][NT][4];
            clear<MT, NT>(s);
            products<BF, D, MT, NT>(s, tile_k, first, tile_q, part);
            bool masked = a.causal && query + part < start + N;
#pragma unroll
            for (int n = 0; n < NT; n++) {
                float2 less = *(const float2*) (row + part + n * 8 + (lane & 3) * 2);
#pragma unroll
                for (int m = 0; m < MT; m++) {
#pragma unroll
                    for (int i = 0; i < 4; i++) {
                        float p = power_of_2(s[m][n][i] * scale - (i & 1 ? less.y : less.x));
                        int to = query + part + n * 8 + (lane & 3) * 2 + (i & 1);
                        int key = start + first + m * 16 + (lane >> 2) + (i >> 1) * 8;
                        s[m][n][i] = masked && key > to ? 0 : p;
                    }
                }
            }
            weighted_rows<BF, D, MT, NT>(dv, s, tile_g, part);
            float ds[MT][NT][4];
            clear<MT, NT>(ds);
            products<BF, D, MT, NT>(ds, tile_v, first, tile_g, part);
#pragma unroll
            for (int n = 0; n < NT; n++) {
                float2 less = *(const float2*) (row + M + part + n * 8 + (lane & 3) * 2);
#pragma unroll
                for (int m = 0; m < MT; m++) {
#pragma unroll
                    for (int i = 0; i < 4; i++) {
                        ds[m][n][i] = s[m][n][i] * (ds[m][n][i] - (i & 1 ? less.y : less.x));
                    }
                }
            }
            weighted_rows<BF, D, MT, NT>(dk, ds, tile_q, part);
        }
    }
    copies_wait();
    __syncthreads();
    float one[MT][2];
    float scales[MT][2];
#pragma unroll
    for (int m = 0; m < MT; m++) {
        one[m][0] = one[m][1] = 1;
        scales[m][0] = scales[m][1] = a.scale;
    }
    write_rows<BF, D, MT>(gk.at + b * gk.batch + h * gk.head + start * gk.row, gk.row, a.keys - start, a.size, dk, scales,
                          tile_k);
    write_rows<BF, D, MT>(gv.at + b * gv.batch + h * gv.head + start * gv.row, gv.row, a.keys - start, a.size, dv, one,
                          tile_v);
}

// The gradient of queries: one block for 64 MT queries of a head, over all keys that they see.
template <bool BF, int D, int MT>
__device__ __forceinline__ void query_gradients(Matrix gq, Matrix grad, const float* logarithms, const float* sums,
                                                Matrix q, Matrix k, Matrix v, Shape a) {
    constexpr int M = 16 * MT * WARPS;
    constexpr int N = 64;
    constexpr int PART = 32;
    constexpr int NT = PART / 8;
    extern __shared__ __align__(128) char memory[];
    u32 tile_q = shared_address(memory);
    u32 tile_g = tile_q + M * D * 2;
    u32 tiles = tile_g + M * D * 2;
    int lane = threadIdx.x & 31;
    int first = (threadIdx.x >> 5) * 16 * MT;
    int b = blockIdx.y / a.heads;
    int h = blockIdx.y % a.heads;
    int start = (a.causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x) * M;
    const u16* ks = k.at + b * k.batch + h / a.group * k.head;
    const u16* vs = v.at + b * v.batch + h / a.group * v.head;
    int blocks = (a.keys + N - 1) / N;
    if (a.causal) {
        blocks = min(blocks, (start + M + N - 1) / N);
    }
    fetch<M, D>(tile_q, q.at + b * q.batch + h * q.head + start * q.row, q.row, a.queries - start, a.size);
    fetch<M, D>(tile_g, grad.at + b * grad.batch + h * grad.head + start * grad.row, grad.row, a.queries - start,
                a.size);
    auto start_fetch = [&](int j) {
        u32 tile = tiles + (j & 1) * 2 * N * D * 2;
        fetch<N, D>(tile, ks + (i64) j * N * k.row, k.row, a.keys - j * N, a.size);
        fetch<N, D>(tile + N * D * 2, vs + (i64) j * N * v.row, v.row, a.keys - j * N, a.size);
    };
    start_fetch(0);
    copies_start();
    float less[MT][2];
    float shift[MT][2];
#pragma unroll
    for (int m = 0; m < MT; m++) {
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int query = start + first + m * 16 + half * 8 + (lane >> 2);
            i64 at = (i64) blockIdx.y * a.queries + query;
            bool there = query < a.queries;
            shift[m][half] = there ? logarithms[at] * LOG2E : INFINITE;
            less[m][half] = there ? sums[at] : 0;
        }
    }
    float dq[MT][D / 8][4];
    clear<MT, D / 8>(dq);
    float scale = a.scale * LOG2E;
#pragma unroll 1
    for (int j = 0; j < blocks; j++) {
        copies_wait();
        __syncthreads();
        if (j + 1 < blocks) {
            start_fetch(j + 1);
        }
        copies_start();
        u32 tile_k = tiles + (j & 1) * 2 * N * D * 2;
        u32 tile_v = tile_k + N * D * 2;
        bool masked = j * N + N > a.keys || (a.causal && j * N + N - 1 > start);
#pragma unroll 1
        for (int part = 0; part < N; part += PART) {
            float s[MT][NT][4];
            float ds[MT][NT][4];
            clear<MT, NT>(s);
            clear<MT, NT>(ds);
            products<BF, D, MT, NT>(s, tile_q, first, tile_k, part);
            products<BF, D, MT, NT>(ds, tile_g, first, tile_v, part);
#pragma unroll
            for (int m = 0; m < MT; m++) {
#pragma unroll
                for (int n = 0; n < NT; n++) {
#pragma unroll
                    for (int i = 0; i < 4; i++) {
                        float p = power_of_2(s[m][n][i] * scale - shift[m][i >> 1]);
                        int key = j * N + part + n * 8 + (lane & 3) * 2 + (i & 1);
                        int query = start + first + m * 16 + (lane >> 2) + (i >> 1) * 8;
                        if (masked && (key >= a.keys || (a.causal && key > query))) {
                            p = 0;
                        }
                        s[m][n][i] = p * (ds[m][n][i] - less[m][i >> 1]);
                    }
                }
            }
            weighted_rows<BF, D, MT, NT>(dq, s, tile_k, part);
        }
    }
    copies_wait();
    __syncthreads();
    float scales[MT][2];
#pragma unroll
    for (int m = 0; m < MT; m++) {
        scales[m][0] = scales[m][1] = a.scale;
    }
    write_rows<BF, D, MT>(gq.at + b * gq.batch + h * gq.head + start * gq.row, gq.row, a.queries - start, a.size, dq,
                          scales, tile_q);
}

#define ATTENTION(NAME, BF, D, MT)                                                                                     \
    extern "C" __global__ void __launch_bounds__(THREADS) attend_##NAME(Matrix out, float* logarithms, Matrix q,      \
                                                                        Matrix k, Matrix v, Shape a) {                \
        attend<BF, D, MT>(out, logarithms, q, k, v, a);                                                                \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS) row_products_##NAME(float* sums, Matrix grad, Matrix out,   \
                                                                              Shape a) {                              \
        row_products<BF>(sums, grad, out, a);                                                                          \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                              \
        key_gradients_##NAME(Matrix gk, Matrix gv, Matrix grad, const float* logarithms, const float* sums, Matrix q, \
                             Matrix k, Matrix v, Shape a) {                                                           \
        key_gradients<BF, D, MT>(gk, gv, grad, logarithms, sums, q, k, v, a);                                          \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                              \
        query_gradients_##NAME(Matrix gq, Matrix grad, const float* logarithms, const float* sums, Matrix q, Matrix k, \
                               Matrix v, Shape a) {                                                                   \
        query_gradients<BF, D, MT>(gq, grad, logarithms, sums, q, k, v, a);                                            \
    }

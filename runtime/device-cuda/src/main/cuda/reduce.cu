// Reductions. Each result is gathered in an order that depends on sizes alone, so that it is the same every time.
#include "common.cuh"

// the order of io.vramlab.device.ReduceOp
enum { R_SUM, R_MEAN, R_PROD, R_MAX, R_MIN, R_ARGMAX, R_ARGMIN, R_NORM2, R_ANY, R_ALL, R_VAR, R_NORM1, R_SUM_NUMBERS,
    R_MAX_MAGNITUDE };

template <class C> __device__ __forceinline__ C start_of(int op) {
    switch (op) {
        case R_PROD: case R_ALL: return 1;
        case R_MAX: return sizeof(C) == 8 && (C) 0.5 == 0 ? (C) (-9223372036854775807LL - 1) : (C) -INF_F;
        case R_MIN: return sizeof(C) == 8 && (C) 0.5 == 0 ? (C) 9223372036854775807LL : (C) INF_F;
        default: return 0;
    }
}

// One more input.
template <class C> __device__ __forceinline__ C step(int op, C g, C v) {
    switch (op) {
        case R_PROD: return g * v;
        case R_MAX: return larger(g, v);
        case R_MIN: return smaller(g, v);
        case R_NORM2: return g + v * v;
        case R_NORM1: return g + (v < 0 ? -v : v);
        case R_SUM_NUMBERS: return v != v ? g : g + v;
        case R_MAX_MAGNITUDE: return larger(g, v < 0 ? -v : v);
        case R_ANY: return g != 0 || v != 0;
        case R_ALL: return g != 0 && v != 0;
        default: return g + v;
    }
}

// Two gatherings as one.
template <class C> __device__ __forceinline__ C combine(int op, C a, C b) {
    return op == R_NORM2 || op == R_NORM1 ? a + b : step(op, a, b);
}

template <class C> __device__ C block_combine(int op, C v) {
    __shared__ C part[32];
    __syncthreads();
#pragma unroll 1
    for (int by = 16; by > 0; by >>= 1) {
        v = combine(op, v, shuffle_down(v, by));
    }
    if ((threadIdx.x & 31) == 0) {
        part[threadIdx.x >> 5] = v;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < (blockDim.x >> 5) ? part[threadIdx.x] : start_of<C>(op);
#pragma unroll 1
        for (int by = 16; by > 0; by >>= 1) {
            v = combine(op, v, shuffle_down(v, by));
        }
    }
    return v; // valid in thread 0
}

template <class C> __device__ __forceinline__ C finish(int op, C v, i64 n) {
    return op == R_MEAN ? (C) (v / (C) n) : op == R_NORM2 ? (C) sqrt((double) v) : v;
}

// in: the kept dimensions first, the reduced ones last. parts: C[outputs][chunks], used when chunks > 1.
struct ReduceArgs {
    View out;
    View in;
    char* parts;
    i64 outputs;
    i64 length;
    i64 chunk;
    int chunks;
    int op;
};

template <class C> __device__ __forceinline__ void rows(const ReduceArgs& a) {
    for (i64 o = blockIdx.x; o < a.outputs; o += gridDim.x) {
        i64 first = (i64) blockIdx.y * a.chunk;
        i64 end = first + a.chunk < a.length ? first + a.chunk : a.length;
        C v = start_of<C>(a.op);
#pragma unroll 1
        for (i64 j = first + threadIdx.x; j < end; j += blockDim.x) {
            v = step(a.op, v, load<C>(a.in, o * a.length + j));
        }
        v = block_combine(a.op, v);
        if (threadIdx.x == 0) {
            if (a.chunks == 1) {
                store<C>(a.out, o, finish(a.op, v, a.length));
            } else {
                ((C*) a.parts)[o * a.chunks + blockIdx.y] = v;
            }
        }
    }
}

KERNEL reduce_rows_f(ReduceArgs a) { rows<float>(a); }
KERNEL reduce_rows_d(ReduceArgs a) { rows<double>(a); }
KERNEL reduce_rows_l(ReduceArgs a) { rows<i64>(a); }

// Sums (and means) of contiguous float32 rows, sixteen bytes at a time; length, chunk and address are multiples of 16 bytes.
KERNEL sum_rows_contiguous(ReduceArgs a) {
    for (i64 o = blockIdx.x; o < a.outputs; o += gridDim.x) {
        i64 first = (i64) blockIdx.y * a.chunk >> 2;
        i64 end = ((i64) (blockIdx.y + 1) * a.chunk < a.length ? (i64) (blockIdx.y + 1) * a.chunk : a.length) >> 2;
        const float4* p = (const float4*) ((const float*) a.in.p + o * a.length);
        float4 w[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            w[k] = make_float4(0, 0, 0, 0);
        }
        i64 j = first + threadIdx.x;
        for (; j + 3 * blockDim.x < end; j += 4 * blockDim.x) {
            float4 v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                v[k] = p[j + k * blockDim.x];
            }
#pragma unroll
            for (int k = 0; k < 4; k++) {
                w[k].x += v[k].x;
                w[k].y += v[k].y;
                w[k].z += v[k].z;
                w[k].w += v[k].w;
            }
        }
        for (; j < end; j += blockDim.x) {
            float4 v = p[j];
            w[0].x += v.x;
            w[0].y += v.y;
            w[0].z += v.z;
            w[0].w += v.w;
        }
        float v = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            v += (w[k].x + w[k].y) + (w[k].z + w[k].w);
        }
        v = block_combine(R_SUM, v);
        if (threadIdx.x == 0) {
            if (a.chunks == 1) {
                store<float>(a.out, o, finish(a.op, v, a.length));
            } else {
                ((float*) a.parts)[o * a.chunks + blockIdx.y] = v;
            }
        }
    }
}

// Second stage: combines the chunks of one output.
template <class C> __device__ __forceinline__ void chunks(const ReduceArgs& a) {
    for (i64 o = blockIdx.x; o < a.outputs; o += gridDim.x) {
        C v = start_of<C>(a.op);
#pragma unroll 1
        for (int c = threadIdx.x; c < a.chunks; c += blockDim.x) {
            v = combine(a.op, v, ((const C*) a.parts)[o * a.chunks + c]);
        }
        v = block_combine(a.op, v);
        if (threadIdx.x == 0) {
            store<C>(a.out, o, finish(a.op, v, a.length));
        }
    }
}

KERNEL reduce_chunks_f(ReduceArgs a) { chunks<float>(a); }
KERNEL reduce_chunks_d(ReduceArgs a) { chunks<double>(a); }
KERNEL reduce_chunks_l(ReduceArgs a) { chunks<i64>(a); }

// in: the reduced dimensions first, the kept ones last (neighbours in memory). Blocks of 32 columns by 8 rows.
template <class C> __device__ __forceinline__ void columns(const ReduceArgs& a) {
    __shared__ C part[8][33];
    i64 o = (i64) blockIdx.x * 32 + (threadIdx.x & 31);
    int lane = threadIdx.x >> 5;
    i64 first = (i64) blockIdx.y * a.chunk;
    i64 end = first + a.chunk < a.length ? first + a.chunk : a.length;
    C v = start_of<C>(a.op);
    if (o < a.outputs) {
#pragma unroll 1
        for (i64 r = first + lane; r < end; r += 8) {
            v = step(a.op, v, load<C>(a.in, r * a.outputs + o));
        }
    }
    part[lane][threadIdx.x & 31] = v;
    __syncthreads();
    if (lane == 0 && o < a.outputs) {
        for (int k = 1; k < 8; k++) {
            v = combine(a.op, v, part[k][threadIdx.x]);
        }
        if (a.chunks == 1) {
            store<C>(a.out, o, finish(a.op, v, a.length));
        } else {
            ((C*) a.parts)[o * a.chunks + blockIdx.y] = v;
        }
    }
}

// Sums (and means) of the columns of contiguous float32 rows: four loads in flight per thread.
KERNEL sum_columns_contiguous(ReduceArgs a) {
    __shared__ float part[8][33];
    i64 o = (i64) blockIdx.x * 32 + (threadIdx.x & 31);
    int lane = threadIdx.x >> 5;
    i64 first = (i64) blockIdx.y * a.chunk;
    i64 end = first + a.chunk < a.length ? first + a.chunk : a.length;
    float w[4] = {0, 0, 0, 0};
    if (o < a.outputs) {
        const float* p = (const float*) a.in.p + o;
        i64 r = first + lane;
        for (; r + 24 < end; r += 32) {
            float v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                v[k] = p[(r + 8 * k) * a.outputs];
            }
#pragma unroll
            for (int k = 0; k < 4; k++) {
                w[k] += v[k];
            }
        }
        for (; r < end; r += 8) {
            w[0] += p[r * a.outputs];
        }
    }
    float v = (w[0] + w[1]) + (w[2] + w[3]);
    part[lane][threadIdx.x & 31] = v;
    __syncthreads();
    if (lane == 0 && o < a.outputs) {
        for (int k = 1; k < 8; k++) {
            v += part[k][threadIdx.x];
        }
        if (a.chunks == 1) {
            store<float>(a.out, o, finish(a.op, v, a.length));
        } else {
            ((float*) a.parts)[o * a.chunks + blockIdx.y] = v;
        }
    }
}

KERNEL reduce_columns_f(ReduceArgs a) { columns<float>(a); }
KERNEL reduce_columns_d(ReduceArgs a) { columns<double>(a); }
KERNEL reduce_columns_l(ReduceArgs a) { columns<i64>(a); }

// Unbiased variance, two passes: a large mean must not swallow a small variance.
KERNEL variance(ReduceArgs a) {
    for (i64 o = blockIdx.x; o < a.outputs; o += gridDim.x) {
        double sum = 0;
#pragma unroll 1
        for (i64 j = threadIdx.x; j < a.length; j += blockDim.x) {
            sum += load<double>(a.in, o * a.length + j);
        }
        double mean = block_sum(sum) / a.length;
        double squares = 0;
#pragma unroll 1
        for (i64 j = threadIdx.x; j < a.length; j += blockDim.x) {
            double d = load<double>(a.in, o * a.length + j) - mean;
            squares += d * d;
        }
        squares = block_sum(squares);
        if (threadIdx.x == 0) {
            store<double>(a.out, o, a.length > 1 ? squares / (a.length - 1) : (double) NAN_F);
        }
    }
}

// The largest or smallest with its index: the first of equals, the first NaN.
struct ArgArgs {
    View values;
    View indices;
    View in;
    i64 outputs;
    i64 length;
    int largest;
    int hasValues;
};

template <class C> __device__ __forceinline__ bool better(bool largest, C v, i64 i, C w, i64 j) {
    if (j < 0) {
        return i >= 0;
    }
    if (i < 0) {
        return false;
    }
    bool a = v != v;
    bool b = w != w;
    if (a || b) {
        return a && (!b || i < j);
    }
    return v == w ? i < j : largest ? v > w : v < w;
}

template <class C> __device__ __forceinline__ void arg(const ArgArgs& a) {
    __shared__ C values[32];
    __shared__ i64 indices[32];
    for (i64 o = blockIdx.x; o < a.outputs; o += gridDim.x) {
        C best = 0;
        i64 at = -1;
#pragma unroll 1
        for (i64 j = threadIdx.x; j < a.length; j += blockDim.x) {
            C v = load<C>(a.in, o * a.length + j);
            if (better<C>(a.largest, v, j, best, at)) {
                best = v;
                at = j;
            }
        }
        for (int by = 16; by > 0; by >>= 1) {
            C v = shuffle_down(best, by);
            i64 i = shuffle_down(at, by);
            if (better<C>(a.largest, v, i, best, at)) {
                best = v;
                at = i;
            }
        }
        __syncthreads();
        if ((threadIdx.x & 31) == 0) {
            values[threadIdx.x >> 5] = best;
            indices[threadIdx.x >> 5] = at;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int k = 1; k < (int) (blockDim.x >> 5); k++) {
                if (better<C>(a.largest, values[k], indices[k], best, at)) {
                    best = values[k];
                    at = indices[k];
                }
            }
            store<i64>(a.indices, o, at);
            if (a.hasValues) {
                store<C>(a.values, o, best);
            }
        }
    }
}

KERNEL arg_f(ArgArgs a) { arg<float>(a); }
KERNEL arg_d(ArgArgs a) { arg<double>(a); }
KERNEL arg_l(ArgArgs a) { arg<i64>(a); }

// Scattering, several indices at once, and scans. What meets at one place is combined in the order of the index.
#include "common.cuh"

// the order of io.vramlab.device.ScatterOp
enum { SCATTER_SET, SCATTER_ADD, SCATTER_PROD, SCATTER_MAX, SCATTER_MIN };
// the order of io.vramlab.device.ScanOp
enum { SCAN_SUM, SCAN_PROD, SCAN_MAX, SCAN_MIN, SCAN_LOG_SUM_EXP };

template <class C> __device__ __forceinline__ C combine(int op, C was, C now) {
    switch (op) {
        case SCATTER_ADD: return was + now;
        case SCATTER_PROD: return was * now;
        case SCATTER_MAX: return larger(was, now);
        case SCATTER_MIN: return smaller(was, now);
        default: return now;
    }
}

struct ScatterArgs {
    View out;
    View in;
    View index;
    i64 rows;
    i64 n;
    i64 length;
    double value;
    int op;
    int fills; // with the value, instead of from in
};

template <class C> __device__ __forceinline__ void scatter(const ScatterArgs& a) {
#pragma unroll 1
    for (i64 r = thread_index(); r < a.rows; r += thread_count()) {
#pragma unroll 1
        for (i64 i = 0; i < a.n; i++) {
            i64 at = load<i64>(a.index, r * a.n + i);
            REQUIRE(at >= 0 && at < a.length, "idx >= 0 && idx < size (scatter: index out of bounds)");
            i64 cell = r * a.length + at;
            C was = a.op == SCATTER_SET ? (C) 0 : load<C>(a.out, cell);
            store<C>(a.out, cell, combine<C>(a.op, was, a.fills ? (C) a.value : load<C>(a.in, r * a.n + i)));
        }
    }
}

KERNEL scatter_f(ScatterArgs a) { scatter<float>(a); }
KERNEL scatter_d(ScatterArgs a) { scatter<double>(a); }
KERNEL scatter_l(ScatterArgs a) { scatter<i64>(a); }

struct ManyArgs {
    View out;
    View in;
    View index[4];
    i64 size[4];
    i64 stride[4];
    i64 n;
    int many;
    int op;
};

__device__ __forceinline__ i64 shift_of(const ManyArgs& a, i64 i) {
    i64 shift = 0;
#pragma unroll 1
    for (int k = 0; k < a.many; k++) {
        i64 at = load<i64>(a.index[k], i);
        REQUIRE(at >= -a.size[k] && at < a.size[k], "-sizes[i] <= index && index < sizes[i] (index out of bounds)");
        shift += (at < 0 ? at + a.size[k] : at) * a.stride[k];
    }
    return shift;
}

KERNEL index_get(ManyArgs a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        i64 from = offset_of(a.in, i) + shift_of(a, i);
        i64 to = offset_of(a.out, i);
        switch (a.out.dt) {
            case F64: case I64: ((i64*) a.out.p)[to] = ((const i64*) a.in.p)[from]; break;
            case F32: case I32: ((int*) a.out.p)[to] = ((const int*) a.in.p)[from]; break;
            case F16: case BF16: ((short*) a.out.p)[to] = ((const short*) a.in.p)[from]; break;
            default: a.out.p[to] = a.in.p[from]; break;
        }
    }
}

// SET: any thread may win where a place is named twice, as in PyTorch.
KERNEL index_set(ManyArgs a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        i64 to = offset_of(a.out, i) + shift_of(a, i);
        i64 from = offset_of(a.in, i);
        switch (a.out.dt) {
            case F64: case I64: ((i64*) a.out.p)[to] = ((const i64*) a.in.p)[from]; break;
            case F32: case I32: ((int*) a.out.p)[to] = ((const int*) a.in.p)[from]; break;
            case F16: case BF16: ((short*) a.out.p)[to] = ((const short*) a.in.p)[from]; break;
            default: a.out.p[to] = a.in.p[from]; break;
        }
    }
}

// Others: the first element that names a place does the work of all that do, in order. Quadratic, and needs no memory.
template <class C> __device__ __forceinline__ void index_put(const ManyArgs& a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        i64 to = offset_of(a.out, i) + shift_of(a, i);
        bool first = true;
#pragma unroll 1
        for (i64 j = 0; j < i && first; j++) {
            first = offset_of(a.out, j) + shift_of(a, j) != to;
        }
        if (!first) {
            continue;
        }
        C sum = load_at<C>(a.out.p, a.out.dt, to);
#pragma unroll 1
        for (i64 j = i; j < a.n; j++) {
            if (offset_of(a.out, j) + shift_of(a, j) == to) {
                sum = combine<C>(a.op, sum, load<C>(a.in, j));
            }
        }
        store_at<C>(a.out.p, a.out.dt, to, sum);
    }
}

KERNEL index_put_f(ManyArgs a) { index_put<float>(a); }
KERNEL index_put_d(ManyArgs a) { index_put<double>(a); }
KERNEL index_put_l(ManyArgs a) { index_put<i64>(a); }

struct ScanArgs {
    View out;
    View indices;
    View in;
    i64 rows;
    i64 n;
    int op;
    int places;
};

__device__ __forceinline__ float log_sum_exp(float a, float b) {
    float most = a > b ? a : b;
    return most - most != 0 ? most : most + log1pf(expf(-fabsf(a - b)));
}

__device__ __forceinline__ double log_sum_exp(double a, double b) {
    double most = a > b ? a : b;
    return most - most != 0 ? most : most + log1p(exp(-fabs(a - b)));
}

__device__ __forceinline__ i64 log_sum_exp(i64 a, i64 b) {
    return a > b ? a : b;
}

template <class C> __device__ __forceinline__ void scan(const ScanArgs& a) {
#pragma unroll 1
    for (i64 r = thread_index(); r < a.rows; r += thread_count()) {
        C before = (C) 0;
        i64 place = 0;
#pragma unroll 1
        for (i64 i = 0; i < a.n; i++) {
            C now = load<C>(a.in, r * a.n + i);
            bool stays = i > 0 && ((a.op == SCAN_MAX && !(now != now || now >= before))
                    || (a.op == SCAN_MIN && !(now != now || now <= before)));
            if (i == 0) {
                before = now;
            } else if (a.op == SCAN_SUM) {
                before += now;
            } else if (a.op == SCAN_PROD) {
                before *= now;
            } else if (a.op == SCAN_LOG_SUM_EXP) {
                before = log_sum_exp(before, now);
            } else {
                before = stays ? before : now;
            }
            place = stays ? place : i;
            store<C>(a.out, r * a.n + i, before);
            if (a.places) {
                store<i64>(a.indices, r * a.n + i, place);
            }
        }
    }
}

KERNEL scan_f(ScanArgs a) { scan<float>(a); }
KERNEL scan_d(ScanArgs a) { scan<double>(a); }
KERNEL scan_l(ScanArgs a) { scan<i64>(a); }

// Gathering and scattering by index, sorting, ranges, triangles. Sums run in the order of the index.
#include "common.cuh"

// Rows along a dimension: element i of row r of `index` is number r * n + i.
struct IndexArgs {
    View out;
    View in;
    View index;
    i64 rows;
    i64 n;      // indices per row
    i64 length; // the size that indices reach into
    i64 width;
};

KERNEL gather(IndexArgs a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.rows * a.n; i += thread_count()) {
        i64 at = load<i64>(a.index, i);
        REQUIRE(at >= 0 && at < a.length, "idx >= 0 && idx < size (gather: index out of bounds)");
        copy_element(a.out, i, a.in, i / a.n * a.length + at);
    }
}

template <class C> __device__ __forceinline__ void scatter_add(const IndexArgs& a) {
#pragma unroll 1
    for (i64 r = thread_index(); r < a.rows; r += thread_count()) {
#pragma unroll 1
        for (i64 i = 0; i < a.n; i++) {
            i64 at = load<i64>(a.index, r * a.n + i);
            REQUIRE(at >= 0 && at < a.length, "idx >= 0 && idx < size (scatter_add: index out of bounds)");
            i64 cell = r * a.length + at;
            store<C>(a.out, cell, load<C>(a.out, cell) + load<C>(a.in, r * a.n + i));
        }
    }
}

KERNEL scatter_add_f(IndexArgs a) { scatter_add<float>(a); }
KERNEL scatter_add_d(IndexArgs a) { scatter_add<double>(a); }
KERNEL scatter_add_l(IndexArgs a) { scatter_add<i64>(a); }

KERNEL index_select(IndexArgs a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n * a.width; i += thread_count()) {
        i64 at = load<i64>(a.index, i / a.width);
        REQUIRE(at >= 0 && at < a.length, "srcIndex < srcSelectDimSize (index_select: index out of bounds)");
        copy_element(a.out, i, a.in, at * a.width + i % a.width);
    }
}

// One block per source row. The first row of each target adds them all, in order; the others leave it to that one.
template <class C> __device__ __forceinline__ void index_add(const IndexArgs& a) {
    __shared__ u32 found[8];
    __shared__ int earlier;
    for (i64 i = blockIdx.x; i < a.n; i += gridDim.x) {
        i64 target = load<i64>(a.index, i);
        REQUIRE(target >= 0 && target < a.length, "idx >= 0 && idx < size (index_add: index out of bounds)");
        __syncthreads();
        if (threadIdx.x == 0) {
            earlier = 0;
        }
        __syncthreads();
#pragma unroll 1
        for (i64 j = threadIdx.x; j < i; j += blockDim.x) {
            if (load<i64>(a.index, j) == target) {
                earlier = 1;
                break;
            }
        }
        __syncthreads();
        if (earlier) {
            continue;
        }
#pragma unroll 1
        for (i64 start = i; start < a.n; start += blockDim.x) {
            i64 j = start + threadIdx.x;
            u32 mine = __ballot_sync(0xffffffffu, j < a.n && load<i64>(a.index, j < a.n ? j : i) == target);
            __syncthreads();
            if ((threadIdx.x & 31) == 0) {
                found[threadIdx.x >> 5] = mine;
            }
            __syncthreads();
            for (int w = 0; w < (int) (blockDim.x >> 5); w++) {
                for (u32 bits = found[w]; bits != 0; bits &= bits - 1) {
                    i64 source = start + w * 32 + __ffs(bits) - 1;
#pragma unroll 1
                    for (i64 k = threadIdx.x; k < a.width; k += blockDim.x) {
                        i64 cell = target * a.width + k;
                        store<C>(a.out, cell, load<C>(a.out, cell) + load<C>(a.in, source * a.width + k));
                    }
                }
            }
        }
    }
}

KERNEL index_add_f(IndexArgs a) { index_add<float>(a); }
KERNEL index_add_d(IndexArgs a) { index_add<double>(a); }
KERNEL index_add_l(IndexArgs a) { index_add<i64>(a); }

struct TopkArgs {
    View values;
    View indices;
    View in;
    i64 rows;
    i64 length;
    i64 k;
    int largest;
};

// An integer that orders as the element does; NaN is the largest.
__device__ __forceinline__ i64 key_of(const View& v, i64 i) {
    if (v.dt == F64) {
        double d = load<double>(v, i) + 0.0;
        i64 bits = d != d ? 0x7ff8000000000000LL : __double_as_longlong(d);
        return bits < 0 ? bits ^ 0x7fffffffffffffffLL : bits;
    }
    if (v.dt <= BF16) {
        float f = load<float>(v, i) + 0.0f;
        int bits = f != f ? 0x7fc00000 : __float_as_int(f);
        return bits < 0 ? bits ^ 0x7fffffff : bits;
    }
    return load<i64>(v, i);
}

// An element's place is the number of elements that come before it: counted, so that no memory is needed to sort.
KERNEL topk(TopkArgs a) {
    __shared__ i64 keys[256];
    i64 i = thread_index();
    for (i64 r = blockIdx.y; r < a.rows; r += gridDim.y) {
        i64 base = r * a.length;
        i64 mine = i < a.length ? key_of(a.in, base + i) : 0;
        i64 place = 0;
#pragma unroll 1
        for (i64 start = 0; start < a.length; start += blockDim.x) {
            __syncthreads();
            i64 j = start + threadIdx.x;
            keys[threadIdx.x] = j < a.length ? key_of(a.in, base + j) : 0;
            __syncthreads();
            int n = a.length - start < blockDim.x ? (int) (a.length - start) : (int) blockDim.x;
            for (int k = 0; k < n; k++) {
                i64 other = keys[k];
                bool first = a.largest ? other > mine : other < mine;
                place += first || (other == mine && start + k < i);
            }
        }
        if (i < a.length && place < a.k) {
            copy_element(a.values, r * a.k + place, a.in, base + i);
            store<i64>(a.indices, r * a.k + place, i);
        }
    }
}

struct SequenceArgs {
    View out;
    View in;
    i64 n;
    double start;
    double step;
    i64 height;
    i64 width;
    i64 diagonal;
    int upper;
    int floating;
};

KERNEL arange(SequenceArgs a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        if (a.floating) {
            store<double>(a.out, i, a.start + i * a.step);
        } else {
            store<i64>(a.out, i, (i64) a.start + i * (i64) a.step);
        }
    }
}

KERNEL triangle(SequenceArgs a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        i64 column = i % a.width;
        i64 row = i / a.width % a.height;
        bool keep = a.upper ? column - row >= a.diagonal : column - row <= a.diagonal;
        if (keep) {
            copy_element(a.out, i, a.in, i);
        } else {
            store<i64>(a.out, i, 0);
        }
    }
}

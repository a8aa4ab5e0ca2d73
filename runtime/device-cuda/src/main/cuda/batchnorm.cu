// Batch norm. One block per channel, or where channels are few and long, several: then each has its part of the channel, the
// parts are joined by one thread per channel, and a third kernel writes. Sums in a fixed order.
#include "common.cuh"

// The elements of a row, shared by the block's threads.
#define EACH(j, n) _Pragma("unroll 1") for (i64 j = threadIdx.x; j < (n); j += blockDim.x)

// Where an operand's channels, images and their elements are; strides in elements.
struct Plane {
    char* p;
    i64 channel;
    i64 image;
    i64 element;
};

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
    int slices; // parts of a channel
    int channels;
    u32 inner; // groups of elements of one channel of one image; a group is one element or four neighbours
    u32 magic; // j / inner is (umulhi(j, magic) + j) >> shift, for j below 2^31 (Granlund, Montgomery)
    int shift;
    int unused;
    Plane planes[3]; // out, in, gradOut
    double* parts; // two numbers for each slice of each channel, then two for each channel
};

// This block's part of its channel, and its elements, several on their way at once.
#define SLICE() \
    i64 c = blockIdx.x / a.slices; \
    i64 part = blockIdx.x % a.slices; \
    u32 from = (u32) (slice_begin(a, part) / V); \
    u32 until = (u32) (slice_begin(a, part + 1) / V)
#define EACH_OF_SLICE(j) _Pragma("unroll 2") for (u32 j = from + threadIdx.x; j < until; j += blockDim.x)
enum { OUT, IN, GRAD_OUT };

// The first element of a slice: a multiple of four, so that no group is cut; the length is one where there are groups of four.
__device__ __forceinline__ i64 slice_begin(const BatchNormArgs& a, i64 slice) {
    return slice == a.slices ? a.length : a.length * slice / a.slices / 4 * 4;
}

// Elements whose type is known when this is compiled, as C computes with them.
struct Single { typedef float C; enum { DT = F32 }; };
struct Double { typedef double C; enum { DT = F64 }; };
struct Half { typedef float C; enum { DT = F16 }; };
struct BFloat { typedef float C; enum { DT = BF16 }; };

// A group's elements, computed with as C, read and written at once.
template <class T, int V> struct Group {
    typename T::C v[V];
};
struct alignas(16) Words4 { u32 w[4]; };
struct alignas(8) Words2 { u32 w[2]; };

template <int V> __device__ __forceinline__ i64 place(const BatchNormArgs& a, const Plane& of, i64 c, u32 j) {
    u32 image = (__umulhi(j, a.magic) + j) >> a.shift;
    return c * of.channel + image * of.image + (i64) (j - image * a.inner) * V * of.element;
}

__device__ __forceinline__ float widened(int dt, u32 bits) {
    return dt == F16 ? half_to_float((unsigned short) bits) : bf16_to_float((unsigned short) bits);
}

__device__ __forceinline__ u32 narrowed(int dt, float value) {
    return dt == F16 ? float_to_half(value) : float_to_bf16(value);
}

template <class T, int V> __device__ __forceinline__ Group<T, V> get(const BatchNormArgs& a, int which, i64 c, u32 j) {
    const char* p = a.planes[which].p;
    i64 at = place<V>(a, a.planes[which], c, j);
    Group<T, V> g;
    if constexpr (T::DT == F64) {
        g.v[0] = ((const double*) p)[at];
    } else if constexpr (T::DT == F32 && V == 4) {
        Words4 w = *(const Words4*) (p + at * 4);
#pragma unroll
        for (int k = 0; k < V; k++) {
            g.v[k] = __uint_as_float(w.w[k]);
        }
    } else if constexpr (T::DT == F32) {
        g.v[0] = ((const float*) p)[at];
    } else if constexpr (V == 4) {
        Words2 w = *(const Words2*) (p + at * 2);
#pragma unroll
        for (int k = 0; k < V; k++) {
            g.v[k] = widened(T::DT, w.w[k / 2] >> 16 * (k % 2) & 0xffff);
        }
    } else {
        g.v[0] = widened(T::DT, ((const unsigned short*) p)[at]);
    }
    return g;
}

template <class T, int V> __device__ __forceinline__ void put(const BatchNormArgs& a, i64 c, u32 j, Group<T, V> g) {
    char* p = a.planes[OUT].p;
    i64 at = place<V>(a, a.planes[OUT], c, j);
    if constexpr (T::DT == F64) {
        ((double*) p)[at] = g.v[0];
    } else if constexpr (T::DT == F32 && V == 4) {
        Words4 w = {{__float_as_uint(g.v[0]), __float_as_uint(g.v[1]), __float_as_uint(g.v[2]), __float_as_uint(g.v[3])}};
        *(Words4*) (p + at * 4) = w;
    } else if constexpr (T::DT == F32) {
        ((float*) p)[at] = g.v[0];
    } else if constexpr (V == 4) {
        Words2 w = {{narrowed(T::DT, g.v[0]) | narrowed(T::DT, g.v[1]) << 16,
                narrowed(T::DT, g.v[2]) | narrowed(T::DT, g.v[3]) << 16}};
        *(Words2*) (p + at * 2) = w;
    } else {
        ((unsigned short*) p)[at] = (unsigned short) narrowed(T::DT, g.v[0]);
    }
}

#define EACH_OF_GROUP(k) _Pragma("unroll") for (int k = 0; k < V; k++)
#define FOR_EACH_TYPE(name) \
    KERNEL name##_d(BatchNormArgs a) { name<Double, 1>(a); } \
    KERNEL name##_f(BatchNormArgs a) { name<Single, 1>(a); } \
    KERNEL name##_h(BatchNormArgs a) { name<Half, 1>(a); } \
    KERNEL name##_b(BatchNormArgs a) { name<BFloat, 1>(a); } \
    KERNEL name##_f4(BatchNormArgs a) { name<Single, 4>(a); } \
    KERNEL name##_h4(BatchNormArgs a) { name<Half, 4>(a); } \
    KERNEL name##_b4(BatchNormArgs a) { name<BFloat, 4>(a); }

__device__ __forceinline__ void keep(const BatchNormArgs& a, i64 at, double first, double second) {
    a.parts[2 * at] = first;
    a.parts[2 * at + 1] = second;
}

// Where the two numbers of a channel are.
__device__ __forceinline__ i64 joined(const BatchNormArgs& a, i64 c) {
    return (i64) a.slices * a.channels + c;
}

__device__ __forceinline__ void remember(const BatchNormArgs& a, i64 c, double mean, double variance, double scale) {
    store<double>(a.mean, c, mean);
    store<double>(a.invStd, c, scale);
    if (a.has & 4) {
        double unbiased = variance * a.length / (a.length > 1 ? a.length - 1 : 1);
        store<double>(a.runningMean, c, (1 - a.momentum) * load<double>(a.runningMean, c) + a.momentum * mean);
        store<double>(a.runningVar, c, (1 - a.momentum) * load<double>(a.runningVar, c) + a.momentum * unbiased);
    }
}

// Mean and sum of squared deviations from it, of each slice, in one reading.
template <class T, int V> __device__ __forceinline__ void batch_norm_parts(const BatchNormArgs& a) {
    SLICE();
    // near the mean: of the slice's first elements; what it is off by is told by the deviations' sum
    u32 begun = from + threadIdx.x;
    typename T::C one = begun < until ? get<T, V>(a, IN, c, begun).v[0] : 0;
    double near = block_sum((double) one) / min(blockDim.x, until - from);
    typename T::C middle = near;
    typename T::C off[V] = {};
    typename T::C squares[V] = {};
    EACH_OF_SLICE(j) {
        Group<T, V> x = get<T, V>(a, IN, c, j);
        EACH_OF_GROUP(k) {
            typename T::C d = x.v[k] - middle;
            off[k] += d;
            squares[k] += d * d;
        }
    }
    double offSum = 0;
    double squareSum = 0;
    EACH_OF_GROUP(k) {
        offSum += off[k];
        squareSum += squares[k];
    }
    double count = (double) (until - from) * V;
    double shift = block_sum(offSum) / count;
    double all = block_sum(squareSum);
    if (threadIdx.x == 0) {
        keep(a, blockIdx.x, (double) middle + shift, all - shift * shift * count);
    }
}
FOR_EACH_TYPE(batch_norm_parts)

// Chan, Golub, LeVeque: deviations from the parts' means and of these from the whole's.
KERNEL batch_norm_join(BatchNormArgs a) {
    i64 c = thread_index();
    if (c >= a.channels) {
        return;
    }
    double mean;
    double variance;
    if (a.training) {
        mean = 0;
        for (i64 s = 0; s < a.slices; s++) {
            i64 count = slice_begin(a, s + 1) - slice_begin(a, s);
            mean += a.parts[2 * (c * a.slices + s)] * count;
        }
        mean /= a.length;
        double squares = 0;
        for (i64 s = 0; s < a.slices; s++) {
            i64 count = slice_begin(a, s + 1) - slice_begin(a, s);
            double d = a.parts[2 * (c * a.slices + s)] - mean;
            squares += a.parts[2 * (c * a.slices + s) + 1] + d * d * count;
        }
        variance = squares / a.length;
    } else {
        mean = load<double>(a.runningMean, c);
        variance = load<double>(a.runningVar, c);
    }
    double scale = 1 / sqrt(variance + a.eps);
    if (a.training) {
        remember(a, c, mean, variance, scale);
    }
    keep(a, joined(a, c), mean, scale * (a.has & 1 ? load<double>(a.weight, c) : 1));
}

template <class T, int V> __device__ __forceinline__ void batch_norm_write(const BatchNormArgs& a) {
    SLICE();
    double mean = a.parts[2 * joined(a, c)];
    double factor = a.parts[2 * joined(a, c) + 1];
    double shift = a.has & 2 ? load<double>(a.bias, c) : 0;
    typename T::C m = mean;
    typename T::C f = factor;
    typename T::C b = shift;
    EACH_OF_SLICE(j) {
        Group<T, V> x = get<T, V>(a, IN, c, j);
        EACH_OF_GROUP(k) {
            x.v[k] = (x.v[k] - m) * f + b;
        }
        put<T, V>(a, c, j, x);
    }
}
FOR_EACH_TYPE(batch_norm_write)

template <class T, int V> __device__ __forceinline__ void batch_norm_backward_parts(const BatchNormArgs& a) {
    SLICE();
    typename T::C mean = load<double>(a.mean, c);
    typename T::C ofGradient[V] = {};
    typename T::C ofProduct[V] = {};
    EACH_OF_SLICE(j) {
        Group<T, V> g = get<T, V>(a, GRAD_OUT, c, j);
        Group<T, V> x = get<T, V>(a, IN, c, j);
        EACH_OF_GROUP(k) {
            ofGradient[k] += g.v[k];
            ofProduct[k] += g.v[k] * (x.v[k] - mean);
        }
    }
    double gradients = 0;
    double products = 0;
    EACH_OF_GROUP(k) {
        gradients += ofGradient[k];
        products += ofProduct[k];
    }
    double sum = block_sum(gradients);
    double along = block_sum(products);
    if (threadIdx.x == 0) {
        keep(a, blockIdx.x, sum, along);
    }
}
FOR_EACH_TYPE(batch_norm_backward_parts)

KERNEL batch_norm_backward_join(BatchNormArgs a) {
    i64 c = thread_index();
    if (c >= a.channels) {
        return;
    }
    double sum = 0;
    double along = 0;
    for (i64 s = 0; s < a.slices; s++) {
        sum += a.parts[2 * (c * a.slices + s)];
        along += a.parts[2 * (c * a.slices + s) + 1];
    }
    double scale = load<double>(a.invStd, c);
    along *= scale;
    if (a.has & 8) {
        store<double>(a.gradWeight, c, along);
    }
    if (a.has & 16) {
        store<double>(a.gradBias, c, sum);
    }
    keep(a, joined(a, c), a.training ? sum / a.length : 0, a.training ? along / a.length * scale : 0);
}

template <class T, int V> __device__ __forceinline__ void batch_norm_backward_write(const BatchNormArgs& a) {
    SLICE();
    double mean = load<double>(a.mean, c);
    double gradMean = a.parts[2 * joined(a, c)];
    double slope = a.parts[2 * joined(a, c) + 1];
    double factor = load<double>(a.invStd, c) * (a.has & 1 ? load<double>(a.weight, c) : 1);
    typename T::C m = mean;
    typename T::C gm = gradMean;
    typename T::C sl = slope;
    typename T::C f = factor;
    EACH_OF_SLICE(j) {
        Group<T, V> g = get<T, V>(a, GRAD_OUT, c, j);
        Group<T, V> x = get<T, V>(a, IN, c, j);
        EACH_OF_GROUP(k) {
            g.v[k] = (g.v[k] - gm - (x.v[k] - m) * sl) * f;
        }
        put<T, V>(a, c, j, g);
    }
}
FOR_EACH_TYPE(batch_norm_backward_write)

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
        remember(a, c, mean, variance, scale);
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

// Batch norm. One block per channel; sums in a fixed order.
#include "common.cuh"

// The elements of a row, shared by the block's threads.
#define EACH(j, n) _Pragma("unroll 1") for (i64 j = threadIdx.x; j < (n); j += blockDim.x)

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

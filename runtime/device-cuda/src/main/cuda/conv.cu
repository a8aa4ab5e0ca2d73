// Convolution and pooling straight from their definitions, one thread per result, so that sums have one order.
#include "common.cuh"

struct WindowArgs {
    View out; // what is written
    View a;   // forward: the input; backward: the incoming gradient
    View b;   // the weight; for its gradient: the input; for max pooling: the indices
    View bias;
    i64 n;
    int images, groups, channels, height, width;   // channels of the input in all
    int outputs, outHeight, outWidth;
    int kernelH, kernelW, strideH, strideW, padH, padW, dilationH, dilationW;
    int hasBias;
};

template <class C> __device__ __forceinline__ void conv(const WindowArgs& a) {
    int perGroup = a.channels / a.groups;
    int outsPerGroup = a.outputs / a.groups;
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        int x = (int) (i % a.outWidth);
        int y = (int) (i / a.outWidth % a.outHeight);
        int k = (int) (i / ((i64) a.outWidth * a.outHeight) % a.outputs);
        i64 image = i / ((i64) a.outWidth * a.outHeight * a.outputs);
        int first = k / outsPerGroup * perGroup;
        C sum = a.hasBias ? load<C>(a.bias, k) : (C) 0;
#pragma unroll 1
        for (int c = 0; c < perGroup; c++) {
#pragma unroll 1
            for (int r = 0; r < a.kernelH; r++) {
                int h = y * a.strideH - a.padH + r * a.dilationH;
                if (h < 0 || h >= a.height) {
                    continue;
                }
#pragma unroll 1
                for (int s = 0; s < a.kernelW; s++) {
                    int w = x * a.strideW - a.padW + s * a.dilationW;
                    if (w >= 0 && w < a.width) {
                        sum += load<C>(a.a, ((image * a.channels + first + c) * a.height + h) * a.width + w)
                                * load<C>(a.b, (((i64) k * perGroup + c) * a.kernelH + r) * a.kernelW + s);
                    }
                }
            }
        }
        store<C>(a.out, i, sum);
    }
}

KERNEL conv_f(WindowArgs a) { conv<float>(a); }
KERNEL conv_d(WindowArgs a) { conv<double>(a); }

template <class C> __device__ __forceinline__ void conv_input(const WindowArgs& a) {
    int perGroup = a.channels / a.groups;
    int outsPerGroup = a.outputs / a.groups;
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        int x = (int) (i % a.width);
        int y = (int) (i / a.width % a.height);
        int c = (int) (i / ((i64) a.width * a.height) % a.channels);
        i64 image = i / ((i64) a.width * a.height * a.channels);
        int group = c / perGroup;
        C sum = 0;
#pragma unroll 1
        for (int k = group * outsPerGroup; k < (group + 1) * outsPerGroup; k++) {
#pragma unroll 1
            for (int r = 0; r < a.kernelH; r++) {
                int h = y + a.padH - r * a.dilationH;
                if (h < 0 || h % a.strideH != 0 || h / a.strideH >= a.outHeight) {
                    continue;
                }
#pragma unroll 1
                for (int s = 0; s < a.kernelW; s++) {
                    int w = x + a.padW - s * a.dilationW;
                    if (w >= 0 && w % a.strideW == 0 && w / a.strideW < a.outWidth) {
                        sum += load<C>(a.a, ((image * a.outputs + k) * a.outHeight + h / a.strideH) * a.outWidth
                                        + w / a.strideW)
                                * load<C>(a.b, (((i64) k * perGroup + c % perGroup) * a.kernelH + r) * a.kernelW + s);
                    }
                }
            }
        }
        store<C>(a.out, i, sum);
    }
}

KERNEL conv_input_f(WindowArgs a) { conv_input<float>(a); }
KERNEL conv_input_d(WindowArgs a) { conv_input<double>(a); }

// One block per weight; its threads share the images and positions.
template <class C> __device__ __forceinline__ void conv_weight(const WindowArgs& a) {
    int perGroup = a.channels / a.groups;
    int outsPerGroup = a.outputs / a.groups;
    i64 i = blockIdx.x;
    int s = (int) (i % a.kernelW);
    int r = (int) (i / a.kernelW % a.kernelH);
    int c = (int) (i / ((i64) a.kernelW * a.kernelH) % perGroup);
    int k = (int) (i / ((i64) a.kernelW * a.kernelH * perGroup));
    int channel = k / outsPerGroup * perGroup + c;
    i64 plane = (i64) a.outHeight * a.outWidth;
    C sum = 0;
#pragma unroll 1
    for (i64 j = threadIdx.x; j < a.images * plane; j += blockDim.x) {
        i64 image = j / plane;
        int h = (int) (j % plane / a.outWidth) * a.strideH - a.padH + r * a.dilationH;
        int w = (int) (j % a.outWidth) * a.strideW - a.padW + s * a.dilationW;
        if (h >= 0 && h < a.height && w >= 0 && w < a.width) {
            sum += load<C>(a.a, (image * a.outputs + k) * plane + j % plane)
                    * load<C>(a.b, ((image * a.channels + channel) * a.height + h) * a.width + w);
        }
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        store<C>(a.out, i, sum);
    }
}

KERNEL conv_weight_f(WindowArgs a) { conv_weight<float>(a); }
KERNEL conv_weight_d(WindowArgs a) { conv_weight<double>(a); }

// The first row or column of a window that is inside.
__device__ __forceinline__ int first_inside(int start, int dilation) {
    return start < 0 ? start + (-start + dilation - 1) / dilation * dilation : start;
}

// Planes: images counts them, channels is 1. b: the indices.
KERNEL max_pool(WindowArgs a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        int x = (int) (i % a.outWidth);
        int y = (int) (i / a.outWidth % a.outHeight);
        i64 base = i / ((i64) a.outWidth * a.outHeight) * a.height * a.width;
        int top = y * a.strideH - a.padH;
        int left = x * a.strideW - a.padW;
        int bottom = min(top + (a.kernelH - 1) * a.dilationH + 1, a.height);
        int right = min(left + (a.kernelW - 1) * a.dilationW + 1, a.width);
        top = first_inside(top, a.dilationH);
        left = first_inside(left, a.dilationW);
        int best = top * a.width + left;
        double most = load<double>(a.a, base + best);
#pragma unroll 1
        for (int h = top; h < bottom; h += a.dilationH) {
#pragma unroll 1
            for (int w = left; w < right; w += a.dilationW) {
                double v = load<double>(a.a, base + h * a.width + w);
                if (v > most || v != v) {
                    most = v;
                    best = h * a.width + w;
                }
            }
        }
        store<double>(a.out, i, most);
        store<i64>(a.b, i, best);
    }
}

// The windows that may hold this place: from first until end, of those that there are.
struct Windows {
    int first, end;
};

__device__ __forceinline__ Windows windows_of(int place, int pad, int kernel, int dilation, int stride, int count) {
    int beyond = place + pad - (kernel - 1) * dilation - 1;
    Windows w = {beyond < 0 ? 0 : beyond / stride + 1, min((place + pad) / stride + 1, count)};
    return w;
}

// One thread per input element: adds the gradients of the windows that chose it, in their order.
KERNEL max_pool_backward(WindowArgs a) {
    u32 area = (u32) a.height * a.width;
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        i64 plane = (i >> 32) == 0 ? (u32) i / area : i / area;
        u32 at = (u32) (i - plane * area);
        int y = at / a.width;
        int x = at - y * a.width;
        Windows rows = windows_of(y, a.padH, a.kernelH, a.dilationH, a.strideH, a.outHeight);
        Windows columns = windows_of(x, a.padW, a.kernelW, a.dilationW, a.strideW, a.outWidth);
        double sum = 0;
#pragma unroll 1
        for (int h = rows.first; h < rows.end; h++) {
            if (a.dilationH > 1 && (y + a.padH - h * a.strideH) % a.dilationH != 0) {
                continue;
            }
#pragma unroll 2
            for (int w = columns.first; w < columns.end; w++) {
                if (a.dilationW > 1 && (x + a.padW - w * a.strideW) % a.dilationW != 0) {
                    continue;
                }
                i64 o = (plane * a.outHeight + h) * a.outWidth + w;
                i64 chosen = ((const i64*) a.b.p)[offset_of(a.b, o)];
                REQUIRE(chosen >= 0 && chosen < area, "maxindex >= 0 && maxindex < plane");
                if (chosen == at) {
                    sum += load<double>(a.a, o);
                }
            }
        }
        store<double>(a.out, i, load<double>(a.out, i) + sum);
    }
}

struct Span {
    int top, bottom, left, right, divisor;
};

// Padding counts, what lies beyond it does not.
__device__ __forceinline__ Span span_of(const WindowArgs& a, int y, int x) {
    int top = y * a.strideH - a.padH;
    int left = x * a.strideW - a.padW;
    int bottom = min(top + a.kernelH, a.height + a.padH);
    int right = min(left + a.kernelW, a.width + a.padW);
    Span s = {max(0, top), min(a.height, bottom), max(0, left), min(a.width, right),
            (bottom - top) * (right - left)};
    return s;
}

KERNEL avg_pool(WindowArgs a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        i64 base = i / ((i64) a.outWidth * a.outHeight) * a.height * a.width;
        Span s = span_of(a, (int) (i / a.outWidth % a.outHeight), (int) (i % a.outWidth));
        double sum = 0;
#pragma unroll 1
        for (int h = s.top; h < s.bottom; h++) {
#pragma unroll 1
            for (int w = s.left; w < s.right; w++) {
                sum += load<double>(a.a, base + h * a.width + w);
            }
        }
        store<double>(a.out, i, sum / s.divisor);
    }
}

KERNEL avg_pool_backward(WindowArgs a) {
#pragma unroll 1
    for (i64 i = thread_index(); i < a.n; i += thread_count()) {
        int x = (int) (i % a.width);
        int y = (int) (i / a.width % a.height);
        i64 plane = i / ((i64) a.width * a.height);
        int top = max(0, (y + a.padH - a.kernelH) / a.strideH);
        int left = max(0, (x + a.padW - a.kernelW) / a.strideW);
        double sum = 0;
#pragma unroll 1
        for (int h = top; h < a.outHeight && h * a.strideH - a.padH <= y; h++) {
#pragma unroll 1
            for (int w = left; w < a.outWidth && w * a.strideW - a.padW <= x; w++) {
                Span s = span_of(a, h, w);
                if (y >= s.top && y < s.bottom && x >= s.left && x < s.right) {
                    sum += load<double>(a.a, (plane * a.outHeight + h) * a.outWidth + w) / s.divisor;
                }
            }
        }
        store<double>(a.out, i, sum);
    }
}

// Random values: Philox 4x32-10 by counter, with the bits of the simulated GPU's generator for uniform, normal (float32),
// Bernoulli and integer values. Compiled without contraction; where a fused multiply-add belongs, it is written.
#include "common.cuh"

struct RandomArgs {
    View out;
    View mask;
    View in;
    i64 n;
    i64 seed;
    i64 counter;
    double a;
    double b;
    int op; // io.vramlab.device.RandomOp: 0 uniform, 1 normal, 2 Bernoulli, 3 integers
    int wide;
};

__device__ __forceinline__ void philox(u64 seed, u64 counter, u32* w) {
    u32 c0 = (u32) counter, c1 = (u32) (counter >> 32), c2 = 0, c3 = 0;
    u32 k0 = (u32) seed, k1 = (u32) (seed >> 32);
#pragma unroll
    for (int round = 0; round < 10; round++) {
        u64 p0 = (u64) 0xD2511F53u * c0;
        u64 p1 = (u64) 0xCD9E8D57u * c2;
        c0 = (u32) (p1 >> 32) ^ c1 ^ k0;
        c1 = (u32) p1;
        c2 = (u32) (p0 >> 32) ^ c3 ^ k1;
        c3 = (u32) p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    w[0] = c0;
    w[1] = c1;
    w[2] = c2;
    w[3] = c3;
}

__device__ __forceinline__ float log_of_normal(float x) {
    int bits = __float_as_int(x);
    float e = (float) ((bits >> 23) - 126);
    float m = __int_as_float((bits & 0x7fffff) | 0x3f000000);
    bool low = m < 0.707106781186547524f;
    e = low ? e - 1 : e;
    m = (low ? m + m : m) - 1;
    float z = m * m;
    float p = fmaf(7.0376836292e-2f, m, -1.1514610310e-1f);
    p = fmaf(p, m, 1.1676998740e-1f);
    p = fmaf(p, m, -1.2420140846e-1f);
    p = fmaf(p, m, 1.4249322787e-1f);
    p = fmaf(p, m, -1.6668057665e-1f);
    p = fmaf(p, m, 2.0000714765e-1f);
    p = fmaf(p, m, -2.4999993993e-1f);
    p = fmaf(p, m, 3.3333331174e-1f);
    float y = m * z * p;
    y = fmaf(e, -2.12194440e-4f, y);
    y = fmaf(-0.5f, z, y);
    return fmaf(e, 0.693359375f, m + y);
}

__device__ __forceinline__ float sine(float r) {
    float z = r * r;
    float p = fmaf(-1.9515295891e-4f, z, 8.3321608736e-3f);
    p = fmaf(p, z, -1.6666654611e-1f);
    return fmaf(p * z, r, r);
}

__device__ __forceinline__ float cosine(float r) {
    float z = r * r;
    float p = fmaf(2.443315711809948e-5f, z, -1.388731625493765e-3f);
    p = fmaf(p, z, 4.166664568298827e-2f);
    return fmaf(p * z, z, fmaf(-0.5f, z, 1.0f));
}

__device__ __forceinline__ float sine_of_turn(float u) {
    int quarter = (int) fmaf(u, 4.0f, 0.5f);
    float r = fmaf(u, 4.0f, (float) -quarter) * 1.57079632679489662f;
    float value = (quarter & 1) == 0 ? sine(r) : cosine(r);
    return (quarter & 2) == 0 ? value : -value;
}

__device__ __forceinline__ float cosine_of_turn(float u) {
    int quarter = (int) fmaf(u, 4.0f, 0.5f);
    float r = fmaf(u, 4.0f, (float) -quarter) * 1.57079632679489662f;
    float value = (quarter & 1) == 0 ? cosine(r) : sine(r);
    return ((quarter + 1) & 2) == 0 ? value : -value;
}

#define UNIT_24 5.9604644775390625e-8f
#define UNIT_32 2.3283064365386963e-10

__device__ __forceinline__ float float_value(const RandomArgs& a, const u32* w, int i) {
    float low = (float) a.a;
    float high = (float) a.b;
    if (a.op == 0) {
        float value = fmaf((w[i] >> 8) * UNIT_24, high - low, low);
        return value >= high && high > low ? low : value;
    }
    int pair = i & ~1;
    float radius = sqrtf(-2 * log_of_normal(((w[pair] >> 8) + 1) * UNIT_24));
    float turn = (w[pair + 1] >> 8) * UNIT_24;
    return fmaf(radius * (i == pair ? cosine_of_turn(turn) : sine_of_turn(turn)), high, low);
}

__device__ __forceinline__ double double_value(const RandomArgs& a, const u32* w, int i) {
    double u = w[i] * UNIT_32;
    if (a.op == 0) {
        return a.a + u * (a.b - a.a);
    }
    if (a.op == 2) {
        return u < a.a ? 1 : 0;
    }
    int pair = i & ~1;
    double radius = sqrt(-2 * log(((double) w[pair] + 1) * UNIT_32));
    double angle = 2 * 3.14159265358979323846 * w[pair + 1] * UNIT_32;
    return a.a + a.b * radius * (i == pair ? cos(angle) : sin(angle));
}

__device__ __forceinline__ i64 integer_value(const RandomArgs& a, const u32* w, int i) {
    u64 range = (u64) ((i64) a.b - (i64) a.a);
    return (i64) a.a + (i64) ((range >> 32) == 0 ? w[i] % range : ((u64) w[i ^ 1] << 32 | w[i]) % range);
}

KERNEL random_fill(RandomArgs a) {
#pragma unroll 1
    for (i64 q = thread_index(); q * 4 < a.n; q += thread_count()) {
        u32 w[4];
        philox((u64) a.seed, (u64) (a.counter + q), w);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            i64 at = q * 4 + i;
            if (at < a.n) {
                if (a.op == 3) {
                    store<i64>(a.out, at, integer_value(a, w, i));
                } else if (a.op == 2 || a.wide) {
                    store<double>(a.out, at, double_value(a, w, i));
                } else {
                    store<float>(a.out, at, float_value(a, w, i));
                }
            }
        }
    }
}

// a: the probability of dropping.
KERNEL dropout(RandomArgs a) {
    double scale = a.a == 1 ? 0 : 1 / (1 - a.a);
#pragma unroll 1
    for (i64 q = thread_index(); q * 4 < a.n; q += thread_count()) {
        u32 w[4];
        philox((u64) a.seed, (u64) (a.counter + q), w);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            i64 at = q * 4 + i;
            if (at < a.n) {
                bool keep = w[i] * UNIT_32 < 1 - a.a;
                store<i64>(a.mask, at, keep);
                if (a.wide) {
                    store<double>(a.out, at, (keep ? 1.0 : 0.0) * (load<double>(a.in, at) * scale));
                } else {
                    store<float>(a.out, at, (keep ? 1.0f : 0.0f) * (load<float>(a.in, at) * (float) scale));
                }
            }
        }
    }
}

package io.vramlab.device.internal.cpu.kernels.random;

import io.vramlab.device.DType;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.RandomOp;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.Tiles;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.Elementwise;
import io.vramlab.device.internal.cpu.kernels.math.FloatMath;

/**
 * Random values. Element {@code i} uses word {@code i % 4} of counter {@code offset + i / 4}, normal values in pairs
 * (Box-Muller); a word is a fraction of 24 bits for float types and of 32 bits for float64.
 */
public final class RandomFill {

    private static final float UNIT_24 = 0x1p-24f;
    private static final double UNIT_32 = 0x1p-32;
    private static final long WORD = 0xffffffffL;

    private final HostAccess host;

    public RandomFill(HostAccess host) {
        this.host = host;
    }

    public void run(RandomOp op, Operand out, double a, double b, long seed, long offset) {
        View to = View.of(host, out);
        Parallel.range(to.count, Elementwise.GRAIN / 4, (start, end) -> {
            int[] words = new int[Tiles.TILE];
            float[] floats = Tiles.mine().floats[3];
            double[] doubles = Tiles.mine().doubles()[3];
            long[] longs = Tiles.mine().longs()[3];
            // tiles start at multiples of 4, so that a counter's words and a normal pair stay together
            for (long at = start; at < end; at += Tiles.TILE) {
                int n = (int) Math.min(Tiles.TILE, end - at);
                draw(seed, offset + at / 4, words, n);
                if (op == RandomOp.INTEGERS) {
                    integers(words, n, (long) a, (long) b, longs);
                    to.write(at, n, longs);
                } else if (op == RandomOp.BERNOULLI || out.dtype() == DType.FLOAT64) {
                    doubles(op, words, n, a, b, doubles);
                    to.write(at, n, doubles);
                } else {
                    floats(op, words, n, (float) a, (float) b, floats);
                    to.write(at, n, floats);
                }
            }
        });
    }

    public void dropout(Operand out, Operand mask, Operand in, double p, long seed, long offset) {
        View to = View.of(host, out);
        View kept = View.of(host, mask);
        View from = View.of(host, in);
        boolean exact = out.dtype() == DType.FLOAT64;
        double scale = p == 1 ? 0 : 1 / (1 - p);
        Parallel.range(to.count, Elementwise.GRAIN / 4, (start, end) -> {
            int[] words = new int[Tiles.TILE];
            double[] x = Tiles.mine().doubles()[0];
            double[] m = Tiles.mine().doubles()[1];
            for (long at = start; at < end; at += Tiles.TILE) {
                int n = (int) Math.min(Tiles.TILE, end - at);
                draw(seed, offset + at / 4, words, n);
                from.read(at, n, x);
                for (int i = 0; i < n; i++) {
                    m[i] = (words[i] & WORD) * UNIT_32 < 1 - p ? 1 : 0;
                    // in the type of the computation: float's scale is a float
                    x[i] = m[i] * (exact ? x[i] * scale : (float) x[i] * (float) scale);
                }
                kept.write(at, n, m);
                to.write(at, n, x);
            }
        });
    }

    private static void draw(long seed, long counter, int[] words, int n) {
        for (int i = 0; i < n; i += 4) {
            Philox.words(seed, counter + i / 4, words, i);
        }
    }

    private static void integers(int[] words, int n, long low, long high, long[] to) {
        long range = high - low;
        for (int i = 0; i < n; i++) {
            long word = words[i] & WORD;
            // a range beyond 32 bits takes its neighbour's word as the upper half
            to[i] = low + (range >>> 32 == 0
                    ? word % range
                    : Long.remainderUnsigned((long) words[i ^ 1] << 32 | word, range));
        }
    }

    private static void floats(RandomOp op, int[] words, int n, float a, float b, float[] to) {
        if (op == RandomOp.UNIFORM) {
            float range = b - a;
            for (int i = 0; i < n; i++) {
                float value = Math.fma((words[i] >>> 8) * UNIT_24, range, a);
                // rounding may reach b, which does not belong
                to[i] = value >= b && b > a ? a : value;
            }
            return;
        }
        for (int i = 0; i < n; i += 2) {
            float radius = (float) Math.sqrt(-2 * FloatMath.logOfNormal(((words[i] >>> 8) + 1) * UNIT_24));
            float turn = (words[i + 1] >>> 8) * UNIT_24;
            int quarter = FloatMath.quarterOfTurn(turn);
            float rest = FloatMath.restOfTurn(turn, quarter);
            float sin = FloatMath.sin(rest);
            float cos = FloatMath.cos(rest);
            to[i] = Math.fma(radius * FloatMath.cosOfTurn(quarter, sin, cos), b, a);
            to[i + 1] = Math.fma(radius * FloatMath.sinOfTurn(quarter, sin, cos), b, a);
        }
    }

    private static void doubles(RandomOp op, int[] words, int n, double a, double b, double[] to) {
        for (int i = 0; i < n; i++) {
            double u = (words[i] & WORD) * UNIT_32;
            if (op == RandomOp.UNIFORM) {
                to[i] = a + u * (b - a);
            } else if (op == RandomOp.BERNOULLI) {
                to[i] = u < a ? 1 : 0;
            } else {
                int pair = i & ~1;
                double radius = Math.sqrt(-2 * Math.log(((words[pair] & WORD) + 1) * UNIT_32));
                double angle = 2 * Math.PI * (words[pair + 1] & WORD) * UNIT_32;
                to[i] = a + b * radius * (i == pair ? Math.cos(angle) : Math.sin(angle));
            }
        }
    }
}

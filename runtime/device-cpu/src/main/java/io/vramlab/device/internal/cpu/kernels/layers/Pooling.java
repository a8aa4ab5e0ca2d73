package io.vramlab.device.internal.cpu.kernels.layers;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.Elementwise;
import io.vramlab.device.internal.cpu.kernels.index.Indices;
import java.util.Arrays;

/** Pooling of [n, c, h, w], one plane at a time. */
public final class Pooling {

    /** Windows between two looks for an interrupt. */
    private static final int LOOK = 128;

    private final HostAccess host;

    public Pooling(HostAccess host) {
        this.host = host;
    }

    /** The planes of an operand. */
    private record Planes(View view, long count, int height, int width) {

        int size() {
            return height * width;
        }

        double[] read(long plane, double[] to) {
            view.read(plane * size(), size(), to);
            return to;
        }
    }

    private Planes planes(Operand operand) {
        int rank = operand.shape().length;
        int height = Math.toIntExact(operand.shape()[rank - 2]);
        int width = Math.toIntExact(operand.shape()[rank - 1]);
        View view = View.of(host, operand);
        return new Planes(view, view.count == 0 ? 0 : view.count / ((long) height * width), height, width);
    }

    /** Windows may be large: a look for an interrupt every few of them. */
    private static void look(int i) {
        if (i % LOOK == LOOK - 1) {
            Interruptible.check();
        }
    }

    private static long grain(Planes planes) {
        return Math.max(1, Elementwise.GRAIN / 4 / Math.max(1, planes.size()));
    }

    public void max(Operand out, Operand indices, Operand in, Window window) {
        Planes to = planes(out);
        Planes from = planes(in);
        View at = View.of(host, indices);
        Parallel.range(to.count, grain(from), (a, b) -> {
            double[] x = new double[from.size()];
            double[] y = new double[to.size()];
            long[] where = new long[to.size()];
            for (long p = a; p < b; p++) {
                from.read(p, x);
                for (int i = 0; i < y.length; i++) {
                    look(i);
                    int best = largest(x, from, i / to.width, i % to.width, window);
                    where[i] = best;
                    y[i] = x[best];
                }
                to.view.write(p * y.length, y.length, y);
                at.write(p * y.length, y.length, where);
            }
        });
    }

    private static int largest(double[] x, Planes from, int row, int column, Window w) {
        int top = first(row * w.strideH() - w.padH(), w.dilationH());
        int left = first(column * w.strideW() - w.padW(), w.dilationW());
        int bottom = Math.min(row * w.strideH() - w.padH() + (w.kernelH() - 1) * w.dilationH() + 1, from.height);
        int right = Math.min(column * w.strideW() - w.padW() + (w.kernelW() - 1) * w.dilationW() + 1, from.width);
        int best = top * from.width + left;
        for (int i = top; i < bottom; i += w.dilationH()) {
            for (int j = left; j < right; j += w.dilationW()) {
                double v = x[i * from.width + j];
                if (v > x[best] || v != v) {
                    best = i * from.width + j;
                }
            }
        }
        return best;
    }

    private static int first(int start, int dilation) {
        return start < 0 ? start + (-start + dilation - 1) / dilation * dilation : start;
    }

    public void maxBackward(Operand gradIn, Operand gradOut, Operand indices) {
        Planes to = planes(gradIn);
        Planes from = planes(gradOut);
        if (from.count > 0 && Indices.checked(host, indices, to.size(), "max_pool2d backward") == null) {
            return;
        }
        View at = View.of(host, indices);
        Parallel.range(to.count, grain(to), (a, b) -> {
            double[] x = new double[to.size()];
            double[] g = new double[from.size()];
            long[] where = new long[from.size()];
            for (long p = a; p < b; p++) {
                to.read(p, x);
                from.read(p, g);
                at.read(p * g.length, g.length, where);
                for (int i = 0; i < g.length; i++) {
                    x[(int) where[i]] += g[i];
                }
                to.view.write(p * x.length, x.length, x);
            }
        });
    }

    /** What a window of the mean covers, and by how much it divides: padding counts, what lies beyond it does not. */
    private record Span(int top, int bottom, int left, int right, int divisor) {

        static Span of(int row, int column, int height, int width, Window w) {
            int top = row * w.strideH() - w.padH();
            int left = column * w.strideW() - w.padW();
            int bottom = Math.min(top + w.kernelH(), height + w.padH());
            int right = Math.min(left + w.kernelW(), width + w.padW());
            return new Span(Math.max(0, top), Math.min(height, bottom), Math.max(0, left), Math.min(width, right),
                    (bottom - top) * (right - left));
        }
    }

    public void average(Operand out, Operand in, Window window) {
        Planes to = planes(out);
        Planes from = planes(in);
        Parallel.range(to.count, grain(from), (a, b) -> {
            double[] x = new double[from.size()];
            double[] y = new double[to.size()];
            for (long p = a; p < b; p++) {
                from.read(p, x);
                for (int i = 0; i < y.length; i++) {
                    look(i);
                    Span s = Span.of(i / to.width, i % to.width, from.height, from.width, window);
                    double sum = 0;
                    for (int r = s.top; r < s.bottom; r++) {
                        for (int c = s.left; c < s.right; c++) {
                            sum += x[r * from.width + c];
                        }
                    }
                    y[i] = sum / s.divisor;
                }
                to.view.write(p * y.length, y.length, y);
            }
        });
    }

    public void averageBackward(Operand gradIn, Operand gradOut, Window window) {
        Planes to = planes(gradIn);
        Planes from = planes(gradOut);
        Parallel.range(to.count, grain(to), (a, b) -> {
            double[] x = new double[to.size()];
            double[] g = new double[from.size()];
            for (long p = a; p < b; p++) {
                Arrays.fill(x, 0);
                from.read(p, g);
                for (int i = 0; i < g.length; i++) {
                    look(i);
                    Span s = Span.of(i / from.width, i % from.width, to.height, to.width, window);
                    for (int r = s.top; r < s.bottom; r++) {
                        for (int c = s.left; c < s.right; c++) {
                            x[r * to.width + c] += g[i] / s.divisor;
                        }
                    }
                }
                to.view.write(p * x.length, x.length, x);
            }
        });
    }
}

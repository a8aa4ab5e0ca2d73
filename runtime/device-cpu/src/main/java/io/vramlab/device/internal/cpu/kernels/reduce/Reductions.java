package io.vramlab.device.internal.cpu.kernels.reduce;

import io.vramlab.device.DType;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.Tiles;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.Elementwise;
import java.util.Arrays;

/**
 * {@link io.vramlab.device.Kernels#reduce}. Where the reduced dimensions are the contiguous ones, each output walks its
 * row; where the kept ones are, rows are added to a line of running values, so that memory is read in order either way.
 * Long rows and tall columns are cut into chunks of a fixed number of elements, which are combined in order.
 */
public final class Reductions {

    /** Elements per chunk; part of the definition of a result, since it fixes the order of additions. */
    private static final long CHUNK = 1 << 15;
    private static final int PANEL = 256;

    private final HostAccess host;

    public Reductions(HostAccess host) {
        this.host = host;
    }

    public void run(ReduceOp op, Operand out, Operand in) {
        if (op == ReduceOp.ARGMAX || op == ReduceOp.ARGMIN) {
            new ArgReduction(host).run(op == ReduceOp.ARGMAX, null, out, in, Axes.of(out, in));
            return;
        }
        View to = View.of(host, out);
        if (to.count == 0) {
            return;
        }
        Axes axes = Axes.of(out, in);
        if (!out.dtype().isFloatingPoint() && out.dtype() != DType.BOOL && LongReduction.defines(op)) {
            new LongReduction(host).run(op, to, in, axes);
            return;
        }
        double[] result = gather(op, in, axes);
        for (int i = 0; i < result.length; i++) {
            result[i] = finish(op, result[i], axes.inputsPerOutput());
        }
        to.write(0, result.length, result);
    }

    private static double finish(ReduceOp op, double gathered, long n) {
        return switch (op) {
            case MEAN -> gathered / n;
            case VAR -> n > 1 ? gathered / (n - 1) : Double.NaN;
            case NORM2 -> Math.sqrt(gathered);
            default -> gathered;
        };
    }

    private double[] gather(ReduceOp op, Operand in, Axes axes) {
        if (op != ReduceOp.VAR) {
            LaneFold fold = LaneFold.of(op);
            return axes.columns() ? columns(fold, in, axes) : rows(i -> fold, in, axes);
        }
        // two passes: the mean first, so that a large mean does not swallow a small variance
        double[] mean = axes.columns()
                ? columns(new LaneFold.Sum(), in, axes)
                : rows(i -> new LaneFold.Sum(), in, axes);
        for (int i = 0; i < mean.length; i++) {
            mean[i] /= axes.inputsPerOutput();
        }
        return rows(i -> new LaneFold.SquaredDistance(mean[(int) i]), in, axes);
    }

    private interface FoldOf {
        LaneFold output(long index);
    }

    private double[] rows(FoldOf folds, Operand in, Axes axes) {
        View from = View.permuted(host, in, axes.keptFirst());
        int outputs = Math.toIntExact(axes.outputs());
        long length = axes.inputsPerOutput();
        double[] result = new double[outputs];
        long chunks = Math.max(1, (length + CHUNK - 1) / CHUNK);
        double[] parts = chunks == 1 ? result : new double[Math.toIntExact(outputs * chunks)];
        Parallel.range(outputs * chunks, grain(Math.min(length, CHUNK)), (a, b) -> {
            Gathering gathering = new Gathering(from);
            for (long part = a; part < b; part++) {
                long first = part % chunks * CHUNK;
                parts[(int) part] = gathering.run(folds.output(part / chunks), part / chunks * length + first,
                        Math.min(length - first, CHUNK));
            }
        });
        for (int i = 0; chunks > 1 && i < outputs; i++) {
            LaneFold fold = folds.output(i);
            result[i] = fold.start;
            for (int c = 0; c < chunks; c++) {
                result[i] = fold.combine(result[i], parts[(int) (i * chunks + c)]);
            }
        }
        return result;
    }

    private static long grain(long elementsEach) {
        return Math.max(1, Elementwise.GRAIN / Math.max(1, elementsEach));
    }

    private double[] columns(LaneFold fold, Operand in, Axes axes) {
        View from = View.permuted(host, in, axes.keptLast());
        int width = Math.toIntExact(axes.outputs());
        long height = axes.inputsPerOutput();
        long rowsPerChunk = Math.max(1, CHUNK * 8 / width);
        int chunks = width >= Gathering.WIDE ? 1 : (int) ((height + rowsPerChunk - 1) / rowsPerChunk);
        double[] parts = new double[chunks * width];
        if (width >= Gathering.WIDE) {
            // the grain keeps panels wide enough for whole cache lines and the work above a thread's price
            long grain = Math.max(PANEL, Elementwise.GRAIN / height);
            Parallel.range(width, grain, (a, b) -> {
                Gathering gathering = new Gathering(from);
                for (long j = a; j < b; j += Tiles.TILE) {
                    int n = (int) Math.min(Tiles.TILE, b - j);
                    gathering.columns(fold, width, 0, height, (int) j, n, parts, (int) j);
                }
            });
            return parts;
        }
        Parallel.range(chunks, 1, (a, b) -> {
            Gathering gathering = new Gathering(from);
            for (long c = a; c < b; c++) {
                gathering.columns(fold, width, c * rowsPerChunk, Math.min(height, (c + 1) * rowsPerChunk), 0, width,
                        parts, (int) c * width);
            }
        });
        double[] result = Arrays.copyOf(parts, width);
        for (int c = 1; c < chunks; c++) {
            for (int j = 0; j < width; j++) {
                result[j] = fold.combine(result[j], parts[c * width + j]);
            }
        }
        return result;
    }
}

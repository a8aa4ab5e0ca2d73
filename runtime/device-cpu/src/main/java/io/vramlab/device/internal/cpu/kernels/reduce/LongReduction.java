package io.vramlab.device.internal.cpu.kernels.reduce;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.Tiles;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.Elementwise;

/** Reductions into integer types, in long; sums and products wrap. */
final class LongReduction {

    private final HostAccess host;

    LongReduction(HostAccess host) {
        this.host = host;
    }

    /** True for the operations that integers have a form of their own for. */
    static boolean defines(ReduceOp op) {
        return op == ReduceOp.SUM || op == ReduceOp.PROD || op == ReduceOp.MAX || op == ReduceOp.MIN;
    }

    void run(ReduceOp op, View to, Operand in, Axes axes) {
        View from = View.permuted(host, in, axes.keptFirst());
        long length = axes.inputsPerOutput();
        Parallel.range(axes.outputs(), Math.max(1, Elementwise.GRAIN / Math.max(1, length)), (a, b) -> {
            long[] tile = Tiles.mine().longs()[0];
            for (long i = a; i < b; i++) {
                long gathered = start(op);
                for (long at = 0; at < length; at += Tiles.TILE) {
                    int n = (int) Math.min(Tiles.TILE, length - at);
                    from.read(i * length + at, n, tile);
                    gathered = fold(op, gathered, tile, n);
                }
                to.set(i, gathered);
            }
        });
    }

    private static long start(ReduceOp op) {
        return switch (op) {
            case PROD -> 1;
            case MAX -> Long.MIN_VALUE;
            case MIN -> Long.MAX_VALUE;
            default -> 0;
        };
    }

    private static long fold(ReduceOp op, long start, long[] tile, int n) {
        long gathered = start;
        for (int i = 0; i < n; i++) {
            gathered = switch (op) {
                case PROD -> gathered * tile[i];
                case MAX -> Math.max(gathered, tile[i]);
                case MIN -> Math.min(gathered, tile[i]);
                default -> gathered + tile[i];
            };
        }
        return gathered;
    }
}

package io.vramlab.footprint;

import io.vramlab.device.DType;

/**
 * The workspace of a recurrent network, as cuDNN 9.19 answers on an H200 (cudnnGetRNNTempSpaceSizes): a copy of the weights,
 * what either direction of the computation keeps besides, and 8 MiB for each layer and direction. The counts of states and
 * outputs were read off 1.4 million answers; docs/footprint.md, "Recurrent layers", has the formula and what it was held
 * against.
 */
final class RecurrentWorkspace {

    private static final long EACH_LAYER = 8L << 20;
    private static final long FLAGS = 256;
    /** Bytes for each sequence that is padded. */
    private static final long LENGTH = 8;
    /** Gates of so many steps are held at a time. */
    private static final long STEPS = 256;
    private static final long TILE = 128;
    private static final long WIDEST_IN_REGISTERS = 1024;
    private static final long MOST_IN_REGISTERS = 128;

    private final RecurrentMemory r;
    /** Which kind: 0 RNN, 1 LSTM, 2 GRU. */
    private final int kind;
    private final long gates;
    /** Whether one kernel runs over all steps. */
    private final boolean persists;
    private final boolean both;
    private final long padded;

    private RecurrentWorkspace(RecurrentMemory r, boolean forward) {
        this.r = r;
        kind = r.kind().equals("LSTM") ? 1 : r.kind().equals("GRU") ? 2 : 0;
        gates = of(1, 4, 3);
        persists = persists(forward);
        both = r.directions() == 2;
        padded = r.packed() ? 0 : 1;
    }

    static long bytes(RecurrentMemory r, boolean forward) {
        RecurrentWorkspace w = new RecurrentWorkspace(r, forward);
        long dropped = r.dropout() && r.training() && !w.both ? r.rows() * r.hidden() : 0;
        long kept = w.forward() + dropped;
        long most = r.training() && r.projection() == 0 ? Math.max(kept, w.backward()) : kept;
        return EACH_LAYER * r.layers() * r.directions()
                + RecurrentMemory.aligned(r.dtype().bytes() * (w.weights() + most)) + FLAGS
                + w.padded * RecurrentMemory.aligned(LENGTH * r.batch());
    }

    private long of(long rnn, long lstm, long gru) {
        return kind == 1 ? lstm : kind == 2 ? gru : rnn;
    }

    /** PyTorch's choice (RNN.cpp, get_algo), and that cuDNN has no such kernel for bfloat16. */
    private boolean persists(boolean forward) {
        if (r.projection() > 0 || r.packed() || r.dtype() == DType.BFLOAT16 || r.dtype() == DType.FLOAT64) {
            return false;
        }
        long few = forward ? of(384, 192, 192) : of(256, 128, 128);
        return r.hidden() <= few || r.dtype() == DType.FLOAT16 && fitsRegisters();
    }

    private boolean fitsRegisters() {
        return kind != 2 && r.layers() * r.directions() == 1 && r.hidden() <= WIDEST_IN_REGISTERS
                && r.hidden() % TILE == 0 && r.input() % TILE == 0 && r.batch() % 8 == 0
                && r.batch() <= MOST_IN_REGISTERS && (kind == 1 || r.batch() < 96 || r.hidden() < 896);
    }

    private long weights() {
        long h = r.hidden();
        long output = outputs();
        long first = r.input() * h + output * h;
        long later = (r.layers() - 1) * (r.directions() * output * h + output * h);
        return r.directions() * (gates * (first + later) + r.layers() * h * r.projection());
    }

    /** Width of what a direction gives. */
    private long outputs() {
        return r.projection() > 0 ? r.projection() : r.hidden();
    }

    /** So many states of each layer. */
    private long states(long count) {
        return count * r.layers() * r.batch() * r.hidden();
    }

    private long forward() {
        long n = r.rows();
        long at = both ? (4 + 2 * gates) * n : gates * Math.min(n, persists ? n : STEPS * r.batch());
        long held = persists
                ? both ? of(10, 18, 10) : of(4, 8, 4)
                : (both ? of(6, 16, 10) : of(1, 6, 3)) + padded * 2 * r.directions() * of(1, 2, 1);
        if (r.projection() > 0) { // cells beside what they are projected to, and two states of that for each direction
            return padded * n * (r.input() + r.directions() * r.projection()) + n * r.directions() * r.hidden()
                    + at * r.hidden() + states(held - 2 * r.directions())
                    + 2 * r.directions() * r.layers() * r.batch() * r.projection();
        }
        return padded * n * (r.input() + r.directions() * r.hidden())
                + (at + (persists ? 4 * gates * n : 0)) * r.hidden()
                + states(held);
    }

    private long backward() {
        long n = r.rows();
        long h = r.hidden();
        boolean deep = r.layers() > 1;
        long outputs = (persists ? of(9, 12, 14) : 0) + (both ? deep ? 4 : 2 : persists && deep ? 2 : 1);
        long wide = both ? 4 * n * Math.max(r.input(), h) : n * Math.max(r.input() - h, 0) + inFlight(n) * h;
        long held = (both ? of(6, 10, 6) : of(1, 3, 1)) + padded * 4 * r.directions() * of(1, 2, 1)
                + (persists && !both ? 1 : 0);
        return padded * 2 * n * (r.input() + r.directions() * h) + outputs * n * h + wide + states(held);
    }

    /** Rows between layers that work at the same time, a few steps behind each other. */
    private long inFlight(long n) {
        if (persists || r.layers() == 1) {
            return n;
        }
        long b = r.batch();
        long least = b <= 1 ? 32 : b <= 8 ? 16 : 8;
        long steps = r.times() < 128 && b > 16 ? b <= 96 ? 4 : 2 : least;
        return Math.min(n, (least + steps * r.layers()) * b);
    }
}

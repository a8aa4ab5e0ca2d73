package io.vramlab.plan;

/**
 * The sizes of a recurrent operation at cuDNN; fitted to one LSTM and one GRU of an H200.
 *
 * @param step
 *            bytes of one layer's output over all times
 * @param state
 *            bytes of one layer's state
 */
record Recurrence(long mode, long layers, long directions, boolean drops, long step, long state) {

    private static final int HIDDEN_STATE = 4;
    private static final int LSTM = 2;
    private static final int GRU = 3;
    private static final long FLAGS = 256;

    static Recurrence of(Operation o, int mode, int hidden, int layers, int dropout, int bidirectional) {
        Form in = o.form(0);
        long directions = o.flag(bidirectional, "bidirectional", false) ? 2 : 1;
        boolean first = o.flag(layers + 1, "batch_first", false);
        long width = o.number(hidden, "hidden_size", 1) * in.element();
        boolean packed = in.rank() == 2; // sequences of several lengths, one after the other
        long batch = packed ? Math.max(1, o.form(HIDDEN_STATE).shape()[1]) : in.shape()[first ? 0 : 1];
        long times = packed ? in.shape()[0] / batch : in.shape()[first ? 1 : 0];
        return new Recurrence(o.number(mode, "mode", 0), o.number(layers, "num_layers", 1), directions,
                o.argument(dropout) instanceof Number p && p.doubleValue() > 0, times * batch * width, batch * width);
    }

    boolean cells() {
        return mode == LSTM;
    }

    long reserve() {
        long all = step * layers * directions;
        return switch ((int) mode) {
            case LSTM -> 5 * all + state * layers * directions;
            case GRU -> 6 * all;
            default -> 2 * all;
        } + (drops ? step * (layers - 1) * directions : 0) + FLAGS;
    }

    long workspace() {
        long all = step * layers * directions;
        return switch ((int) mode) {
            case LSTM -> 15 * all / 2 + 20 * state;
            case GRU -> 9 * all + 31 * state;
            default -> 2 * all;
        } + FLAGS;
    }
}

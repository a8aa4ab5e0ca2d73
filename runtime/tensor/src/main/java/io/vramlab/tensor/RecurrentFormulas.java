package io.vramlab.tensor;

import java.util.ArrayList;
import java.util.List;

/**
 * Recurrent networks by their definitions, step by step. Sequences are packed: the rows of each time one after another, the
 * longest sequence first, {@code sizes[t]} rows at time t.
 */
final class RecurrentFormulas {

    private final Recurrent.Settings s;
    private final long[] sizes;
    private final Tensor[] masks;

    /**
     * Formulas of a network.
     *
     * @param masks
     *            what a layer's output is multiplied by before the next, or null
     */
    RecurrentFormulas(Recurrent.Settings s, long[] sizes, Tensor[] masks) {
        this.s = s;
        this.sizes = sizes;
        this.masks = masks;
    }

    /** From [rows, input], states [layers x directions, batch, …] (cells or null), and weights: output and last states. */
    Tensor[] of(Tensor rows, Tensor hidden, Tensor cells, Tensor[] weights) {
        int directions = s.bidirectional() ? 2 : 1;
        int each = weights.length / (s.layers() * directions);
        List<Tensor> lastHidden = new ArrayList<>();
        List<Tensor> lastCells = new ArrayList<>();
        Tensor x = rows;
        for (int layer = 0; layer < s.layers(); layer++) {
            Tensor[] outputs = new Tensor[directions];
            for (int d = 0; d < directions; d++) {
                int k = layer * directions + d;
                Tensor[] w = new Tensor[each];
                System.arraycopy(weights, k * each, w, 0, each);
                outputs[d] = direction(x, hidden.select(0, k), cells == null ? null : cells.select(0, k), w, d == 1,
                        lastHidden, lastCells);
            }
            x = directions == 1 ? outputs[0] : Functional.cat(-1, outputs);
            if (masks != null && layer < s.layers() - 1) {
                x = x.mul(masks[layer]);
            }
        }
        Tensor h = Functional.stack(0, lastHidden.toArray(Tensor[]::new));
        return cells == null
                ? new Tensor[]{x, h}
                : new Tensor[]{x, h, Functional.stack(0, lastCells.toArray(Tensor[]::new))};
    }

    private Tensor direction(Tensor x, Tensor h0, Tensor c0, Tensor[] w, boolean reverse, List<Tensor> lastHidden,
            List<Tensor> lastCells) {
        Tensor gates = Functional.linear(x, w[0], s.bias() ? w[2] : null);
        Tensor[] outputs = new Tensor[sizes.length];
        List<Tensor> endedHidden = new ArrayList<>();
        List<Tensor> endedCells = new ArrayList<>();
        long[] offsets = offsets();
        int first = reverse ? sizes.length - 1 : 0;
        Tensor h = h0.narrow(0, 0, sizes[first]);
        Tensor c = c0 == null ? null : c0.narrow(0, 0, sizes[first]);
        for (int i = 0; i < sizes.length; i++) {
            int t = reverse ? sizes.length - 1 - i : i;
            long now = sizes[t];
            long before = h.size(0);
            if (now < before) {
                endedHidden.add(0, h.narrow(0, now, before - now));
                h = h.narrow(0, 0, now);
                if (c != null) {
                    endedCells.add(0, c.narrow(0, now, before - now));
                    c = c.narrow(0, 0, now);
                }
            } else if (now > before) {
                h = Functional.cat(0, h, h0.narrow(0, before, now - before));
                c = c == null ? null : Functional.cat(0, c, c0.narrow(0, before, now - before));
            }
            Tensor[] next = step(gates.narrow(0, offsets[t], now), h, c, w);
            h = next[0];
            c = next[1];
            outputs[t] = h;
        }
        endedHidden.add(0, h);
        lastHidden.add(joined(endedHidden));
        if (c != null) {
            endedCells.add(0, c);
            lastCells.add(joined(endedCells));
        }
        return Functional.cat(0, outputs);
    }

    private static Tensor joined(List<Tensor> parts) {
        return parts.size() == 1 ? parts.getFirst() : Functional.cat(0, parts.toArray(Tensor[]::new));
    }

    private long[] offsets() {
        long[] offsets = new long[sizes.length];
        for (int t = 1; t < sizes.length; t++) {
            offsets[t] = offsets[t - 1] + sizes[t - 1];
        }
        return offsets;
    }

    private Tensor[] step(Tensor gates, Tensor h, Tensor c, Tensor[] w) {
        Tensor inner = Functional.linear(h, w[1], s.bias() ? w[3] : null);
        Tensor[] next = cell(s.kind(), gates, inner, h, c);
        if (s.projection() > 0) {
            next[0] = Functional.linear(next[0], w[w.length - 1], null);
        }
        return next;
    }

    /** The next state, and the next cells or null, from what input and state give to the gates. */
    static Tensor[] cell(Recurrent.Kind kind, Tensor gates, Tensor inner, Tensor h, Tensor c) {
        return switch (kind) {
            case LSTM -> {
                Tensor[] g = Functional.chunk(gates.add(inner), 4, 1);
                Tensor next = g[1].sigmoid().mul(c).add(g[0].sigmoid().mul(g[2].tanh()));
                yield new Tensor[]{g[3].sigmoid().mul(next.tanh()), next};
            }
            case GRU -> {
                Tensor[] a = Functional.chunk(gates, 3, 1);
                Tensor[] b = Functional.chunk(inner, 3, 1);
                Tensor fresh = a[2].add(a[0].add(b[0]).sigmoid().mul(b[2])).tanh();
                yield new Tensor[]{fresh.add(a[1].add(b[1]).sigmoid().mul(h.sub(fresh))), null};
            }
            case RNN_TANH -> new Tensor[]{gates.add(inner).tanh(), null};
            case RNN_RELU -> new Tensor[]{gates.add(inner).relu(), null};
        };
    }
}

package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** torch.nn.functional.multi_head_attention_forward, statement by statement: over [length, batch, width]. */
final class HeadedAttention {

    private final MultiheadAttention module;
    private final long width;
    private final long heads;
    private final double dropout;
    private final boolean zero;

    HeadedAttention(MultiheadAttention module, long width, long heads, double dropout, boolean zero) {
        this.module = module;
        this.width = width;
        this.heads = heads;
        this.dropout = dropout;
        this.zero = zero;
    }

    /** Output and weights or null; the masks are additive. */
    Tensor[] attend(Tensor query, Tensor key, Tensor value, Tensor padding, boolean needWeights, Tensor mask,
            boolean average, boolean causal) {
        if (query.dim() == 3) {
            return batched(query, key, value, padding, needWeights, mask, average, causal);
        }
        if (query.dim() != 2) {
            throw new TensorException("query should be unbatched 2D or batched 3D tensor but received "
                    + Arrays.toString(query.shape()) + ".");
        }
        try (Tensor q = query.unsqueeze(1);
                Tensor k = key == query ? q : key.unsqueeze(1);
                Tensor v = value == key ? k : value.unsqueeze(1);
                Tensor p = padding == null ? null : padding.unsqueeze(0)) {
            Tensor[] made = batched(q, k, v, p, needWeights, mask, average, causal);
            made[0] = then(made[0], t -> t.squeeze(1));
            made[1] = made[1] == null ? null : then(made[1], t -> t.squeeze(0));
            return made;
        }
    }

    private Tensor[] batched(Tensor query, Tensor key, Tensor value, Tensor padding, boolean needWeights,
            Tensor attnMask, boolean average, boolean causal) {
        check(query, key, value, attnMask, causal);
        boolean hinted = causal && padding == null && !needWeights;
        boolean isCausal = causal && padding == null;
        long l = query.size(0);
        long n = query.size(1);
        try (PythonFrame frame = new PythonFrame()) {
            Ref<Tensor> kpm = frame.name();
            Ref<Tensor> mask = frame.name();
            Ref<Tensor> q = frame.name();
            Ref<Tensor> k = frame.name();
            Ref<Tensor> v = frame.name();
            Projections.of(module, width, query, key, value, q, k, v);
            if (!hinted && attnMask != null) {
                mask.set(attnMask.dim() == 2 ? attnMask.unsqueeze(0) : attnMask.view(attnMask.shape()));
            }
            Tensor[] keyPadding = {padding};
            if (module.biasK != null) {
                k.set(lengthened(k.get(), module.biasK, n));
                v.set(lengthened(v.get(), module.biasV, n));
                widen(mask, kpm, keyPadding);
            }
            q.set(byHead(q.get(), l, n));
            k.set(byHead(k.get(), k.get().size(0), n));
            v.set(byHead(v.get(), v.get().size(0), n));
            if (zero) {
                k.set(withZeros(k.get()));
                v.set(withZeros(v.get()));
                widen(mask, kpm, keyPadding);
            }
            long s = k.get().size(1);
            merge(mask, kpm, keyPadding[0], n, s);
            return needWeights
                    ? weighted(frame, q, k, v, mask, n, l, s, average)
                    : new Tensor[]{fused(frame, q, k, v, mask, isCausal && mask.get() == null, n, l, s), null};
        }
    }

    private void check(Tensor query, Tensor key, Tensor value, Tensor mask, boolean causal) {
        if (query.size(2) != width) {
            throw new TensorException("was expecting embedding dimension of " + width + ", but got " + query.size(2)
                    + ": the last size of query is embedDim.");
        }
        if (module.isPacked() && !Arrays.equals(key.shape(), value.shape())) {
            throw new TensorException("key shape " + Arrays.toString(key.shape()) + " does not match value shape "
                    + Arrays.toString(value.shape()) + ".");
        }
        if (causal && mask == null) {
            throw new TensorException("Need attnMask if specifying the isCausal hint. You may use "
                    + "Transformer.generateSquareSubsequentMask to create this mask.");
        }
        long l = query.size(0);
        long s = key.size(0);
        if (mask != null && mask.dim() == 2 && (mask.size(0) != l || mask.size(1) != s)) {
            throw new TensorException("The shape of the 2D attnMask is " + Arrays.toString(mask.shape())
                    + ", but should be [" + l + ", " + s + "].");
        }
        long all = query.size(1) * heads;
        if (mask != null && mask.dim() != 2
                && !Arrays.equals(mask.shape(), new long[]{all, l, s})) {
            throw new TensorException("The shape of the 3D attnMask is " + Arrays.toString(mask.shape())
                    + ", but should be [" + all + ", " + l + ", " + s + "].");
        }
    }

    private static Tensor then(Tensor x, UnaryOperator<Tensor> next) {
        try (x) {
            return next.apply(x);
        }
    }

    private static Tensor lengthened(Tensor x, Tensor bias, long n) {
        try (Tensor repeated = Functional.repeat(bias, 1, n, 1)) {
            return Functional.cat(0, x, repeated);
        }
    }

    private static Tensor withZeros(Tensor x) {
        TensorOptions options = TensorOptions.of(x.dtype()).device(x.device());
        try (Tensor zeros = Tensor.zeros(options, x.size(0), 1, x.size(2))) {
            return Functional.cat(1, x, zeros);
        }
    }

    private static void widen(Ref<Tensor> mask, Ref<Tensor> kpm, Tensor[] padding) {
        if (mask.get() != null) {
            mask.set(Functional.pad(mask.get(), 0, 0, 1));
        }
        if (padding[0] != null) {
            padding[0] = kpm.set(Functional.pad(padding[0], 0, 0, 1));
        }
    }

    /** [length, n, width] as [n heads, length, size], a view. */
    private Tensor byHead(Tensor x, long length, long n) {
        return then(x.view(length, n * heads, width / heads), t -> t.transpose(0, 1));
    }

    private void merge(Ref<Tensor> mask, Ref<Tensor> kpm, Tensor padding, long n, long s) {
        if (padding == null) {
            return;
        }
        if (padding.size(0) != n || padding.size(1) != s) {
            throw new TensorException("Expected keyPaddingMask of shape [" + n + ", " + s + "], but got "
                    + Arrays.toString(padding.shape()) + ".");
        }
        Tensor wide = then(padding.view(n, 1, 1, s), t -> t.expand(n, heads, 1, s));
        kpm.set(then(wide, t -> t.reshape(n * heads, 1, s)));
        mask.set(mask.get() == null ? kpm.get().view(n * heads, 1, s) : mask.get().add(kpm.get()));
    }

    private Tensor[] weighted(PythonFrame frame, Ref<Tensor> q, Ref<Tensor> k, Ref<Tensor> v, Ref<Tensor> mask, long n,
            long l, long s, boolean average) {
        Ref<Tensor> scaled = frame.name();
        Ref<Tensor> weights = frame.name();
        Ref<Tensor> output = frame.name();
        scaled.set(q.get().mul(Math.sqrt(1.0 / q.get().size(2))));
        try (Tensor turned = k.get().transpose(-2, -1)) {
            weights.set(mask.get() == null
                    ? scaled.get().bmm(turned)
                    : Functional.baddbmm(mask.get(), scaled.get(), turned));
        }
        weights.set(Functional.softmax(weights.get(), -1));
        if (dropout > 0) {
            weights.set(Functional.dropout(weights.get(), dropout, true));
        }
        output.set(weights.get().bmm(v.get()));
        output.set(rows(output.get().transpose(0, 1), n, l));
        output.set(projected(output.get()));
        output.set(output.get().view(l, n, width));
        weights.set(weights.get().view(n, heads, l, s));
        if (average) {
            weights.set(weights.get().mean(1));
        }
        return new Tensor[]{output.take(), weights.take()};
    }

    private Tensor fused(PythonFrame frame, Ref<Tensor> q, Ref<Tensor> k, Ref<Tensor> v, Ref<Tensor> mask,
            boolean causal,
            long n, long l, long s) {
        Ref<Tensor> output = frame.name();
        if (mask.get() != null) {
            Tensor m = mask.get();
            mask.set(m.size(0) == 1 ? m.unsqueeze(0) : m.view(n, heads, -1, s));
        }
        long size = width / heads;
        q.set(q.get().view(n, heads, l, size));
        k.set(k.get().view(n, heads, s, size));
        v.set(v.get().view(n, heads, s, size));
        output.set(Functional.scaledDotProductAttention(q.get(), k.get(), v.get(), mask.get(), dropout, causal));
        output.set(rows(output.get().permute(2, 0, 1, 3), n, l));
        output.set(projected(output.get()));
        output.set(output.get().view(l, n, width));
        return output.take();
    }

    /** The heads side by side, [l n, width]; takes x over. */
    private Tensor rows(Tensor x, long n, long l) {
        return then(then(x, Tensor::contiguous), t -> t.view(l * n, width));
    }

    private Tensor projected(Tensor x) {
        return Functional.linear(x, module.outProj.weight, module.outProj.bias);
    }
}

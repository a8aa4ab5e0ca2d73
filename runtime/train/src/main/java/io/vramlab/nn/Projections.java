package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;

/** Queries, keys and values of multi-head attention: PyTorch's _in_projection_packed and _in_projection. */
final class Projections {

    private Projections() {
    }

    /** Into the three names. What is the same tensor is projected in one product. */
    static void of(MultiheadAttention module, long width, Tensor query, Tensor key, Tensor value, Ref<Tensor> q,
            Ref<Tensor> k, Ref<Tensor> v) {
        if (module.isPacked() && key == value) {
            if (query == key) {
                self(module, width, query, q, k, v);
            } else {
                crossed(module, width, query, key, q, k, v);
            }
            return;
        }
        Tensor[] weights = module.isPacked()
                ? Functional.chunk(module.inProjWeight, 3, 0)
                : new Tensor[]{module.qProjWeight, module.kProjWeight, module.vProjWeight};
        Tensor[] biases = module.inProjBias == null
                ? new Tensor[3]
                : Functional.chunk(module.inProjBias, 3, 0);
        Ref<Tensor> first = new Ref<>(Functional.linear(query, weights[0], biases[0]));
        Ref<Tensor> second = new Ref<>(Functional.linear(key, weights[1], biases[1]));
        v.set(Functional.linear(value, weights[2], biases[2]));
        k.set(second.take());
        q.set(first.take());
        if (module.isPacked()) {
            close(weights);
        }
        close(biases);
    }

    private static void self(MultiheadAttention module, long width, Tensor x, Ref<Tensor> q, Ref<Tensor> k,
            Ref<Tensor> v) {
        try (Ref<Tensor> all = new Ref<>(Functional.linear(x, module.inProjWeight, module.inProjBias))) {
            all.set(apart(all.get(), 3, width));
            q.set(all.get().select(0, 0));
            k.set(all.get().select(0, 1));
            v.set(all.get().select(0, 2));
        }
    }

    private static void crossed(MultiheadAttention module, long width, Tensor query, Tensor key, Ref<Tensor> q,
            Ref<Tensor> k, Ref<Tensor> v) {
        long[] sizes = {width, 2 * width};
        Tensor[] weights = Functional.split(module.inProjWeight, sizes, 0);
        Tensor[] biases = module.inProjBias == null
                ? new Tensor[2]
                : Functional.split(module.inProjBias, sizes, 0);
        Tensor queries = Functional.linear(query, weights[0], biases[0]);
        try (Ref<Tensor> both = new Ref<>(Functional.linear(key, weights[1], biases[1]))) {
            both.set(apart(both.get(), 2, width));
            q.set(queries);
            k.set(both.get().select(0, 0));
            v.set(both.get().select(0, 1));
        }
        close(weights);
        close(biases);
    }

    /** [l, n, parts width] as [parts, l, n, width], copied; borrows x. */
    private static Tensor apart(Tensor x, long parts, long width) {
        try (Tensor split = x.view(x.size(0), x.size(1), parts, width);
                Tensor one = split.unsqueeze(0);
                Tensor turned = one.transpose(0, -2);
                Tensor whole = turned.squeeze(-2)) {
            return whole.contiguous();
        }
    }

    private static void close(Tensor... tensors) {
        for (Tensor t : tensors) {
            if (t != null) {
                t.close();
            }
        }
    }
}

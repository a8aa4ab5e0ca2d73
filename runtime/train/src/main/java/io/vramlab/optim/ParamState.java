package io.vramlab.optim;

import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.core.Kind;
import io.vramlab.tensor.core.TensorImpl;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an optimizer remembers of one parameter: how often it was stepped, and tensors by PyTorch's names. The count is a
 * number on the host, as PyTorch's is a tensor on the CPU; the fused form keeps it in a tensor named {@code step} on the
 * device instead.
 */
public final class ParamState {

    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private long step;

    ParamState() {
    }

    /** Steps taken, where they are counted on the host. */
    public long step() {
        return step;
    }

    /** The tensors by name, borrowed: {@code exp_avg}, {@code exp_avg_sq}, {@code momentum_buffer}, {@code step}. */
    public Map<String, Tensor> tensors() {
        return Collections.unmodifiableMap(tensors);
    }

    /** A tensor by name, borrowed; null where there is none. */
    public Tensor tensor(String name) {
        return tensors.get(name);
    }

    /** Remembers a tensor under a name: another handle on it, which stays when the caller's goes. */
    public void set(String name, Tensor value) {
        put(name, value.impl().retain());
    }

    /** A tensor by name, zeros of that one's form if there is none yet. */
    public Tensor zeros(String name, Tensor like) {
        if (!tensors.containsKey(name)) {
            try (Tensor fresh = like.zerosLike()) {
                set(name, fresh);
            }
        }
        return tensors.get(name);
    }

    long nextStep() {
        return ++step;
    }

    void step(long steps) {
        step = steps;
    }

    boolean isEmpty() {
        return tensors.isEmpty();
    }

    /** Takes over the caller's hold. */
    void put(String name, TensorImpl value) {
        value.storage().kind(Kind.OPTIMIZER_STATE);
        Tensor old = tensors.put(name, Scope.release(Tensor.wrap(value)));
        if (old != null) {
            old.close();
        }
    }

    /** Borrowed; null where there is none. */
    TensorImpl get(String name) {
        Tensor t = tensors.get(name);
        return t == null ? null : t.impl();
    }

    void close() {
        tensors.values().forEach(Tensor::close);
        tensors.clear();
        step = 0;
    }
}

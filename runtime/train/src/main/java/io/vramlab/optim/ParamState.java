package io.vramlab.optim;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Owner;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Kind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an optimizer remembers of one parameter: how often it was stepped, and tensors by PyTorch's names. The count is a
 * number on the host, as PyTorch's is a tensor on the CPU; the fused form keeps it in a tensor named {@code step} on the
 * device instead.
 */
public final class ParamState extends Owner {

    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private long step;
    private Double product;

    ParamState() {
    }

    /** {@return steps taken, where they are counted on the host} */
    public long step() {
        return step;
    }

    /**
     * {@return the tensors by name, borrowed: {@code exp_avg}, {@code exp_avg_sq}, {@code momentum_buffer},
     * {@code step}}
     */
    public Map<String, Tensor> tensors() {
        Lifetimes.shows(this, tensors.values());
        return Collections.unmodifiableMap(tensors);
    }

    /**
     * {@return a tensor by name, borrowed; null where there is none}
     *
     * @param name
     *            PyTorch's, for instance {@code exp_avg}
     */
    public Tensor tensor(String name) {
        Lifetimes.shows(this, tensors.values());
        return tensors.get(name);
    }

    /**
     * Remembers a tensor under a name: another handle on it, which stays when the caller's goes.
     *
     * @param name
     *            PyTorch's, for instance {@code momentum_buffer}
     * @param value
     *            from now on counted as optimizer state
     */
    public void set(String name, Tensor value) {
        put(name, value.impl().retain());
    }

    /**
     * {@return a tensor by name, zeros of that one's form if there is none yet}
     *
     * @param name
     *            PyTorch's, for instance {@code exp_avg}
     * @param like
     *            whose shape, dtype and device a new one gets
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room for a new one
     */
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

    /**
     * Checks, before a step changes anything, that the state is what the optimizer's settings need.
     *
     * @throws IllegalStateException
     *             if an option was chosen after the first step, which made the state without it
     */
    void require(Optimizer optimizer, List<String> names) {
        for (String each : names) {
            if (!tensors.containsKey(each)) {
                throw new IllegalStateException(optimizer.getClass().getSimpleName() + " is to step with the state \""
                        + each + "\", which an option needs. There is " + tensors.keySet()
                        + ": a step, or a loaded state dict, has made the state without that option. Choose options before"
                        + " the first step, or make a new optimizer.");
            }
        }
    }

    /** NAdam's mu_product: the product of the momenta of all steps; null before the first. */
    Double product() {
        return product;
    }

    void product(Double value) {
        product = value;
    }

    void step(long steps) {
        step = steps;
    }

    boolean isEmpty() {
        return tensors.isEmpty();
    }

    /** Takes over the caller's hold. */
    void put(String name, TensorImpl value) {
        value.kind(Kind.OPTIMIZER_STATE);
        Tensor made = Scope.release(Tensor.wrap(value));
        Lifetimes.member(made);
        Lifetimes.replaced(tensors.put(name, made));
    }

    /** Borrowed; null where there is none. */
    TensorImpl get(String name) {
        Tensor t = tensors.get(name);
        return t == null ? null : t.impl();
    }

    /** Lets go of the tensors, unless woven code holds this, as a part of a state dict; those that it holds themselves stay too. */
    void forget() {
        if (!Lifetimes.holds(this)) {
            tensors.values().forEach(Lifetimes::replaced);
        }
    }

    void close() {
        tensors.values().forEach(Tensor::close);
    }
}

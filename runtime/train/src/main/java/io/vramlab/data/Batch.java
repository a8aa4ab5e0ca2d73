package io.vramlab.data;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/** The tensors of one batch; whoever got it closes it, or leaves that to a scope. */
public final class Batch extends AbstractList<Tensor> implements AutoCloseable {

    private final List<Tensor> tensors;

    Batch(List<Tensor> tensors) {
        this.tensors = List.copyOf(tensors);
    }

    /** Samples side by side along a new first dimension, one allocation per tensor. */
    static Batch collate(Dataset dataset, long[] indices) {
        List<List<Tensor>> samples = new ArrayList<>(indices.length);
        try {
            for (long i : indices) {
                samples.add(dataset.get(i));
            }
            List<Tensor> stacked = new ArrayList<>();
            for (int part = 0; part < samples.getFirst().size(); part++) {
                int column = part;
                stacked.add(
                        Functional.stack(0, samples.stream().map(s -> s.get(column)).toArray(Tensor[]::new)));
            }
            return new Batch(stacked);
        } finally {
            samples.forEach(s -> s.forEach(Tensor::close));
        }
    }

    /** The same tensors under handles of this thread, whose scope they then belong to. */
    Batch adopted() {
        try (this) {
            return new Batch(tensors.stream().map(t -> Tensor.wrap(t.impl().retain())).toList());
        }
    }

    /** In page-locked memory; this batch is closed. */
    Batch pinned() {
        try (this) {
            return new Batch(tensors.stream().map(Tensor::pinMemory).toList());
        }
    }

    @Override
    public Tensor get(int index) {
        return tensors.get(index);
    }

    @Override
    public int size() {
        return tensors.size();
    }

    /** Closes the tensors. */
    @Override
    public void close() {
        tensors.forEach(Tensor::close);
    }
}

package io.vramlab.data;

import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tensors of one first size; sample i is the i-th slice of each. */
public final class TensorDataset implements Dataset, AutoCloseable {

    private final List<Tensor> tensors;

    /**
     * Of those tensors, borrowed.
     *
     * @param tensors
     *            of the same first size, one or more; {@link #close} closes them
     * @throws IllegalArgumentException
     *             if there are none, or their first sizes differ
     */
    public TensorDataset(Tensor... tensors) {
        if (tensors.length == 0 || Arrays.stream(tensors).anyMatch(t -> t.dim() == 0)
                || Arrays.stream(tensors).mapToLong(t -> t.size(0)).distinct().count() != 1) {
            throw new IllegalArgumentException("Size mismatch between tensors: a data set was asked for with "
                    + Arrays.stream(tensors).map(Tensor::describe).toList()
                    + ". Give one or more tensors of the same first size.");
        }
        this.tensors = List.of(tensors);
    }

    @Override
    public long size() {
        return tensors.getFirst().size(0);
    }

    /** Views of the slices. */
    @Override
    public List<Tensor> get(long index) {
        List<Tensor> sample = new ArrayList<>(tensors.size());
        tensors.forEach(t -> sample.add(t.select(0, index)));
        return sample;
    }

    /** Closes the tensors. */
    @Override
    public void close() {
        tensors.forEach(Tensor::close);
    }
}

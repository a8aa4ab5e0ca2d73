package io.vramlab.data;

import io.vramlab.tensor.Tensor;
import java.util.List;

/** Samples by number. */
public interface Dataset {

    /** {@return number of samples} */
    long size();

    /**
     * {@return the tensors of one sample, which the caller closes} May be called from several threads.
     *
     * <p>
     * May be called from several threads.
     *
     * @param index
     *            from 0 to size - 1
     */
    List<Tensor> get(long index);
}

package io.vramlab.data;

import io.vramlab.tensor.Tensor;
import java.util.List;

/** Samples by number. */
public interface Dataset {

    /** Number of samples. */
    long size();

    /** The tensors of one sample, which the caller closes. May be called from several threads. */
    List<Tensor> get(long index);
}

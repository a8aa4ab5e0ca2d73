package io.vramlab.tensor.internal.core;

import io.vramlab.tensor.type.Kind;
import io.vramlab.tensor.type.TensorException;

/**
 * What a sparse tensor holds instead of one memory: the rows that are there, as PyTorch's coordinate layout with one sparse
 * dimension does. Holds both tensors.
 *
 * @param indices
 *            int64 [1, entries]
 * @param values
 *            [entries, rest of the shape]
 * @param coalesced
 *            whether each row is there once, in order
 */
record Coo(TensorImpl indices, TensorImpl values, boolean coalesced) {

    /** The same rows, held once more. */
    Coo again() {
        return new Coo(indices.retain(), values.retain(), coalesced);
    }

    /** As C++ destroys the members: the last one first. */
    void release() {
        values.release();
        indices.release();
    }

    void kind(Kind kind) {
        indices.storage().kind(kind);
        values.storage().kind(kind);
    }

    static TensorException refuse(TensorImpl sparse, String what) {
        return new TensorException(what + " was asked of a sparse tensor, " + sparse.describe()
                + ": it has no memory of one piece. Use toDense(), or its indices() and values().");
    }
}

package io.vramlab.tensor.internal.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Intermediate results of one formula: let go, the latest first as C++ does, when the formula ends, also when it ends by
 * running out of memory half way.
 */
public final class Temps implements AutoCloseable {

    private final List<TensorImpl> owned = new ArrayList<>(4);

    /** Takes over the caller's hold. */
    public TensorImpl own(TensorImpl t) {
        owned.add(t);
        return t;
    }

    /** Gives the hold back to the caller. */
    public TensorImpl give(TensorImpl t) {
        if (t != null) {
            for (int i = owned.size() - 1; i >= 0; i--) {
                if (owned.get(i) == t) {
                    owned.remove(i);
                    return t;
                }
            }
            throw new IllegalStateException("A result that the formula does not own was given away.");
        }
        return t;
    }

    /** Gives several results back to the caller; nulls are allowed. */
    public TensorImpl[] give(TensorImpl... results) {
        for (TensorImpl t : results) {
            give(t);
        }
        return results;
    }

    /** Lets one go before the end. */
    public void free(TensorImpl t) {
        give(t).release();
    }

    /** Lets all go, the first taken first. */
    public void closeInOrder() {
        owned.forEach(TensorImpl::release);
        owned.clear();
    }

    @Override
    public void close() {
        for (int i = owned.size() - 1; i >= 0; i--) {
            owned.get(i).release();
        }
        owned.clear();
    }
}

package io.vramlab.tensor;

/**
 * A tensor that nobody closed, and that the collector had to find.
 *
 * @param form
 *            dtype, shape and device, as {@code float32[64, 1024] on cuda:0}
 * @param bytes
 *            of its storage, if this tensor was the last that held it; else 0
 * @param madeAt
 *            the call site of its storage's birth, see {@link io.vramlab.memory.CallSites}; 0 if none was recorded
 * @param why
 *            why it was the collector's
 * @param escapedAt
 *            for one that escaped, the call site at which it did; 0 if that lay in no cell
 * @param how
 *            for one that escaped, the call or the field that took it, as {@code handed to LinkedList.add}; empty if that is
 *            not known
 * @param nanos
 *            nanoseconds from its escape, or else from its making, until the collector found it
 */
public record CollectedTensor(String form, long bytes, int madeAt, Why why, int escapedAt, String how, long nanos) {

    /** Why counting did not free it. */
    public enum Why {
        /** Code that does not count was given it, or could look into what held it. */
        ESCAPED,
        /** It belongs to a module, an optimizer, a batch, or another part of the runtime. */
        OWNED,
        /** What held it was dropped where nobody counts. */
        HOLDER_DROPPED,
        /** Counting was off. */
        NOT_COUNTED
    }
}

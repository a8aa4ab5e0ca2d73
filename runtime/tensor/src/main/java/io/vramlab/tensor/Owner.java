package io.vramlab.tensor;

import java.lang.ref.WeakReference;

/**
 * What of the runtime holds tensors for longer than a call lasts: modules, optimizers and their parts, schedules. While woven
 * code counts ({@link Lifetimes}) these are let go as Python lets them go: when no counted place holds one, and no owner that is
 * held leads to it. That is not counted but looked up, in the fields of the owners themselves: see {@link Owners}.
 */
public abstract class Owner {

    /** How many places of woven code hold it. */
    final HolderCount holders = new HolderCount();
    final WeakReference<Owner> self;
    /** An owner that led to it when that was last looked up; it may not do so any more. */
    volatile WeakReference<Owner> keeper;
    /** Whether woven code has held it, or it belongs to one that was held; until then somebody else may hold it. */
    volatile boolean known;
    /** Whether the last that held it is handing it to somebody who is going to. */
    volatile boolean handedOver;
    /** Whether it was let go. */
    volatile boolean gone;

    /** Held by nobody who counts. */
    protected Owner() {
        self = Owners.register(this);
        if (!Holds.on || !OwnedFields.areKnown(getClass())) {
            holders.escape();
        }
    }

    /** It is let go by counting: the place to let go of tensors that it has held ({@link Lifetimes#hold}) as woven code does. */
    protected void letGo() {
        // what its fields lead to is let go by itself
    }
}

package io.vramlab.tensor;

import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import io.vramlab.tensor.internal.core.Storage;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a {@link Tensor} object stands for: one hold on a {@link TensorImpl}. It outlives the object, so that a tensor
 * which the user dropped without closing is still let go, once the collector has noticed.
 */
final class Handle extends PhantomReference<Tensor> {

    private static final ReferenceQueue<Tensor> QUEUE = new ReferenceQueue<>();
    private static final VarHandle HOLDERS;
    private static final Handle LIST = new Handle();
    private static long nextId = 1;
    private static Collected total = Collected.NONE;
    private static Collected underPressure = Collected.NONE;
    private static volatile Consumer<CollectedTensor> watcher;

    static {
        try {
            HOLDERS = MethodHandles.lookup().findVarHandle(Handle.class, "holders", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final TensorImpl impl;
    final long id;
    private Handle previous;
    private Handle next;
    private boolean closed;
    /** How many counted places hold the tensor; see {@link Lifetimes}. */
    private volatile int holders;
    /** Whether the last that held it is handing it to somebody who is going to. */
    private boolean handedOver;
    /** Of a member, an owner that led to it when that was last looked up. */
    volatile WeakReference<Owner> keeper;
    /** While somebody watches: when it was made, and then when and where it escaped. */
    private long moment;
    private int escapedAt;
    private String how = "";
    /** Whether it is closed when nobody holds it any more. */
    private volatile Lifetime lifetime = Lifetime.OWN;

    /** Who decides when a handle is closed that nobody closes. */
    private enum Lifetime {
        /** The runtime, and the collector. */
        OWN,
        /** As {@link #OWN}, until woven code gets the collection that it lies in: then its counted holders. */
        OFFERED,
        /** Its counted holders. */
        COUNTED,
        /** Its counted holders, and the owners that lead to it: see {@link Owners}. */
        MEMBER,
        /** The collector: code that does not count may hold it. */
        ESCAPED
    }

    private Handle() {
        super(null, null);
        impl = null;
        id = 0;
        previous = this;
        next = this;
    }

    /** Takes over the caller's hold on {@code impl}. */
    Handle(Tensor tensor, TensorImpl impl) {
        super(tensor, QUEUE);
        this.impl = impl;
        Pressure.watch(impl.device(), impl.storage().allocator());
        moment = watcher == null ? 0 : System.nanoTime();
        synchronized (LIST) {
            id = nextId++;
            previous = LIST.previous;
            next = LIST;
            previous.next = this;
            LIST.previous = this;
        }
    }

    /** The id of the handle that will be made next. */
    static long next() {
        synchronized (LIST) {
            return nextId;
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Lets go; false if that was done before. */
    boolean close() {
        synchronized (LIST) {
            if (closed) {
                return false;
            }
            closed = true;
            previous.next = next;
            next.previous = previous;
        }
        impl.release();
        return true;
    }

    /** Whether counted places hold it, or code may that nobody counts. */
    boolean isKept() {
        return lifetime == Lifetime.ESCAPED || lifetime == Lifetime.MEMBER || holders > 0;
    }

    /** Whether owners lead to it, which are let go with it. */
    boolean isMember() {
        return lifetime == Lifetime.MEMBER;
    }

    /** Whether the owners that lead to it cannot decide when it goes. */
    boolean isHeld() {
        return holders > 0 || handedOver || lifetime != Lifetime.OWN && lifetime != Lifetime.MEMBER;
    }

    /** No owner leads to it any more, and nobody else. */
    void closeMember() {
        if (close()) {
            CountedOut.add(this);
        }
    }

    void hold() {
        HOLDERS.getAndAdd(this, 1);
        handedOver = false;
    }

    /** One place less, that hands it over. */
    void unhold() {
        if ((int) HOLDERS.getAndAdd(this, -1) == 1) {
            handedOver = true;
        }
    }

    /** One place less, that has borrowed it. */
    void giveBack() {
        HOLDERS.getAndAdd(this, -1);
    }

    /** One place less; the last one closes it, if those that are counted are all there are. True if owners are to be asked. */
    boolean drop() {
        if ((int) HOLDERS.getAndAdd(this, -1) != 1) {
            return false;
        }
        if (lifetime == Lifetime.COUNTED && close()) {
            CountedOut.add(this);
        }
        return lifetime == Lifetime.MEMBER && !closed;
    }

    /** Code of ours, which held it or not, needs it no more: closes it, unless the program may have it still. */
    void done() {
        if (!isKept()) {
            close();
        }
    }

    /** What it stands for, and where that was made. */
    String told() {
        List<Frame> frames = CallSites.frames(impl.storage().siteId());
        return impl.describe()
                + (frames.isEmpty() ? "" : " made in " + frames.getFirst().file() + ":" + frames.getFirst().line());
    }

    /** An operation made it for its caller and nobody else. */
    void fresh() {
        if (lifetime == Lifetime.OWN) {
            lifetime = Lifetime.COUNTED;
        }
    }

    /** It was made for somebody who may count, in a collection for him alone. */
    void offer() {
        if (lifetime == Lifetime.OWN) {
            lifetime = Lifetime.OFFERED;
        }
    }

    /** He counts: whoever holds it last closes it. False if it was not made for him, or somebody else may have got it. */
    boolean accept() {
        if (lifetime != Lifetime.OFFERED) {
            return false;
        }
        lifetime = Lifetime.COUNTED;
        return true;
    }

    /** An owner is going to lead to it, and may do so for longer than anybody else. */
    void member() {
        if (lifetime == Lifetime.OWN) {
            lifetime = Lifetime.MEMBER;
        }
    }

    void escape() {
        if (lifetime != Lifetime.ESCAPED && watcher != null) {
            escapedAt = CallSites.innermostInCell();
            how = ThreadHolds.current().how;
            moment = System.nanoTime();
        }
        lifetime = Lifetime.ESCAPED;
    }

    /** Tells of each tensor that the collector finds, on the thread that looks for them; null for nobody. */
    static void watch(Consumer<CollectedTensor> wanted) {
        watcher = wanted;
    }

    /** Whether somebody is told. */
    static boolean isWatched() {
        return watcher != null;
    }

    private CollectedTensor collected(boolean last) {
        Storage storage = impl.storage();
        CollectedTensor.Why why = switch (lifetime) {
            case ESCAPED -> CollectedTensor.Why.ESCAPED;
            case COUNTED -> CollectedTensor.Why.HOLDER_DROPPED;
            case OWN, OFFERED, MEMBER ->
                Lifetimes.isCounting() ? CollectedTensor.Why.OWNED : CollectedTensor.Why.NOT_COUNTED;
        };
        return new CollectedTensor(impl.describe(), last ? storage.bytes() : 0, storage.siteId(), why,
                escapedAt, how, moment == 0 ? 0 : System.nanoTime() - moment);
    }

    static List<Handle> open() {
        List<Handle> all = new ArrayList<>();
        synchronized (LIST) {
            for (Handle h = LIST.next; h != LIST; h = h.next) {
                all.add(h);
            }
        }
        return all;
    }

    /** Lets go what the collector has found; returns how many handles that were. */
    static int drain(boolean pressed) {
        int count = 0;
        for (Reference<? extends Tensor> r = QUEUE.poll(); r != null; r = QUEUE.poll()) {
            count += collect((Handle) r, pressed);
        }
        return count;
    }

    /**
     * Lets go what the last collection has found; returns how many handles that were. The JVM queues references a little
     * after a collection, but clears them in it: so nothing has to be waited for.
     */
    static int sweep(boolean pressed) {
        int count = 0;
        for (Handle handle : open()) {
            if (handle.refersTo(null)) {
                count += collect(handle, pressed);
            }
        }
        return count + drain(pressed);
    }

    private static int collect(Handle handle, boolean pressed) {
        Storage storage = handle.impl.storage();
        boolean last = storage.holders() == 1 && handle.impl.holders() == 1;
        Consumer<CollectedTensor> told = watcher;
        CollectedTensor seen = told == null ? null : handle.collected(last);
        if (!handle.close()) {
            return 0;
        }
        if (seen != null) {
            told.accept(seen);
        }
        Collected one = new Collected(1, last ? storage.bytes() : 0);
        synchronized (LIST) {
            total = total.plus(one);
            underPressure = pressed ? underPressure.plus(one) : underPressure;
        }
        return 1;
    }

    static Collected total(boolean pressed) {
        synchronized (LIST) {
            return pressed ? underPressure : total;
        }
    }
}

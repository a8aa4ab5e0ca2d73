package io.vramlab.tensor;

import java.util.Iterator;
import java.util.Spliterator;

/**
 * How many places hold an object, and what becomes of it when the last one lets go: a part of {@link Lifetimes}.
 */
abstract sealed class Holds extends Escapes permits CountedCalls {

    static volatile boolean on;

    /** The first tensor that may be counted: those of before are held by code that did not count. */
    static volatile long since;

    /**
     * One place more holds it.
     *
     * @param value
     *            any object, or null
     */
    public static void hold(Object value) {
        if (value instanceof Tensor tensor) {
            tensor.handle().hold();
        } else {
            if (value instanceof Owner owner) {
                if (!owner.known) {
                    Owners.know(owner);
                }
                owner.handedOver = false;
            }
            HolderCount count = count(value);
            if (count != null) {
                count.incrementAndGet();
            }
        }
    }

    /**
     * Holds what an operation of the runtime returned.
     *
     * @param value
     *            any object, or null
     */
    public static void holdFresh(Object value) {
        if (value instanceof Tensor tensor) {
            if (on && tensor.handle().id >= since) {
                tensor.handle().fresh();
            }
            tensor.handle().hold();
        } else if (value instanceof Object[] array && SideCounts.of(array) == null) {
            SideCounts.begin(array).incrementAndGet();
            for (Object each : array) {
                holdFresh(each);
            }
        } else if (value instanceof CountedRecord made && SideCounts.of(made) == null) {
            if (on) {
                SideCounts.begin(made).incrementAndGet();
                made.parts().forEach(Holds::holdFresh);
            }
        } else {
            hold(value);
        }
    }

    /**
     * Holds a new record, which holds what it was made of.
     *
     * @param made
     *            by woven code
     */
    public static void holdRecord(CountedRecord made) {
        if (on) {
            SideCounts.begin(made).incrementAndGet();
            made.parts().forEach(Holds::hold);
        }
    }

    /**
     * Holds what came from code that does not count, which may hold it too.
     *
     * @param value
     *            any object, or null
     * @param how
     *            see {@link #escape(Object, String)}
     */
    public static void holdForeign(Object value, String how) {
        escape(value, how);
        hold(value);
    }

    /**
     * Holds what the runtime returned, but not made for its caller: owners and what they lead to are looked after by them.
     *
     * @param value
     *            any object, or null
     * @param how
     *            see {@link #escape(Object, String)}
     */
    public static void holdOwned(Object value, String how) {
        if (!isOwned(value)) {
            escape(value, how);
        }
        hold(value);
    }

    /**
     * Holds what a call on {@code receiver} returned, an object of any class.
     *
     * @param value
     *            any object, or null
     * @param receiver
     *            any object
     * @param how
     *            see {@link #escape(Object, String)}
     */
    public static void holdReturned(Object value, Object receiver, String how) {
        if (receiver instanceof Owner && !(value instanceof Counted)
                && (value instanceof Iterator || value instanceof Spliterator)) {
            // called as something of the JDK's, it has given away what leads to its members
            escape(receiver, how);
        }
        if (isWoven(receiver)) {
            hold(value);
        } else {
            holdForeign(value, how);
        }
    }

    /**
     * Holds a new array.
     *
     * @param array
     *            which nobody holds yet
     */
    public static void holdArray(Object[] array) {
        SideCounts.begin(array).incrementAndGet();
    }

    /**
     * An array holds what a counted collection has just put into it.
     *
     * @param array
     *            whose elements are not held for it yet
     */
    public static void fill(Object[] array) {
        SideCounts.begin(array);
        for (Object each : array) {
            hold(each);
        }
    }

    /**
     * One place less holds it; the last one lets it go.
     *
     * @param value
     *            any object, or null
     */
    public static void drop(Object value) {
        if (value instanceof Tensor tensor) {
            if (tensor.handle().drop() && on) {
                Owners.released(tensor);
            }
            return;
        }
        HolderCount count = count(value);
        if (count != null && count.drop() && on) {
            if (value instanceof Owner) {
                Owners.released(value);
            } else {
                ThreadHolds.current().trashcan.letGo(value);
            }
        }
    }

    /** What nobody holds any more lets go of what it holds itself. */
    static void dropMembers(Object value) {
        switch (value) {
            case Counted counted -> counted.dropMembers$();
            case Object[] array -> {
                SideCounts.end(array);
                for (Object each : array) {
                    drop(each);
                }
            }
            default -> Closures.of(value).dropCaptured();
        }
    }

    /**
     * One place less holds it, but whoever it is handed to may take it.
     *
     * @param value
     *            any object, or null
     */
    public static void unhold(Object value) {
        if (value instanceof Tensor tensor) {
            tensor.handle().unhold();
        } else {
            HolderCount count = count(value);
            if (count != null && count.decrementAndGet() == 0 && value instanceof Owner owner) {
                owner.handedOver = true;
            }
        }
    }

    /**
     * One place less holds it, that has borrowed it.
     *
     * @param value
     *            any object, or null
     */
    public static void giveBack(Object value) {
        if (value instanceof Tensor tensor) {
            tensor.handle().giveBack();
        } else {
            HolderCount count = count(value);
            if (count != null) {
                count.decrementAndGet();
            }
        }
    }

    /**
     * A method ends, or assigns its parameter: the value goes for good only if the caller counts, and gave it away.
     *
     * @param value
     *            any object, or null
     * @param byWoven
     *            whether the caller counts
     */
    public static void dropParameter(Object value, boolean byWoven) {
        if (byWoven) {
            drop(value);
        } else {
            giveBack(value);
        }
    }

    /**
     * The runtime has made a tensor, or an array of them, for the program's code and nobody else: while it counts, whoever holds
     * it last closes it.
     *
     * @param value
     *            not held yet; or null
     */
    public static void fresh(Object value) {
        if (on) {
            holdFresh(value);
            unhold(value);
        }
    }

    /**
     * The runtime has made a tensor for whoever asked it, and puts it into a collection that it gives to nobody else: if woven code
     * gets that, it counts the tensor; otherwise this is as any that others hold.
     *
     * @param tensor
     *            not held yet
     */
    public static void offer(Tensor tensor) {
        if (on) {
            tensor.handle().offer();
        }
    }

    /**
     * Woven code gets the collection that a value lies in: what was made for it is counted from now on.
     *
     * @param value
     *            any object, or null
     * @return false if it was not, or if code that does not count may have got it before
     */
    public static boolean accept(Object value) {
        return value instanceof Tensor tensor && tensor.handle().accept();
    }

    /**
     * A tensor is made that owners are going to lead to, as a parameter of a module: it is let go with them.
     *
     * @param tensor
     *            not held yet
     */
    public static void member(Tensor tensor) {
        if (on) {
            tensor.handle().member();
        } else {
            escape(tensor);
        }
    }

    /**
     * An owner shows what it leads to: if code that does not count may have that owner, it may have this too.
     *
     * @param owner
     *            that is asked
     * @param shown
     *            owners and tensors
     */
    public static void shows(Owner owner, Iterable<?> shown) {
        if (owner.holders.escaped()) {
            shown.forEach(Escapes::capture);
        }
    }

    /**
     * Whether woven code holds an owner, or code may that does not count.
     *
     * @param owner
     *            of any kind
     * @return false if only other owners lead to it
     */
    public static boolean holds(Owner owner) {
        return owner.holders.get() > 0 || owner.holders.escaped() || owner.handedOver;
    }

    /**
     * An owner is at work, and must not be let go meanwhile.
     *
     * @param owner
     *            until {@link #leaves}
     */
    public static void enters(Owner owner) {
        owner.holders.incrementAndGet();
    }

    /**
     * An owner has done its work.
     *
     * @param owner
     *            since {@link #enters}
     */
    public static void leaves(Owner owner) {
        owner.holders.decrementAndGet();
    }

    /**
     * An owner leads to a value no longer, and gives it to nobody: it goes, unless something else holds it.
     *
     * @param value
     *            that was taken out of the owner's fields; an owner or a tensor of one, or null
     */
    public static void lost(Object value) {
        if (on && isOwned(value)) {
            Owners.released(value);
        }
    }

    /**
     * An owner leads to a tensor no longer: closes it, unless somebody else holds it.
     *
     * @param tensor
     *            that no other owner leads to, or null
     */
    public static void replaced(Tensor tensor) {
        if (tensor != null && !tensor.handle().isHeld()) {
            tensor.handle().close();
        }
    }

    /**
     * An owner takes a value in that it is going to lead to.
     *
     * @param owner
     *            from now on leads to it
     * @param value
     *            an owner or a tensor, or null
     */
    public static void takes(Owner owner, Object value) {
        Owners.takes(owner, value);
    }

    /**
     * The runtime is through with a tensor that it made for the program's code, or that this returned to it: closes it, unless
     * code that counts holds it, or code that does not may.
     *
     * @param tensor
     *            not held by the caller; or null
     */
    public static void done(Tensor tensor) {
        if (tensor != null) {
            tensor.handle().done();
        }
    }

    /**
     * A lambda has captured a value.
     *
     * @param lambda
     *            fresh, of woven code
     * @param value
     *            what it keeps, or null
     */
    public static void enclose(Object lambda, Object value) {
        Closures.begin(lambda).add(value);
    }

    /**
     * Stores into an array, as {@code array[index] = value} does, and lets go what was there.
     *
     * @param array
     *            of any element class
     * @param index
     *            in bounds, else the exception is the array's
     * @param value
     *            any object, or null
     */
    public static void store(Object[] array, int index, Object value) {
        Object old = array[index];
        array[index] = value;
        HolderCount count = SideCounts.of(array);
        if (count == null) {
            escape(value);
            return;
        }
        if (count.escaped()) {
            escape(value);
        }
        hold(value);
        drop(old);
    }

    /**
     * Holds an element that is about to be loaded from an array.
     *
     * @param array
     *            of any element class, or null
     * @param index
     *            any; out of bounds nothing happens
     */
    public static void holdElement(Object[] array, int index) {
        if (array != null && index >= 0 && index < array.length) {
            if (SideCounts.of(array) == null) {
                escape(array[index]);
            }
            hold(array[index]);
        }
    }
}

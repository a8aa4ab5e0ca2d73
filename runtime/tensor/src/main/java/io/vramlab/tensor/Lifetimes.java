package io.vramlab.tensor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/**
 * CPython's reference counts for woven code: what {@link io.vramlab.lifetime.Weaver} puts into the classes of cells calls
 * these. A tensor that woven code alone holds is closed when the last local variable, field, array element, counted
 * collection or unnamed value lets it go, at the moment at which CPython would.
 *
 * <p>
 * Three things can be said of a tensor. It is <em>fresh</em> when an operation has just made it for its caller: from then
 * on it is counted. It has <em>escaped</em> when code that does not count may hold it: from then on the collector decides,
 * whatever the count. Until either is said it is the runtime's own (a parameter, a buffer, a member of a batch), and not
 * closed by counting. So a tensor may live too long, but is never closed while somebody can reach it.
 */
public final class Lifetimes {

    /** What every woven method takes for its own token: which one is called is not known. */
    public static final int ANY = 1;

    private static final ClassValue<Boolean> WOVEN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            if (type.isHidden()) {
                // a lambda of such a class
                return Counted.class.isAssignableFrom(type.getNestHost());
            }
            return Counted.class.isAssignableFrom(type) && inheritsNothing(type);
        }
    };

    private Lifetimes() {
    }

    /** Whether calls on an object of that class reach no code that does not count: it inherits none. */
    private static boolean inheritsNothing(Class<?> type) {
        for (Class<?> each = type; each != Object.class && each != Record.class && each != Enum.class; each = each
                .getSuperclass()) {
            if (isOurs(each)) {
                return true;
            }
            if (!Counted.class.isAssignableFrom(each) || !Arrays.stream(each.getInterfaces())
                    .allMatch(one -> isOurs(one) || Arrays.stream(one.getMethods()).noneMatch(Method::isDefault))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("io.vramlab.");
    }

    /**
     * An object of a woven class is being made.
     *
     * @param object
     *            whose constructor begins
     */
    public static void made(Object object) {
        if (!isWoven(object)) {
            // code that it inherits may hold it where nobody counts
            capture(object);
        }
    }

    private static volatile boolean on;
    /** The first tensor that may be counted: those of before are held by code that did not count. */
    private static volatile long since;

    /**
     * Switches counting on or off. Off, tensors are closed by those who close them and by the collector, those that
     * were counted until now too.
     *
     * @param wanted
     *            true from now on, for tensors made from now on
     */
    public static void count(boolean wanted) {
        if (wanted && !on) {
            since = Handle.next();
        }
        on = wanted;
        if (!wanted) {
            Handle.open().forEach(Handle::escape);
        }
    }

    /** {@return whether tensors are counted} */
    public static boolean isCounting() {
        return on;
    }

    /**
     * Remembers from now on which tensors counting closes, or no longer; the system property
     * {@code vramlab.lifetimes.check} begins with it. See {@link #reachableThoughClosed}.
     *
     * @param wanted
     *            true from now on; either way what was remembered is forgotten
     */
    public static void check(boolean wanted) {
        CountedOut.check(wanted);
    }

    /** {@return whether it is remembered which tensors counting closes} */
    public static boolean isChecking() {
        return CountedOut.isChecked();
    }

    /**
     * Collects garbage, and tells which of the tensors that counting has closed something can reach still. There should be
     * none; but a method that runs now may have one in a variable that it will not use again.
     *
     * @return shape, dtype and where it was made, each
     */
    public static List<String> reachableThoughClosed() {
        return CountedOut.reachable().stream().map(Handle::told).toList();
    }

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
            HolderCount count = count(value);
            if (count != null) {
                count.incrementAndGet();
            }
        }
    }

    /** How many hold what is not a tensor; null if nobody counts. */
    private static HolderCount count(Object value) {
        if (value instanceof Counted counted) {
            return counted.holderCount$();
        }
        if (value instanceof Object[] array) {
            return ArrayCounts.of(array);
        }
        Closures.Closure closure = Closures.of(value);
        return closure == null ? null : closure.holders();
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
        } else if (value instanceof Object[] array && ArrayCounts.of(array) == null) {
            ArrayCounts.begin(array).incrementAndGet();
            for (Object each : array) {
                holdFresh(each);
            }
        } else {
            hold(value);
        }
    }

    /**
     * Holds what came from code that does not count, which may hold it too.
     *
     * @param value
     *            any object, or null
     */
    public static void holdForeign(Object value) {
        escape(value);
        hold(value);
    }

    /**
     * Holds what a call on {@code receiver} returned, an object of any class.
     *
     * @param value
     *            any object, or null
     * @param receiver
     *            any object
     */
    public static void holdReturned(Object value, Object receiver) {
        if (isWoven(receiver)) {
            hold(value);
        } else {
            holdForeign(value);
        }
    }

    /**
     * Holds a new array.
     *
     * @param array
     *            which nobody holds yet
     */
    public static void holdArray(Object[] array) {
        ArrayCounts.begin(array).incrementAndGet();
    }

    /**
     * An array holds what a counted collection has just put into it.
     *
     * @param array
     *            whose elements are not held for it yet
     */
    public static void fill(Object[] array) {
        ArrayCounts.begin(array);
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
            tensor.handle().drop();
            return;
        }
        HolderCount count = count(value);
        if (count != null && count.drop() && on) {
            ThreadHolds.current().trashcan.letGo(value);
        }
    }

    /** What nobody holds any more lets go of what it holds itself. */
    static void dropMembers(Object value) {
        switch (value) {
            case Counted counted -> counted.dropMembers$();
            case Object[] array -> {
                ArrayCounts.end(array);
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
            unhold(value);
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

    // ---- exceptions ----

    /**
     * An exception ends a method: it takes over what one of its variables held.
     *
     * @param exception
     *            any
     * @param value
     *            any object, or null
     */
    public static void left(Throwable exception, Object value) {
        if (value == exception) {
            unhold(value);
        } else if (value != null) {
            ThreadHolds state = ThreadHolds.current();
            if (state.traceback == null || state.traceback.exception != exception) {
                // whoever swallowed the former one does not count
                state.traceback = new Traceback(exception);
            }
            state.traceback.add(value);
        }
    }

    /**
     * An exception ends a method: it takes over what the caller gave away.
     *
     * @param exception
     *            any
     * @param value
     *            any object, or null
     * @param byWoven
     *            whether the caller counts
     */
    public static void leftParameter(Throwable exception, Object value, boolean byWoven) {
        if (byWoven) {
            left(exception, value);
        } else {
            unhold(value);
        }
    }

    /**
     * An exception is caught: what it has left behind, held once, or null.
     *
     * @param exception
     *            any
     * @return to be dropped when the handler ends; null if nothing was left behind
     */
    public static Object caught(Throwable exception) {
        ThreadHolds state = ThreadHolds.current();
        Traceback traceback = state.traceback;
        if (traceback == null || traceback.exception != exception) {
            return null;
        }
        state.traceback = null;
        hold(traceback);
        return traceback;
    }

    /**
     * An exception leaves what counts: nobody will look at what it has left behind.
     *
     * @param exception
     *            any
     */
    public static void forget(Throwable exception) {
        drop(caught(exception));
    }

    /**
     * Code that does not count gets it, and may look into it.
     *
     * @param value
     *            any object, or null
     */
    public static void escape(Object value) {
        capture(value);
        if (value instanceof Counted || value instanceof Object[]) {
            ThreadHolds.current().trashcan.escape(value);
        }
    }

    /** What code that does not count has got shows it what it holds itself. */
    static void escapeMembers(Object value) {
        if (value instanceof Counted counted) {
            counted.escapeMembers$();
        } else {
            for (Object each : (Object[]) value) {
                escape(each);
            }
        }
    }

    /**
     * A place holds it that nobody counts, but nothing is done with it there that is not woven.
     *
     * @param value
     *            any object, or null
     */
    public static void capture(Object value) {
        if (value instanceof Tensor tensor) {
            tensor.handle().escape();
        } else {
            HolderCount count = count(value);
            if (count != null) {
                count.escape();
            }
        }
    }

    /**
     * A call on {@code receiver}, an object of any class, is given {@code value}.
     *
     * @param receiver
     *            any object
     * @param value
     *            any object, or null
     */
    public static void pass(Object receiver, Object value) {
        if (!isWoven(receiver)) {
            escape(value);
        }
    }

    /**
     * Stores into an array, as {@code array[index] = value} does, and lets go what was there.
     *
     * @param array
     *            any
     * @param index
     *            in bounds, else the exception is the array's
     * @param value
     *            any object, or null
     */
    public static void store(Object[] array, int index, Object value) {
        Object old = array[index];
        array[index] = value;
        HolderCount count = ArrayCounts.of(array);
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
     *            any, or null
     * @param index
     *            any; out of bounds nothing happens
     */
    public static void holdElement(Object[] array, int index) {
        if (array != null && index >= 0 && index < array.length) {
            if (ArrayCounts.of(array) == null) {
                escape(array[index]);
            }
            hold(array[index]);
        }
    }

    /**
     * Woven code calls a method of an object of any class; what is called learns by {@link #isCalledByWoven} that its
     * caller counts.
     *
     * @param receiver
     *            any object
     * @param method
     *            that method's token, or {@link #ANY}
     */
    public static void calling(Object receiver, int method) {
        if (isWoven(receiver)) {
            ThreadHolds.current().wovenCaller = method;
        }
    }

    /**
     * Woven code calls a method of woven code, as what that method is told by.
     *
     * @param method
     *            that method's token, or {@link #ANY}
     */
    public static void calling(int method) {
        ThreadHolds.current().wovenCaller = method;
    }

    /** The call is over, whoever it reached. */
    public static void called() {
        ThreadHolds.current().wovenCaller = 0;
    }

    /**
     * Whether the caller of the method that begins counts.
     *
     * @param method
     *            token of the method that begins
     * @return true once for each {@link #calling(int)}
     */
    public static boolean isCalledByWoven(int method) {
        ThreadHolds state = ThreadHolds.current();
        int called = state.wovenCaller;
        state.wovenCaller = 0;
        return called != 0 && (called == method || called == ANY || method == ANY);
    }

    /**
     * A woven method returns what it holds.
     *
     * @param value
     *            any object, or null
     * @param toWoven
     *            whether the caller counts
     */
    public static void returned(Object value, boolean toWoven) {
        if (!toWoven) {
            escape(value);
        }
        unhold(value);
    }

    /**
     * Whether calls on it reach woven code.
     *
     * @param object
     *            any, or null
     * @return false of null
     */
    public static boolean isWoven(Object object) {
        return object != null && WOVEN.get(object.getClass());
    }
}

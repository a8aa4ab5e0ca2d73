package io.vramlab.tensor;

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
public final class Lifetimes extends CountedCalls {

    private Lifetimes() {
    }

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
            Owners.escapeAll();
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
     * Collects garbage, and tells which of the tensors that counting has closed something can reach still. There should
     * be none; but a method that runs now may have one in a variable that it will not use again.
     *
     * @return shape, dtype and where it was made, each
     */
    public static List<String> reachableThoughClosed() {
        return CountedOut.reachable().stream().map(Handle::told).toList();
    }

    /**
     * An exception ends a method: it takes over what one of its variables held.
     *
     * @param exception
     *            compared by identity
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
     *            compared by identity
     * @param value
     *            any object, or null
     * @param byWoven
     *            whether the caller counts
     */
    public static void leftParameter(Throwable exception, Object value, boolean byWoven) {
        if (byWoven) {
            left(exception, value);
        } else {
            giveBack(value);
        }
    }

    /**
     * An exception is caught: what it has left behind, held once, or null.
     *
     * @param exception
     *            compared by identity
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
     *            compared by identity
     */
    public static void forget(Throwable exception) {
        drop(caught(exception));
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
            escape(value, "returned to code that does not count");
        }
        unhold(value);
    }
}

package io.vramlab.tensor;

/**
 * What the two sides of a call must know of each other: a part of {@link Lifetimes}. Between woven code, what is given is
 * given away and what is returned is counted; our own methods borrow what they are given. Which of the two a call reaches
 * is known when it is made: a class of the program's may inherit the method from one of ours.
 */
abstract sealed class CountedCalls extends Holds permits Lifetimes {

    /** What every woven method takes for its own token: which one is called is not known. */
    public static final int ANY = 1;

    /**
     * {@return what a method is told by from others, never {@link #ANY} or 0}
     *
     * @param name
     *            the method's
     * @param descriptor
     *            of parameters and result, as class files have it
     */
    public static int token(String name, String descriptor) {
        return 31 * name.hashCode() + descriptor.hashCode() | 2;
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
     * Woven code calls a method that a class of ours declares, of an object whose class may be woven and have another.
     *
     * @param receiver
     *            any object
     * @param method
     *            that method's token
     */
    public static void callingOverride(Object receiver, int method) {
        if (isWoven(receiver) && !InheritedMethods.has(receiver.getClass(), method)) {
            ThreadHolds.current().wovenCaller = method;
        }
    }

    /**
     * Woven code calls a method of an object that is declared as one of a woven class.
     *
     * @param receiver
     *            any object, or null
     * @param method
     *            that method's token
     * @return true if the method is one of ours, which borrows what it is given; otherwise, if it is woven, it learns that
     *         its caller counts
     */
    public static boolean callsOurs(Object receiver, int method) {
        return receiver != null && callsOurs(receiver, receiver.getClass(), method);
    }

    /**
     * Woven code calls a method of its superclass, which is woven.
     *
     * @param receiver
     *            any object
     * @param superclass
     *            which has the method or inherits it
     * @param method
     *            that method's token
     * @return as {@link #callsOurs(Object, int)} does
     */
    public static boolean callsOurs(Object receiver, Class<?> superclass, int method) {
        if (!isWoven(receiver)) {
            return false;
        }
        boolean ours = InheritedMethods.has(superclass, method);
        if (!ours) {
            ThreadHolds.current().wovenCaller = method;
        }
        return ours;
    }

    /**
     * An unnamed value is an argument.
     *
     * @param value
     *            held for the caller; any object, or null
     * @param borrowed
     *            whether what is called borrows it
     * @return what the caller goes on holding: the value, or null if it is given away
     */
    public static Object giveAway(Object value, boolean borrowed) {
        if (borrowed) {
            return value;
        }
        unhold(value);
        return null;
    }

    /**
     * Code is an argument: one of our methods may keep it.
     *
     * @param code
     *            a lambda, or an object in its place; or null
     * @param toOurs
     *            whether the method is ours
     * @param how
     *            see {@link #escape(Object, String)}
     */
    public static void lendCode(Object code, boolean toOurs, String how) {
        if (toOurs) {
            escape(code, how);
        }
    }

    /**
     * Holds what a call of {@link #callsOurs} returned.
     *
     * @param value
     *            any object, or null
     * @param receiver
     *            any object
     * @param ours
     *            whether the method is ours, and one that makes what it returns
     * @param how
     *            see {@link #escape(Object, String)}
     */
    public static void holdReturned(Object value, Object receiver, boolean ours, String how) {
        if (ours) {
            holdFresh(value);
        } else {
            holdReturned(value, receiver, how);
        }
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
     * A field has been assigned, of the program's own classes or of one of ours that they extend or know.
     *
     * @param object
     *            whose field it is
     * @param old
     *            what it held; any object, or null
     * @param value
     *            what it holds; any object, or null
     * @param owner
     *            the class that the field is asked of, which may inherit it
     * @param field
     *            its name
     * @param how
     *            see {@link #escape(Object, String)}
     */
    public static void put(Object object, Object old, Object value, Class<?> owner, String field, String how) {
        if (InheritedFields.isCounted(owner, field)) {
            hold(value);
            drop(old);
        } else if (object instanceof Owner module) {
            keep(value, how);
            takes(module, value);
            lost(old);
        } else {
            escape(value, how);
        }
    }
}

package io.vramlab.tensor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;

/**
 * Which objects are woven, and which have escaped to code that does not count: a part of {@link Lifetimes}.
 */
abstract sealed class Escapes permits Holds {

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

    private static final ClassValue<Boolean> FORWARD = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return WOVEN.get(type) && !isOurs(forward(type));
        }
    };

    private static Class<?> forward(Class<?> type) {
        try {
            return type.getMethod("forward", Tensor.class).getDeclaringClass();
        } catch (NoSuchMethodException none) {
            return type;
        }
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

    static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("io.vramlab.");
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

    /**
     * Whether a module computes by a woven {@code forward}, not by one that its class inherits from ours.
     *
     * @param module
     *            any object, or null
     * @return false of null
     */
    public static boolean isForwardWoven(Object module) {
        return module != null && isForwardWoven(module.getClass());
    }

    static boolean isForwardWoven(Class<?> type) {
        return FORWARD.get(type);
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

    /**
     * Code that does not count gets it, and may look into it.
     *
     * @param value
     *            any object, or null
     */
    public static void escape(Object value) {
        capture(value);
        if (value instanceof Counted || value instanceof Object[] || value instanceof Owner) {
            ThreadHolds.current().trashcan.escape(value);
        }
    }

    /**
     * Code that does not count gets it, and may look into it.
     *
     * @param value
     *            any object, or null
     * @param how
     *            what is told of it, as {@code handed to LinkedList.add}
     */
    public static void escape(Object value, String how) {
        if (!Handle.isWatched()) {
            escape(value);
            return;
        }
        ThreadHolds state = ThreadHolds.current();
        state.how = how;
        try {
            escape(value);
        } finally {
            state.how = "";
        }
    }

    /** {@return whether somebody is told of the tensors that the collector finds} */
    public static boolean isWatched() {
        return Handle.isWatched();
    }

    /** What code that does not count has got shows it what it holds itself. */
    static void escapeMembers(Object value) {
        if (value instanceof Owner owner) {
            Owners.escapeMembers(owner);
        }
        if (value instanceof Counted counted) {
            counted.escapeMembers$();
        } else if (value instanceof Object[] array) {
            for (Object each : array) {
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
     * @param how
     *            see {@link #escape(Object, String)}
     */
    public static void pass(Object receiver, Object value, String how) {
        if (!isWoven(receiver)) {
            escape(value, how);
        }
    }

    /**
     * Whether its holders are counted: not so for an array that other code has made.
     *
     * @param value
     *            no tensor; may be null
     * @return false of null
     */
    public static boolean isCounted(Object value) {
        return count(value) != null;
    }

    /**
     * A new owner is given {@code value} by woven code, and may keep it. Owners and what they lead to are found in it again; of
     * a collection or an array it keeps the elements.
     *
     * @param value
     *            any object, or null
     * @param how
     *            see {@link #escape(Object, String)}
     */
    public static void keep(Object value, String how) {
        switch (value) {
            case null -> {
                // nothing to keep
            }
            case Object[] array -> {
                for (Object each : array) {
                    keep(each, how);
                }
            }
            case Collection<?> many -> many.forEach(each -> keep(each, how));
            case Map<?, ?> map -> {
                map.keySet().forEach(each -> keep(each, how));
                map.values().forEach(each -> keep(each, how));
            }
            default -> {
                if (!isOwned(value)) {
                    escape(value, how);
                }
            }
        }
    }

    /** Whether owners look after it. */
    static boolean isOwned(Object value) {
        return value instanceof Owner || value instanceof Tensor tensor && tensor.handle().isMember();
    }

    /**
     * As {@link #pass}, for a method whose JDK forms run the code that they are given and do not keep it.
     *
     * @param receiver
     *            any object
     * @param value
     *            any object, or null
     * @param how
     *            see {@link #escape(Object, String)}
     */
    public static void passToRun(Object receiver, Object value, String how) {
        if (value == null || !value.getClass().isHidden() || !isWoven(value) || !isOfTheJdk(receiver)) {
            pass(receiver, value, how);
        }
    }

    private static boolean isOfTheJdk(Object receiver) {
        return receiver != null && receiver.getClass().getClassLoader() == null
                && receiver.getClass().getName().startsWith("java.util.");
    }

    /** How many hold what is not a tensor; null if nobody counts. */
    static HolderCount count(Object value) {
        if (value instanceof Owner owner) {
            return owner.holders;
        }
        if (value instanceof Counted counted) {
            return counted.holderCount$();
        }
        if (value instanceof Object[] array) {
            return SideCounts.of(array);
        }
        Closures.Closure closure = Closures.of(value);
        return closure == null ? null : closure.holders();
    }
}

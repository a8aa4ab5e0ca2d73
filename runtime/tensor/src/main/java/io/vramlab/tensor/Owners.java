package io.vramlab.tensor;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets go of modules, optimizers and their tensors when Python would. What woven code holds of them is counted; what they hold of
 * each other is not, but looked up when a count comes to nothing: whatever an owner leads to that woven code holds, or that code
 * may hold which does not count, stays. The rest is let go. So an owner that forgets to say what it holds cannot do harm, and a
 * circle of owners is let go only as far as no place of woven code belongs to it, as in CPython.
 *
 * <p>
 * Where it cannot be told, because another thread changes what is looked into, the collector decides.
 */
final class Owners {

    /** All owners that the collector has not found. */
    private static final Set<Reference<Owner>> ALL = ConcurrentHashMap.newKeySet();
    private static final ReferenceQueue<Owner> GONE = new ReferenceQueue<>();
    /** An owner in an owner in an owner: nobody nests so deep. */
    private static final int DEEPEST = 1_000;
    /** Whose counts have come to nothing, and were not looked at yet. */
    private static final Deque<Object> RELEASED = new ArrayDeque<>();
    private static boolean busy;

    private Owners() {
    }

    static WeakReference<Owner> register(Owner owner) {
        for (Reference<? extends Owner> each = GONE.poll(); each != null; each = GONE.poll()) {
            ALL.remove(each);
        }
        WeakReference<Owner> self = new WeakReference<>(owner, GONE);
        ALL.add(self);
        return self;
    }

    /** From now on the collector decides of all that there are. */
    static void escapeAll() {
        for (Reference<Owner> each : ALL) {
            Owner owner = each.get();
            if (owner != null) {
                owner.holders.escape();
            }
        }
    }

    /** Woven code holds an owner for the first time: what the runtime has made inside of it is woven code's too. */
    static void know(Owner owner) {
        owner.known = true;
        if (Holds.on) {
            try {
                OwnedFields.of(owner, each -> {
                    if (each instanceof Owner inner && !inner.known) {
                        know(inner);
                    }
                    return false;
                });
            } catch (RuntimeException untold) {
                // another thread is at work on it: the collector decides of what is inside
            }
        }
    }

    /** That owner takes a value in, and is what leads to it from now on. */
    static void takes(Owner owner, Object value) {
        if (owner.holders.escaped()) {
            Lifetimes.escape(value);
        } else if (value instanceof Owner taken) {
            taken.keeper = owner.self;
        }
    }

    /** Code that does not count may look into an owner. */
    static void escapeMembers(Owner owner) {
        OwnedFields.of(owner, each -> {
            if (each instanceof Owner || isMember(each)) {
                Lifetimes.escape(each);
            }
            return false;
        });
    }

    /**
     * No counted place holds it any more.
     *
     * @param value
     *            an owner, or a tensor of one
     */
    static synchronized void released(Object value) {
        RELEASED.add(value);
        if (busy) {
            return;
        }
        busy = true;
        ThreadHolds state = ThreadHolds.current();
        int called = state.wovenCaller;
        state.wovenCaller = 0;
        try {
            while (!RELEASED.isEmpty()) {
                List<Object> some = new ArrayList<>(RELEASED);
                RELEASED.clear();
                some.removeIf(each -> each instanceof Owner owner && owner.gone || isKept(each));
                if (!some.isEmpty()) {
                    letGo(some);
                }
            }
        } catch (RuntimeException untold) {
            // another thread is at work on them: the collector decides
        } finally {
            RELEASED.clear();
            state.wovenCaller = called;
            busy = false;
        }
    }

    private static boolean isMember(Object value) {
        return value instanceof Tensor tensor && tensor.handle().isMember();
    }

    // ---- a quick look: what led to it before may do so still ----

    private static boolean isKept(Object value) {
        Object each = value;
        for (int i = 0; i < DEEPEST; i++) {
            if (isHeld(each)) {
                return true;
            }
            WeakReference<Owner> last = each instanceof Owner owner ? owner.keeper : ((Tensor) each).handle().keeper;
            Owner keeper = last == null ? null : last.get();
            Object kept = each;
            if (keeper == null || !OwnedFields.of(keeper, one -> one == kept)) {
                return false;
            }
            each = keeper;
        }
        return false;
    }

    private static boolean isHeld(Object value) {
        return value instanceof Owner owner
                ? !owner.gone
                        && (owner.holders.get() > 0 || owner.holders.escaped() || !owner.known || owner.handedOver)
                : ((Tensor) value).handle().isHeld();
    }

    // ---- a thorough one ----

    private static void letGo(List<Object> released) {
        Set<Object> doomed = identitySet();
        released.forEach(each -> follow(each, doomed, null));
        for (Object each : doomed) {
            if (each instanceof Owner owner) {
                owner.known = true;
            }
        }
        Set<Object> alive = alive(doomed);
        doomed.removeIf(each -> alive.contains(each) || isHeld(each));
        doomed.stream().filter(Tensor.class::isInstance).map(each -> ((Tensor) each).handle())
                .sorted(Comparator.comparingLong(each -> each.id)).forEach(Handle::closeMember);
        for (Object each : doomed) {
            if (each instanceof Owner owner) {
                owner.gone = true;
                ALL.remove(owner.self);
                owner.letGo();
                if (owner instanceof Counted woven) {
                    woven.dropMembers$();
                }
            }
        }
    }

    /** Everything that what is held leads to; or less, when all of {@code wanted} is among it. */
    private static Set<Object> alive(Set<Object> wanted) {
        Set<Object> alive = identitySet();
        Set<Object> missing = identitySet();
        missing.addAll(wanted);
        for (Reference<Owner> each : ALL) {
            Owner owner = each.get();
            if (owner != null && isHeld(owner)) {
                follow(owner, alive, missing);
                if (missing.isEmpty()) {
                    break;
                }
            }
        }
        return alive;
    }

    /**
     * Adds what a value leads to, and itself.
     *
     * @param missing
     *            what is found is taken out of it; null if every owner's place is not wanted to be remembered
     */
    private static void follow(Object from, Set<Object> found, Set<Object> missing) {
        Deque<Owner> next = new ArrayDeque<>();
        add(from, null, found, missing, next);
        for (Owner owner = next.poll(); owner != null; owner = next.poll()) {
            Owner by = owner;
            OwnedFields.of(owner, each -> {
                add(each, by, found, missing, next);
                return false;
            });
        }
    }

    private static void add(Object value, Owner by, Set<Object> found, Set<Object> missing, Deque<Owner> next) {
        if (!found.add(value)) {
            return;
        }
        if (missing != null) {
            missing.remove(value);
            if (by != null && value instanceof Tensor tensor) {
                tensor.handle().keeper = by.self;
            } else if (by != null) {
                ((Owner) value).keeper = by.self;
            }
        }
        if (value instanceof Owner owner) {
            next.add(owner);
        }
    }

    private static Set<Object> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }
}

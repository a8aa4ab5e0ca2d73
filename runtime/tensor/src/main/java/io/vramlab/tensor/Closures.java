package io.vramlab.tensor;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** What lambdas of woven code have captured, and how many hold each: they have no room for it themselves. */
final class Closures {

    /** One lambda. It keeps what it has captured reachable itself: kept here, a cycle would never be collected. */
    static final class Closure {

        private final HolderCount holders = new HolderCount();
        private final List<WeakReference<Object>> captured = new ArrayList<>();

        HolderCount holders() {
            return holders;
        }

        void add(Object value) {
            Lifetimes.hold(value);
            captured.add(new WeakReference<>(value));
        }

        void dropCaptured() {
            for (WeakReference<Object> each : captured) {
                Lifetimes.drop(each.get());
            }
            captured.clear();
        }
    }

    private static final WeakIdentityMap<Closure> ALL = new WeakIdentityMap<>();

    private Closures() {
    }

    /** That lambda's, which captures something. */
    static Closure begin(Object lambda) {
        return ALL.get(lambda, Closure::new);
    }

    /** That lambda's; null for every other object. */
    static Closure of(Object value) {
        return value != null && value.getClass().isHidden() ? ALL.get(value) : null;
    }
}

package io.vramlab.lifetime;

import io.vramlab.tensor.Counted;
import io.vramlab.tensor.Lifetimes;
import java.util.Map;

/** {@link Map#of()} as woven code calls it: the JDK's forms, one by one, whose results {@link CountedMapOf} holds. */
public final class MapsOf {

    private MapsOf() {
    }

    /** As {@link Map#copyOf}. */
    public static <K, V> Map<K, V> copyOf(Map<? extends K, ? extends V> other) {
        if (!(other instanceof Counted)) {
            other.values().forEach(Lifetimes::escape);
        }
        return CountedMapOf.mapOf(Map.copyOf(other));
    }

    /** Empty. */
    public static <K, V> Map<K, V> of() {
        return Map.of();
    }

    /** One. */
    public static <K, V> Map<K, V> of(K k1, V v1) {
        return CountedMapOf.mapOf(Map.of(k1, v1));
    }

    /** Two. */
    public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2) {
        return CountedMapOf.mapOf(Map.of(k1, v1, k2, v2));
    }

    /** Three. */
    public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3) {
        return CountedMapOf.mapOf(Map.of(k1, v1, k2, v2, k3, v3));
    }

    /** Four. */
    public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4) {
        return CountedMapOf.mapOf(Map.of(k1, v1, k2, v2, k3, v3, k4, v4));
    }

    /** Five. */
    public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4, K k5, V v5) {
        return CountedMapOf.mapOf(Map.of(k1, v1, k2, v2, k3, v3, k4, v4, k5, v5));
    }

    /** Six. */
    public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4, K k5, V v5, K k6, V v6) {
        return CountedMapOf.mapOf(Map.of(k1, v1, k2, v2, k3, v3, k4, v4, k5, v5, k6, v6));
    }

    /** Seven. */
    public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4, K k5, V v5, K k6, V v6, K k7,
            V v7) {
        return CountedMapOf.mapOf(Map.of(k1, v1, k2, v2, k3, v3, k4, v4, k5, v5, k6, v6, k7, v7));
    }

    /** Eight. */
    public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4, K k5, V v5, K k6, V v6, K k7,
            V v7, K k8, V v8) {
        return CountedMapOf.mapOf(Map.of(k1, v1, k2, v2, k3, v3, k4, v4, k5, v5, k6, v6, k7, v7, k8, v8));
    }

    /** Nine. */
    public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4, K k5, V v5, K k6, V v6, K k7,
            V v7, K k8, V v8, K k9, V v9) {
        return CountedMapOf.mapOf(Map.of(k1, v1, k2, v2, k3, v3, k4, v4, k5, v5, k6, v6, k7, v7, k8, v8, k9, v9));
    }

    /** Ten. */
    public static <K, V> Map<K, V> of(K k1, V v1, K k2, V v2, K k3, V v3, K k4, V v4, K k5, V v5, K k6, V v6, K k7,
            V v7, K k8, V v8, K k9, V v9, K k10, V v10) {
        return CountedMapOf
                .mapOf(Map.of(k1, v1, k2, v2, k3, v3, k4, v4, k5, v5, k6, v6, k7, v7, k8, v8, k9, v9, k10, v10));
    }
}

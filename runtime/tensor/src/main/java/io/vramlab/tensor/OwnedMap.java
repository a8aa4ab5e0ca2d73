package io.vramlab.tensor;

import java.util.Map;

/**
 * A map that shows what an {@link Owner} holds, as it is when it is looked at. Woven code that holds the map holds the owner.
 *
 * @param <K>
 *            the keys
 * @param <V>
 *            the values
 */
public interface OwnedMap<K, V> extends Map<K, V> {

    /** {@return what holds the values} */
    Owner owner();
}

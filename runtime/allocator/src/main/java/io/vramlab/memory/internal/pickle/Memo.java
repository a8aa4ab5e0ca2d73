package io.vramlab.memory.internal.pickle;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What a pickle stored for later, by number. Numbers usually count up from 0: those are in an array. */
final class Memo {

    private static final Object NULL = new Object();

    private Object[] dense = new Object[256];
    private final Map<Integer, Object> sparse = new HashMap<>();
    private int count;
    private int overwritten;

    void put(final int index, final Object value) {
        final Object stored = value == null ? NULL : value;
        if (index >= 0 && index <= count) {
            if (index == dense.length) {
                dense = Arrays.copyOf(dense, dense.length + (dense.length >> 1));
            }
            final Object before = dense[index];
            overwritten += before == null || before instanceof Draft.Items || before instanceof Draft.Dictionary
                    ? 0
                    : 1;
            dense[index] = stored;
            count = Math.max(count, index + 1);
        } else {
            overwritten += sparse.put(index, stored) == null ? 0 : 1;
        }
    }

    Object get(final int index) {
        final Object stored = index >= 0 && index < count && dense[index] != null ? dense[index] : sparse.get(index);
        return stored == NULL ? null : stored;
    }

    boolean isStored(final int index) {
        return index >= 0 && index < count || sparse.containsKey(index);
    }

    /** How often something else than a draft was replaced: as long as it is the same, a number stands for the same value. */
    int overwritten() {
        return overwritten;
    }

    int size() {
        return count + sparse.size();
    }
}

package io.vramlab.kernel.spi;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What magics keep for one session, one of each class: for those who implement {@link Session#part}. Thread-safe. */
public final class SessionParts {

    private final Map<Class<?>, Object> parts = new HashMap<>();

    /**
     * The one of that class, made by the first call.
     *
     * @param type
     *            its class
     * @param maker
     *            makes it; may ask for parts of other classes
     * @return never null
     */
    public synchronized <T> T get(Class<T> type, Supplier<? extends T> maker) {
        Object part = parts.get(type);
        if (part == null) {
            part = maker.get();
            parts.put(type, part);
        }
        return type.cast(part);
    }
}

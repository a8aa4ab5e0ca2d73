package io.vramlab.kernel.channel;

import java.util.LinkedHashMap;
import java.util.Map;

/** The last signatures seen, so that a message that is sent twice runs once. */
final class SeenSignatures {

    private static final int KEPT = 1 << 14;

    private final Map<String, Boolean> last = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > KEPT;
        }
    };

    /** Remembers a signature; false if it was among the last {@value #KEPT}. */
    synchronized boolean add(String signature) {
        return last.putIfAbsent(signature, true) == null;
    }
}

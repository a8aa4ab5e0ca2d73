package io.vramlab.kernel.spi;

import java.util.Map;

/** Takes comms that the frontend opens. Found by {@link java.util.ServiceLoader}. */
public interface CommTarget {

    /** What the other end of an open comm does. */
    interface Listener {

        /** Data came. */
        void received(Map<String, Object> data);

        /** The frontend ended it. */
        default void closed(Map<String, Object> data) {
        }
    }

    /** The name that frontends ask for. */
    String name();

    /** A comm was opened. */
    Listener opened(Comm comm, Map<String, Object> data);
}

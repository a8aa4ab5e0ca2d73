package io.vramlab.kernel.spi;

import java.util.Map;

/** A line between code here and code in the frontend, such as a widget. */
public interface Comm {

    /** Its id, the same on both sides. */
    String id();

    /** Sends data; JSON's types: maps, lists, texts, numbers, flags. */
    void send(Map<String, ?> data);

    /** Ends it. */
    void close(Map<String, ?> data);
}

package io.vramlab.kernel.magic;

import io.vramlab.kernel.history.Entry;
import io.vramlab.kernel.spi.Session;
import java.util.List;

/** What the kernel's own magics need beyond what all magics may have. */
public interface KernelSession extends Session {

    /** Adds a jar or a folder, for the compiler and for running code. */
    void addToClasspath(String path);

    /** What was added, in order. */
    List<String> addedToClasspath();

    /** The cells of this session, oldest first. */
    List<Entry> history();

    /** Of a call's session, this view. */
    static KernelSession of(Session session) {
        if (session instanceof KernelSession kernel) {
            return kernel;
        }
        throw new IllegalStateException("this magic needs the kernel's own session");
    }
}

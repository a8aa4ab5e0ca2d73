package io.vramlab.kernel.internal.magic;

import io.vramlab.kernel.internal.history.Entry;
import io.vramlab.kernel.spi.MimeBundle;
import io.vramlab.kernel.spi.Session;
import java.util.List;
import java.util.Optional;

/** What the kernel's own magics need beyond what all magics may have. */
public interface KernelSession extends Session {

    /** Adds a jar or a folder, for the compiler and for running code. */
    void addToClasspath(String path);

    /** What was added, in order. */
    List<String> addedToClasspath();

    /** The cells of this session, oldest first. */
    List<Entry> history();

    /** What the user saw of the last error of a cell, line by line; empty if there was none. */
    List<String> lastError();

    /**
     * What is known of a name.
     *
     * @param subject
     *            a name, with dots, or a magic with its percent signs
     * @param full
     *            whether all of the documentation is wanted
     */
    Optional<MimeBundle> inspect(String subject, boolean full);

    /** Of a call's session, this view. */
    static KernelSession of(Session session) {
        if (session instanceof KernelSession kernel) {
            return kernel;
        }
        throw new IllegalStateException("this magic needs the kernel's own session");
    }
}

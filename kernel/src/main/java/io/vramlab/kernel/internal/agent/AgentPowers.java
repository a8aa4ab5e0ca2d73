package io.vramlab.kernel.internal.agent;

import java.util.Map;
import java.util.Set;

/** What the JVM lets an agent do. No type of {@code java.instrument} is named here: a JDK made with jlink may lack it. */
public interface AgentPowers {

    /**
     * Gives a loaded class other code.
     *
     * @throws UnsupportedOperationException
     *             if the new code has another shape than the class, or the class may not change
     * @throws LinkageError
     *             if the new code is not a class that fits
     */
    void redefine(Class<?> type, byte[] code);

    /** Exports and opens packages of a module to others, beside those that its descriptor names. */
    void open(Module module, Map<String, Set<Module>> exports, Map<String, Set<Module>> opens);
}

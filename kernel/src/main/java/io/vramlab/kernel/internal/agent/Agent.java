package io.vramlab.kernel.internal.agent;

import java.lang.instrument.Instrumentation;
import java.util.Optional;

/**
 * Named by {@code Launcher-Agent-Class} in the manifest of the jar that starts the kernel. Without it everything works,
 * but a class that is declared again leaves its old objects behind.
 */
public final class Agent {

    private static volatile AgentPowers powers;

    private Agent() {
    }

    /** Called by the JVM before {@code main}. */
    public static void agentmain(String arguments, Instrumentation given) {
        given(given);
    }

    /** Called by the JVM before {@code main} when started with {@code -javaagent}. */
    public static void premain(String arguments, Instrumentation given) {
        given(given);
    }

    private static void given(Instrumentation given) {
        powers = given.isRedefineClassesSupported() ? new InstrumentationPowers(given) : null;
    }

    /** What the JVM gave, if it was started with the agent and may redefine classes. */
    public static Optional<AgentPowers> powers() {
        return Optional.ofNullable(powers);
    }
}

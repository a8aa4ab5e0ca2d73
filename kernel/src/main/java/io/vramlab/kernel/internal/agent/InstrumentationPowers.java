package io.vramlab.kernel.internal.agent;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.Map;
import java.util.Set;

/** By the JVM's own instrumentation. */
record InstrumentationPowers(Instrumentation instrumentation) implements AgentPowers {

    @Override
    public void redefine(Class<?> type, byte[] code) {
        try {
            instrumentation.redefineClasses(new ClassDefinition(type, code));
        } catch (ClassNotFoundException | UnmodifiableClassException e) {
            throw new UnsupportedOperationException(e);
        }
    }

    @Override
    public void open(Module module, Map<String, Set<Module>> exports, Map<String, Set<Module>> opens) {
        instrumentation.redefineModule(module, Set.of(), exports, opens, Set.of(), Map.of());
    }
}

package io.vramlab.tensor;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;

/** The methods that classes of programs inherit from ours, by their tokens: see {@link CountedCalls#token}. */
final class InheritedMethods {

    /** It counts as a woven method where what it calls is one. */
    private static final int CALL_OF_MODULES = CountedCalls.token("call",
            MethodType.methodType(Tensor.class, Tensor.class).toMethodDescriptorString());

    private static final ClassValue<Set<Integer>> TOKENS = new ClassValue<>() {
        @Override
        protected Set<Integer> computeValue(Class<?> type) {
            return Set.copyOf(tokens(type));
        }
    };

    private InheritedMethods() {
    }

    /** Whether what is called is one of ours. */
    static boolean has(Class<?> type, int method) {
        return TOKENS.get(type).contains(method);
    }

    private static Set<Integer> tokens(Class<?> type) {
        Set<Integer> inherited = new HashSet<>();
        if (type == null || type == Object.class || type.isInterface()) {
            return inherited;
        }
        inherited.addAll(tokens(type.getSuperclass()));
        boolean ours = Escapes.isOurs(type);
        for (Method each : type.getDeclaredMethods()) {
            if (!Modifier.isStatic(each.getModifiers())) {
                int token = CountedCalls.token(each.getName(),
                        MethodType.methodType(each.getReturnType(), each.getParameterTypes())
                                .toMethodDescriptorString());
                if (!ours) {
                    inherited.remove(token);
                } else if (!Modifier.isAbstract(each.getModifiers())) {
                    inherited.add(token);
                }
            }
        }
        if (!ours && Escapes.isForwardWoven(type)) {
            inherited.remove(CALL_OF_MODULES);
        }
        return inherited;
    }
}

package io.vramlab.device.sim;

import io.vramlab.device.Kernels;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Puts kernels under a stream's rules: each call waits its turn in its stream (the last argument of every method of
 * {@link Kernels}), and an illegal address is a late fault instead of an exception.
 */
final class GuardedKernels implements InvocationHandler {

    private final Kernels kernels;
    private final SimulatedStreams streams;

    private GuardedKernels(Kernels kernels, SimulatedStreams streams) {
        this.kernels = kernels;
        this.streams = streams;
    }

    static Kernels guard(Kernels kernels, SimulatedStreams streams) {
        return (Kernels) Proxy.newProxyInstance(Kernels.class.getClassLoader(), new Class<?>[]{Kernels.class},
                new GuardedKernels(kernels, streams));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> proxy == args[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "guarded " + kernels;
            };
        }
        if (method.getReturnType() != void.class) {
            return method.invoke(kernels, args); // a question, no work
        }
        long stream = (Long) args[args.length - 1];
        streams.submit(stream, args[0] instanceof Enum<?> op ? op : method.getName(), () -> run(method, args));
        return null;
    }

    private void run(Method method, Object[] args) {
        try {
            method.invoke(kernels, args);
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case RuntimeException r -> throw r;
                case Error r -> throw r;
                default -> throw new IllegalStateException(method + " threw a checked exception", e.getCause());
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(method + " of a public interface is not accessible", e);
        }
    }
}

package io.vramlab.testing;

import java.lang.reflect.Method;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Keeps the promise of {@link GpuMemory}; found by that annotation. */
final class GpuMemoryExtension implements InvocationInterceptor {

    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
            ExtensionContext context) throws Throwable {
        GpuMemory promised = method.getExecutable().getAnnotation(GpuMemory.class);
        Promise promise = new Promise(promised.peak(), promised.device());
        if (promised.trace().isEmpty()) {
            promise.keep(invocation::proceed);
            return;
        }
        promise.keep(Path.of(promised.trace()), promised.baseline().isEmpty() ? null : Path.of(promised.baseline()),
                promised.settings());
        invocation.proceed();
    }
}

package io.vramlab.device.internal.cuda;

import io.vramlab.device.internal.cuda.CudnnCalls.Refused;
import java.util.Optional;

/**
 * cuDNN's handle for one GPU, made when it is first needed, for all that is asked of cuDNN there. It is not for several threads:
 * whoever uses it holds its lock.
 */
final class CudnnHandle {

    private final CudaContext context;
    private final CudnnCalls calls;
    private long handle;

    private CudnnHandle(CudaContext context, CudnnCalls calls) {
        this.context = context;
        this.calls = calls;
    }

    /** Of the library that is there, or empty. */
    static Optional<CudnnHandle> find(CudaContext context) {
        return CudnnCalls.find().map(calls -> new CudnnHandle(context, calls));
    }

    CudnnCalls calls() {
        return calls;
    }

    /** The handle, whose work goes to that stream from now on. */
    long on(long stream) throws Refused {
        context.enter();
        if (handle == 0) {
            handle = calls.handle();
        }
        calls.stream(handle, stream);
        return handle;
    }

    /** Gives the handle and its memory back. */
    synchronized void close() {
        if (handle != 0) {
            calls.close(handle);
            handle = 0;
        }
    }
}

package io.vramlab.device.internal.cuda;

import io.vramlab.device.ConvolutionCall;
import io.vramlab.device.ConvolutionLibrary;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cuda.CudnnCalls.Descriptor;
import io.vramlab.device.internal.cuda.CudnnCalls.Refused;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Convolutions by cuDNN 9, as PyTorch asks it for them: one plan for each kind of sizes, order and alignment, found when they
 * first come and remembered.
 */
final class CudnnConvolutions implements ConvolutionLibrary {

    private static final int VARIANT_PACK = 16;

    private final CudaContext context;
    private final CudnnHandle library;
    private final CudnnCalls calls;
    private final Launcher launcher;
    private final Map<Key, Known> plans = new ConcurrentHashMap<>();
    private final CudnnSettings settings = CudnnSettings.now();
    private long handle;

    CudnnConvolutions(CudaContext context, CudnnHandle library, Launcher launcher) {
        this.context = context;
        this.library = library;
        this.calls = library.calls();
        this.launcher = launcher;
    }

    private record Known(Descriptor plan, long workspaceBytes) {
    }

    /** What a plan is chosen by. */
    private record Key(long[] of) {

        static Key of(ConvolutionCall c) {
            int rank = c.x().shape().length;
            long[] of = new long[5 + 6 * rank + 3 * c.stride().length];
            of[0] = c.pass().ordinal();
            of[1] = c.x().dtype().ordinal();
            int at = 2;
            for (Operand each : new Operand[]{c.x(), c.weight(), c.y()}) {
                of[at++] = CudnnPlans.alignment(each.address());
                at = put(of, at, each.shape());
                at = put(of, at, each.strides());
            }
            at = put(of, at, c.stride());
            at = put(of, at, c.padding());
            put(of, at, c.dilation());
            return new Key(of);
        }

        private static int put(long[] of, int at, long[] values) {
            System.arraycopy(values, 0, of, at, values.length);
            return at + values.length;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(of, key.of);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(of);
        }
    }

    @Override
    public boolean compute(ConvolutionCall call, WorkingMemory memory, long stream) {
        synchronized (library) {
            return call.x().dtype().isFloatingPoint() && computed(call, memory, stream);
        }
    }

    private boolean computed(ConvolutionCall call, WorkingMemory memory, long stream) {
        Key key = Key.of(call);
        try {
            handle = library.on(stream);
            context.status().pending().launched("convolution", stream);
            return again(key, call, memory) || found(key, call, memory);
        } catch (Refused e) {
            return false;
        } finally {
            launcher.settle("convolution");
        }
    }

    /** By the plan that is known; PyTorch looks for another one where there is no memory for it. */
    private boolean again(Key key, ConvolutionCall call, WorkingMemory memory) {
        Known known = plans.get(key);
        try {
            return known != null && ran(known, call, memory);
        } catch (RuntimeException noMemory) {
            context.enter();
            return false;
        }
    }

    private boolean found(Key key, ConvolutionCall call, WorkingMemory memory) throws Refused {
        RuntimeException noMemory = null;
        try (CudnnPlans tried = new CudnnPlans(calls, CudnnTarget.of(handle), call, settings)) {
            while (tried.hasNext()) {
                Descriptor plan = tried.next();
                try {
                    Known known = new Known(plan, Math.max(0, plan.number(402)));
                    if (ran(known, call, memory)) {
                        Known before = plans.put(key, known);
                        if (before != null) {
                            before.plan.close();
                        }
                        return true;
                    }
                } catch (Refused e) {
                    // its size is not known: the next one
                    plan.close();
                    continue;
                } catch (RuntimeException e) {
                    noMemory = e;
                }
                plan.close();
            }
        }
        if (noMemory != null) {
            throw noMemory;
        }
        return false;
    }

    /** False if the plan refuses. */
    private boolean ran(Known known, ConvolutionCall call, WorkingMemory memory) {
        boolean[] done = new boolean[1];
        memory.with(known.workspaceBytes, workspace -> done[0] = execute(known.plan, call, workspace));
        return done[0];
    }

    private boolean execute(Descriptor plan, ConvolutionCall call, long workspace) {
        try (Descriptor pack = calls.descriptor(VARIANT_PACK)) {
            pack.longs(1000, 'x', 'y', 'w')
                    .pointers(1001, call.x().address(), call.y().address(), call.weight().address())
                    .pointers(1003, workspace).done();
            calls.run(handle, plan.address(), pack.address());
            return true;
        } catch (Refused e) {
            return false;
        }
    }

    /** Gives its plans and their memory back. */
    void close() {
        synchronized (library) {
            plans.values().forEach(each -> each.plan.close());
            plans.clear();
        }
    }
}

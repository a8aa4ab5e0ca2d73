package io.vramlab.device.internal.cuda;

import static io.vramlab.device.internal.cuda.CudnnAttentionGraphs.*;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.vramlab.device.DType;
import io.vramlab.device.FusedAttention;
import io.vramlab.device.AttentionArithmetic.Attention;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cuda.CudnnCalls.Descriptor;
import io.vramlab.device.internal.cuda.CudnnCalls.Refused;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Attention by cuDNN 9, as PyTorch asks it: one plan for each kind of sizes and order in memory, kept when it was found. */
final class CudnnAttention implements FusedAttention {

    private static final int VARIANT_PACK = 16;
    private static final String BACKWARD = "attentionBackward";
    private static final long LARGEST = 128;
    private static final long STEP = 8;

    private final CudaContext context;
    private final CudnnHandle library;
    private final Launcher launcher;
    private final Map<Key, Optional<Known>> plans = new HashMap<>();

    CudnnAttention(CudaContext context, CudnnHandle library, Launcher launcher) {
        this.context = context;
        this.library = library;
        this.launcher = launcher;
    }

    private record Known(Descriptor plan, long workspaceBytes) {
    }

    /** What a plan is chosen by. */
    private record Key(long[] of) {

        static Key of(boolean backward, boolean causal, Operand... operands) {
            long[] of = new long[3 + 8 * operands.length];
            of[0] = backward ? 1 : 0;
            of[1] = causal ? 1 : 0;
            of[2] = operands[0].dtype().ordinal();
            for (int i = 0; i < operands.length; i++) {
                System.arraycopy(operands[i].shape(), 0, of, 3 + 8 * i, 4);
                System.arraycopy(operands[i].strides(), 0, of, 7 + 8 * i, 4);
            }
            return new Key(of);
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

    private static boolean fits(Attention how, Operand query, Operand key, Operand... others) {
        long d = query.shape()[3];
        boolean fits = (query.dtype() == DType.FLOAT16 || query.dtype() == DType.BFLOAT16) && how.dropout() == 0
                && d % STEP == 0 && d <= LARGEST && query.shape()[1] == key.shape()[1] && query.shape()[2] > 1
                && key.shape()[2] > 1 && AttentionKernels.takes(query) && AttentionKernels.takes(key);
        for (Operand each : others) {
            fits &= each.shape()[3] == d && AttentionKernels.takes(each);
        }
        return fits;
    }

    private interface Filled {

        void into(CudnnAttentionGraphs graphs) throws Refused;
    }

    private Optional<Known> plan(Key key, long handle, Operand q, Operand k, Operand v, Filled filled) {
        return plans.computeIfAbsent(key, wanted -> {
            try (CudnnGraph graph = new CudnnGraph(library.calls())) {
                filled.into(new CudnnAttentionGraphs(graph, q, k, v));
                Descriptor plan = graph.plan(graph.done(handle), handle);
                return plan == null ? Optional.empty() : Optional.of(new Known(plan, Math.max(0, plan.number(402))));
            } catch (Refused e) {
                return Optional.empty();
            }
        });
    }

    @Override
    public boolean forward(Operand out, Operand logarithms, Operand query, Operand key, Operand value, Attention how,
            Working working, long stream) {
        // without logarithms cuDNN knows another graph: the caller has kernels of its own for that
        if (logarithms == null || !fits(how, query, key, value, out)) {
            return false;
        }
        synchronized (library) {
            try {
                long handle = library.on(stream);
                Known known = plan(Key.of(false, how.causal(), query, key, value, out), handle, query, key,
                        value, graphs -> graphs.forward(out, how.causal())).orElse(null);
                if (known == null || known.workspaceBytes > working.bytes()) {
                    return false;
                }
                Pack pack = new Pack().add(QUERY, query).add(KEY, key).add(VALUE, value).add(OUT, out)
                        .add(LOGARITHMS, logarithms);
                return ran("attention", handle, known, working.address(), how, stream, pack);
            } catch (Refused e) {
                return false;
            }
        }
    }

    @Override
    public boolean backward(Operand[] grads, Operand gradOut, Operand out, Operand logarithms, Operand query,
            Operand key, Operand value, Attention how, Working working, long stream) {
        if (!fits(how, query, key, value, out, gradOut, grads[0], grads[1], grads[2])) {
            return false;
        }
        long exact = query.count() * Float.BYTES;
        long sums = exact / query.shape()[3];
        synchronized (library) {
            try {
                long handle = library.on(stream);
                Known known = plan(
                        Key.of(true, how.causal(), query, key, value, out, gradOut, grads[0], grads[1], grads[2]),
                        handle, query, key, value, graphs -> graphs.backward(out, gradOut, grads, how.causal()))
                        .orElse(null);
                long end = aligned(aligned(exact) + sums);
                if (known == null || end + known.workspaceBytes > aligned(working.bytes())) {
                    return false;
                }
                long a = working.address();
                context.status().check(context.calls().fill(a, (byte) 0, exact, stream), "Filling with zeros");
                return ran(BACKWARD, handle, known, a + end, how, stream,
                        new Pack().add(QUERY, query).add(KEY, key).add(VALUE, value).add(OUT, out)
                                .add(LOGARITHMS, logarithms).add(GRAD_OUT, gradOut).add(GRAD_QUERY, grads[0])
                                .add(GRAD_KEY, grads[1]).add(GRAD_VALUE, grads[2]).add(GRAD_QUERY_SUMS, a)
                                .add(ROW_SUMS, a + aligned(exact)));
            } catch (Refused e) {
                return false;
            }
        }
    }

    private static long aligned(long bytes) {
        return bytes + 15 & ~15L;
    }

    /** The numbers of a plan's tensors with their addresses, and of its constants with the host's. */
    private static final class Pack {

        private final long[] numbers = new long[ONE + 1];
        private final long[] places = new long[ONE + 1];
        private int count;

        Pack add(long number, long place) {
            numbers[count] = number;
            places[count++] = place;
            return this;
        }

        Pack add(long number, Operand o) {
            return add(number, o.address());
        }
    }

    private boolean ran(String what, long handle, Known known, long workspace, Attention how, long stream, Pack of) {
        context.status().pending().launched(what, stream);
        try (Arena arena = Arena.ofConfined();
                Descriptor pack = library.calls().descriptor(VARIANT_PACK)) {
            MemorySegment host = arena.allocate(3L * Float.BYTES, 16);
            host.setAtIndex(JAVA_FLOAT, 0, (float) how.scale());
            host.setAtIndex(JAVA_FLOAT, 1, -Float.MAX_VALUE);
            host.setAtIndex(JAVA_FLOAT, 2, 1);
            of.add(SCALE, host.address());
            if (how.causal()) {
                of.add(NOTHING, host.address() + Float.BYTES);
            }
            if (what.equals(BACKWARD)) {
                of.add(ONE, host.address() + 2L * Float.BYTES);
            }
            pack.longs(1000, Arrays.copyOf(of.numbers, of.count)).pointers(1001, Arrays.copyOf(of.places, of.count))
                    .pointers(1003, workspace).done();
            library.calls().run(handle, known.plan.address(), pack.address());
            return true;
        } catch (Refused e) {
            return false;
        } finally {
            launcher.settle(what);
        }
    }

    /** Gives its plans and their memory back. */
    void close() {
        synchronized (library) {
            plans.values().forEach(each -> each.ifPresent(known -> known.plan.close()));
            plans.clear();
        }
    }
}

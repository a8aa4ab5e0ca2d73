package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.FusedAttention;
import io.vramlab.device.AttentionArithmetic.Attention;
import io.vramlab.device.Operand;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Attention in 16-bit types on tensor cores, by the kernels of {@code attention.cuh}: heads of up to 128 elements, with or
 * without a causal mask, without dropout.
 */
final class AttentionKernels implements FusedAttention {

    private static final int THREADS = 128;
    private static final int SMALL = 64;
    private static final int LARGEST = 128;
    /** Elements of a vector that is fetched at once. */
    private static final int VECTOR = 8;
    private static final int VECTOR_BYTES = 16;
    /** Keys that a block of queries takes together, and queries that a block of keys does. */
    private static final int STEP = 64;
    /** Threads to a row of a result, of which a block sums products. */
    private static final int ROW_THREADS = 16;
    private static final int MOST_GRID = 65_535;
    private static final int SHARED_FOR_ALL = 48 << 10;

    private final CudaContext context;
    private final Launcher launcher;
    private final PtxModule small;
    private final PtxModule large;
    private final Set<PtxModule.Function> allowed = ConcurrentHashMap.newKeySet();

    AttentionKernels(CudaContext context, Launcher launcher) {
        this.context = context;
        this.launcher = launcher;
        this.small = context.module("attention64");
        this.large = context.module("attention128");
    }

    /** Whether the GPU has what they are made of: compute capability 8.0. */
    static boolean runOn(DeviceProperties gpu) {
        return gpu.major() >= 8;
    }

    private static boolean computes(Operand out, Operand query, Operand key, Operand value, Attention how) {
        long size = query.shape()[3];
        boolean half = query.dtype() == DType.FLOAT16 || query.dtype() == DType.BFLOAT16;
        return half && how.dropout() == 0 && how.scale() > 0 && size == value.shape()[3] && size % VECTOR == 0
                && size <= LARGEST && query.shape()[2] > 0 && key.shape()[2] > 0
                && query.shape()[0] * query.shape()[1] <= MOST_GRID && takes(out) && takes(query) && takes(key)
                && takes(value);
    }

    /** Rows have to be whole vectors that lie where vectors can be fetched. */
    static boolean takes(Operand o) {
        long[] s = o.strides();
        boolean rows = s[3] == 1 && o.address() % VECTOR_BYTES == 0;
        for (int d = 0; d < 3; d++) {
            rows &= s[d] % VECTOR == 0 || o.shape()[d] == 1;
        }
        return rows && o.count() < 1L << 31;
    }

    /** Its head size's kernels: how many elements a row of a tile has, and how many rows a block. */
    private record Tile(PtxModule module, int width, int rows) {
    }

    private Tile tile(Operand query) {
        return query.shape()[3] <= SMALL ? new Tile(small, SMALL, 128) : new Tile(large, LARGEST, 64);
    }

    private PtxModule.Function kernel(Tile tile, String name, Operand query, int shared) {
        PtxModule.Function f = tile.module
                .function(name + (query.dtype() == DType.BFLOAT16 ? "_bfloat16" : "_float16"));
        if (shared > SHARED_FOR_ALL && allowed.add(f)) {
            context.enter();
            context.status().check(context.calls().allowShared(f.handle(), shared), "Shared memory for " + f.name());
        }
        return f;
    }

    private static void add(Launcher.Arguments a, Operand o) {
        long[] s = o.strides();
        a.add(o.address()).add(s[0]).add(s[1]).add(s[2]);
    }

    private static Launcher.Arguments shape(Launcher.Arguments a, Operand query, Operand key, Attention how) {
        return a.add(i(query.shape()[1])).add(i(query.shape()[1] / key.shape()[1])).add(i(query.shape()[2]))
                .add(i(key.shape()[2])).add(i(query.shape()[3])).add(how.causal() ? 1 : 0).add((float) how.scale());
    }

    private static int i(long n) {
        return Math.toIntExact(n);
    }

    private static int up(long n, int step) {
        return Math.toIntExact((n + step - 1) / step);
    }

    @Override
    public boolean forward(Operand out, Operand logarithms, Operand query, Operand key, Operand value, Attention how,
            Working working, long stream) {
        if (!computes(out, query, key, value, how)) {
            return false;
        }
        context.status().pending().launched("attention", stream);
        Tile tile = tile(query);
        int shared = (tile.rows + 2 * STEP) * tile.width * 2;
        Launcher.Arguments a = launcher.arguments();
        add(a, out);
        a.add(logarithms == null ? 0L : logarithms.address());
        add(a, query);
        add(a, key);
        add(a, value);
        launcher.launch(kernel(tile, "attend", query, shared), up(query.shape()[2], tile.rows),
                i(query.shape()[0] * query.shape()[1]), 1, THREADS, shared, stream, shape(a, query, key, how));
        return true;
    }

    @Override
    public boolean backward(Operand[] grads, Operand gradOut, Operand out, Operand logarithms, Operand query,
            Operand key, Operand value, Attention how, Working working, long stream) {
        boolean fits = computes(out, query, key, value, how) && takes(gradOut) && logarithms != null
                && working.bytes() >= logarithms.count() * Float.BYTES;
        for (Operand grad : grads) {
            fits &= takes(grad);
        }
        if (!fits) {
            return false;
        }
        long sums = working.address();
        context.status().pending().launched("attentionBackward", stream);
        Tile tile = tile(query);
        long heads = query.shape()[0] * query.shape()[1];
        Launcher.Arguments a = launcher.arguments();
        a.add(sums);
        add(a, gradOut);
        add(a, out);
        launcher.launch(kernel(tile, "row_products", query, 0), up(query.shape()[2], THREADS / ROW_THREADS), i(heads),
                1,
                THREADS, 0, stream, shape(a, query, key, how));

        int shared = (2 * tile.rows + 4 * STEP) * tile.width * 2;
        int rows = 4 * STEP * Float.BYTES;
        Launcher.Arguments k = launcher.arguments();
        add(k, grads[1]);
        add(k, grads[2]);
        addInputs(k, gradOut, logarithms, sums, query, key, value);
        launcher.launch(kernel(tile, "key_gradients", query, shared + rows), up(key.shape()[2], tile.rows),
                i(key.shape()[0] * key.shape()[1]), 1, THREADS, shared + rows, stream, shape(k, query, key, how));

        Launcher.Arguments q = launcher.arguments();
        add(q, grads[0]);
        addInputs(q, gradOut, logarithms, sums, query, key, value);
        launcher.launch(kernel(tile, "query_gradients", query, shared), up(query.shape()[2], tile.rows), i(heads), 1,
                THREADS, shared, stream, shape(q, query, key, how));
        return true;
    }

    private static void addInputs(Launcher.Arguments a, Operand gradOut, Operand logarithms, long sums,
            Operand query, Operand key, Operand value) {
        add(a, gradOut);
        a.add(logarithms.address()).add(sums);
        add(a, query);
        add(a, key);
        add(a, value);
    }
}

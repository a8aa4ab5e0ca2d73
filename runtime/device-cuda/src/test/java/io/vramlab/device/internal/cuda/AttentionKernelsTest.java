package io.vramlab.device.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vramlab.device.DType;
import io.vramlab.device.FusedAttention;
import io.vramlab.device.Kernels;
import io.vramlab.device.AttentionArithmetic.Attention;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cuda.Twins.Twin;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attention in one piece gives what its definition gives, which the simulated GPU computes in float32. */
@Tag("gpu")
class AttentionKernelsTest {

    private Twins twins;

    @BeforeEach
    void open() {
        twins = new Twins();
        assumeTrue(twins.real().kernels().fusedAttention().isPresent(),
                "this GPU is older than compute capability 8.0");
    }

    @AfterEach
    void close() {
        twins.close();
    }

    private record Case(int n, int heads, int kv, int queries, int keys, int size, boolean causal, DType dtype) {
    }

    static Stream<Case> cases() {
        return Stream.of(DType.FLOAT16, DType.BFLOAT16)
                .flatMap(d -> Stream.of(new Case(2, 3, 3, 130, 130, 64, true, d),
                        new Case(1, 2, 2, 64, 200, 64, false, d),
                        new Case(2, 4, 2, 100, 100, 128, true, d), new Case(1, 2, 1, 77, 130, 80, false, d),
                        new Case(1, 1, 1, 1, 5, 8, false, d), new Case(1, 2, 2, 257, 257, 32, true, d),
                        new Case(1, 4, 1, 300, 70, 64, true, d), new Case(2, 2, 2, 70, 300, 128, true, d)));
    }

    /** [n, heads, rows, size] in memory as [n, rows, heads, size], as a model's projections give it. */
    private Twin made(DType dtype, boolean filled, int n, int heads, int rows, int size) {
        long[] shape = {n, heads, rows, size};
        long[] strides = {(long) rows * heads * size, size, (long) heads * size, 1};
        Twin all = filled ? twins.limited(dtype, 3, shape) : twins.zeros(dtype, shape);
        return all.view(shape, strides);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void resultAndGradientsAreThoseOfTheDefinition(Case c) {
        same(c, Kernels::fusedAttention);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void thoseOfTheLibraryToo(Case c) {
        assumeTrue(twins.real().kernels().attentionLibrary().isPresent(), "this machine has no cuDNN");
        assumeTrue(c.heads == c.kv && c.queries > 1, "shared heads and single queries are for our own kernels");
        same(c, Kernels::attentionLibrary);
    }

    private void same(Case c, Function<Kernels, Optional<FusedAttention>> who) {
        Twin q = made(c.dtype, true, c.n, c.heads, c.queries, c.size);
        Twin k = made(c.dtype, true, c.n, c.kv, c.keys, c.size);
        Twin v = made(c.dtype, true, c.n, c.kv, c.keys, c.size);
        Twin g = made(c.dtype, true, c.n, c.heads, c.queries, c.size);
        Twin out = made(c.dtype, false, c.n, c.heads, c.queries, c.size);
        Twin gq = made(c.dtype, false, c.n, c.heads, c.queries, c.size);
        Twin gk = made(c.dtype, false, c.n, c.kv, c.keys, c.size);
        Twin gv = made(c.dtype, false, c.n, c.kv, c.keys, c.size);
        Twin logarithms = twins.zeros(DType.FLOAT32, c.n, c.heads, c.queries);
        long bytes = (long) c.n * c.heads * c.queries * (c.size + 1) * Float.BYTES + 256;
        FusedAttention.Working working = new FusedAttention.Working(twins.real().allocate(bytes), bytes);
        Attention how = new Attention(1 / Math.sqrt(c.size), c.causal, 0, 0, 0);
        twins.run((kernels, of) -> {
            if (who.apply(kernels).isPresent()) {
                FusedAttention fused = who.apply(kernels).get();
                assertTrue(
                        fused.forward(of.apply(out), of.apply(logarithms), of.apply(q), of.apply(k), of.apply(v), how,
                                working, 0),
                        c.toString());
                Operand[] grads = {of.apply(gq), of.apply(gk), of.apply(gv)};
                assertTrue(fused.backward(grads, of.apply(g), of.apply(out), of.apply(logarithms), of.apply(q),
                        of.apply(k), of.apply(v), how, working, 0), "backward of " + c);
            } else {
                kernels.attention(of.apply(out), of.apply(q), of.apply(k), of.apply(v), null, how, 0);
                kernels.attentionBackward(of.apply(gq), of.apply(gk), of.apply(gv), null, of.apply(g), of.apply(q),
                        of.apply(k), of.apply(v), null, how, 0);
            }
        });
        // probabilities and slopes are rounded to 10 or 7 bits before they are multiplied
        double bits = c.dtype == DType.FLOAT16 ? 8e-3 : 6e-2;
        twins.same(c + " out", bits, out);
        twins.same(c + " gradient of v", bits, gv);
        twins.same(c + " gradient of k", bits, gk);
        twins.same(c + " gradient of q", bits, gq);
    }

    @Test
    void twiceTheSameGivesTheSameBits() {
        Twin[] all = new Twin[4];
        for (int i = 0; i < all.length; i++) {
            all[i] = made(DType.BFLOAT16, true, 4, 8, 500, 64);
        }
        Twin first = made(DType.BFLOAT16, false, 12, 8, 500, 64);
        Twin logarithms = twins.zeros(DType.FLOAT32, 4, 8, 500);
        FusedAttention.Working working = new FusedAttention.Working(twins.real().allocate(4 * 8 * 500 * 4),
                4 * 8 * 500 * 4);
        Attention how = new Attention(0.125, true, 0, 0, 0);
        long bytes = 4L * 8 * 500 * 64 * 2;
        byte[][] seen = new byte[2][];
        twins.run((kernels, of) -> {
            if (kernels.fusedAttention().isPresent()) {
                FusedAttention fused = kernels.fusedAttention().get();
                Operand[] in = Stream.of(all).map(of).toArray(Operand[]::new);
                for (int run = 0; run < 2; run++) {
                    Operand[] grads = new Operand[3];
                    for (int i = 0; i < 3; i++) {
                        grads[i] = new Operand(of.apply(first).address() + i * bytes, DType.BFLOAT16, in[0].shape(),
                                in[0].strides());
                    }
                    fused.forward(in[3], of.apply(logarithms), in[0], in[1], in[2], how, working, 0);
                    fused.backward(grads, in[2], in[3], of.apply(logarithms), in[0], in[1], in[2], how, working, 0);
                    seen[run] = bytes(of.apply(first).address(), Math.toIntExact(3 * bytes));
                }
            }
        });
        assertEquals(0, java.util.Arrays.compare(seen[0], seen[1]));
        assertTrue(java.util.Arrays.hashCode(seen[0]) != java.util.Arrays.hashCode(new byte[seen[0].length]));
    }

    private byte[] bytes(long address, int count) {
        try (java.lang.foreign.Arena arena = java.lang.foreign.Arena.ofConfined()) {
            var host = arena.allocate(count, 16);
            twins.real().synchronize();
            twins.real().copyToHost(host, address, 0);
            twins.real().synchronize();
            return host.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        }
    }

    @Test
    void whatItCannotComputeItRefuses() {
        Attention plain = new Attention(0.1, false, 0, 0, 0);
        Operand fits = operand(DType.BFLOAT16, 64, 64);
        assertRefused(fits, fits, new Attention(0.1, false, 0.5, 1, 2));
        assertRefused(operand(DType.FLOAT32, 64, 64), operand(DType.FLOAT32, 64, 64), plain);
        assertRefused(fits, operand(DType.BFLOAT16, 64, 63), plain);
        assertRefused(operand(DType.BFLOAT16, 136, 136), operand(DType.BFLOAT16, 136, 136), plain);
    }

    /** Nothing lies at these addresses: a kernel that ran would lose the device. */
    private void assertRefused(Operand query, Operand key, Attention how) {
        Operand logarithms = new Operand(1024, DType.FLOAT32, new long[]{1, 2, 16}, new long[]{32, 16, 1});
        for (Optional<FusedAttention> who : List.of(twins.real().kernels().fusedAttention(),
                twins.real().kernels().attentionLibrary())) {
            who.ifPresent(fused -> assertFalse(fused.forward(query, logarithms, query, key, key, how,
                    new FusedAttention.Working(1024, 1 << 20), 0), query + " " + how));
        }
        twins.real().synchronize();
    }

    private static Operand operand(DType dtype, long size, long row) {
        return new Operand(1024, dtype, new long[]{1, 2, 16, size}, new long[]{32 * row, 16 * row, row, 1});
    }
}

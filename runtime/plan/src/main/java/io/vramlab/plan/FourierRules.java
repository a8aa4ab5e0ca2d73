package io.vramlab.plan;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Fourier transforms: results, copies of what is destroyed or lies otherwise (SpectralOps.cpp), and the workspace of cuFFT, which
 * is as large as what is transformed where a line is too long to be held by one block; docs/footprint.md, "Fourier transforms".
 */
final class FourierRules {

    private static final int HOPPER = 9;
    private static final int AMPERE = 8;
    /** Shared memory that a block may have, by compute capability (CUDA C++ Programming Guide, "Technical Specifications"). */
    private static final long SHARED_OF_HOPPER = 227 << 10;
    private static final long SHARED_OF_A100 = 163 << 10;
    private static final long SHARED = 99 << 10;
    /** Shared memory that every GPU has for a block; lines that fit need no workspace. */
    private static final long SHARED_OF_ALL = 48 << 10;

    /** Lines of real numbers up to here were seen to take none, whatever their length. */
    private static final long SHORT = 64;
    private static final int EIGHTS = 8;
    /** Complex lines whose lengths are no powers of two need none up to 64,000 bytes, and do from 96,000 on. */
    private static final long COMPLEX_LINE = 64 << 10;

    private FourierRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._fft_c2c", (o, s) -> {
            TensorForm out = Operation.forms(o.result()).getFirst();
            s.results();
            long copied = lined(o.form(0), o) ? 0 : s.take(o.form(0).bytes());
            workspace(o, out, out.element(), out.bytes(), s);
            s.give(copied);
        });
        rules.put("aten._fft_r2c", (o, s) -> {
            TensorForm in = o.form(0);
            s.results();
            long copied = lined(in, o) ? 0 : s.take(in.bytes());
            workspace(o, in, 2 * in.element(), in.bytes(), s);
            s.give(copied);
        });
        rules.put("aten._fft_c2r", (o, s) -> {
            TensorForm out = Operation.forms(o.result()).getFirst();
            s.results();
            TensorForm in = o.form(0);
            long copied = s.take(in.bytes()); // the way back destroys what it reads
            long turned = lined(new TensorForm(in.dtype(), in.shape(), RowRules.packed(in.shape()), 0, false), o)
                    ? 0
                    : s.take(in.bytes());
            workspace(o, out, 2 * out.element(), out.bytes(), s);
            s.give(turned);
            s.give(copied);
        });
    }

    /**
     * Whether the dimensions that are not transformed can be seen as one, without a copy (_exec_fft in SpectralOps.cpp), and each of
     * the others holds numbers of its own (as_cufft_embed in CuFFTPlanCache.h).
     */
    private static boolean lined(TensorForm form, Operation o) {
        Set<Integer> transformed = new HashSet<>();
        for (Object dim : (List<?>) o.argument(1)) {
            transformed.add(Math.floorMod(((Number) dim).intValue(), Math.max(1, form.rank())));
        }
        if (transformed.stream().anyMatch(d -> form.strides()[d] == 0 && form.shape()[d] > 1)) {
            return false;
        }
        int[] rest = IntStream.range(0, form.rank())
                .filter(d -> form.shape()[d] != 1 && !transformed.contains(d)).boxed()
                .sorted(Comparator.comparingLong(d -> -form.strides()[d])).mapToInt(d -> d).toArray();
        return IntStream.range(1, rest.length)
                .allMatch(i -> form.strides()[rest[i - 1]] == form.strides()[rest[i]] * form.shape()[rest[i]]);
    }

    /** Nothing, or as much as the numbers on the longer side; either is in the range where a line may be held or not. */
    private static void workspace(Operation o, TensorForm form, long complex, long bytes, RuleSteps s) {
        long longest = 0;
        List<?> dimensions = (List<?>) o.argument(1);
        for (Object dim : dimensions) {
            int d = ((Number) dim).intValue();
            longest = Math.max(longest, form.shape()[d < 0 ? d + form.rank() : d]);
        }
        long line = complex * longest;
        boolean real = !o.base().endsWith("c2c");
        boolean odd = real && dimensions.size() == 1 && longest > SHORT && longest % EIGHTS != 0;
        boolean factored = Long.bitCount(longest) > 1 && line > (real ? SHARED_OF_ALL : COMPLEX_LINE);
        s.chosen(0, line > shared(s) || odd || factored ? bytes : 0, line > SHARED_OF_ALL || odd ? bytes : 0);
    }

    private static long shared(RuleSteps s) {
        if (s.device().major() >= HOPPER) {
            return SHARED_OF_HOPPER;
        }
        return s.device().major() == AMPERE && s.device().minor() == 0 ? SHARED_OF_A100 : SHARED;
    }
}

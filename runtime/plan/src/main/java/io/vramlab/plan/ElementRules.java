package io.vramlab.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Operations element by element that take more than their results: numbers as tensors, and packed copies of what is read. */
final class ElementRules {

    private ElementRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten.pow", (o, s) -> {
            s.results();
            if (o.name().equals("aten.pow.Scalar") && o.argument(0) instanceof Number base && base.doubleValue() != 1) {
                s.passing((long) Double.BYTES); // the base becomes a tensor (Pow.cpp)
            }
        });
        rules.put("aten.abs", (o, s) -> { // of complex numbers: computed as such, of which the real part is the result
            s.results();
            s.passing(o.form(0).dtype().startsWith("complex") ? o.form(0).bytes() : 0);
        });
        rules.put("aten.angle", (o, s) -> { // computed before its real part is copied into the result
            long computed = o.form(0).dtype().startsWith("complex") ? s.take(o.form(0).bytes()) : 0;
            s.results();
            s.give(computed);
        });
        rules.put("aten.bernoulli", (o, s) -> { // probabilities of 16 bits are compared as float32
            s.results();
            s.passing(o.form(0).element() < Float.BYTES ? Float.BYTES * o.form(0).count() : 0);
        });
        rules.put("aten.rrelu_with_noise", (o, s) -> {
            s.results();
            s.passing(o.form(0).isContiguous() ? 0 : o.form(0).bytes());
        });
        rules.put("aten.isinf", (o, s) -> { // as the absolute value that is infinite
            boolean complex = o.form(0).dtype().startsWith("complex"); // by its real part, then by its imaginary one
            long part = o.form(0).bytes() / (complex ? 2 : 1);
            long size = o.form(0).isFloating() ? s.take(part) : 0;
            s.results();
            s.give(size);
            if (complex) {
                long other = s.take(part);
                long infinite = s.take(o.form(0).count());
                s.give(other);
                s.give(infinite);
            }
        });
        rules.put("aten.normal", (o, s) -> { // deviations may not be negative, which is looked for twice
            TensorForm deviations = o.form(1);
            notNegative(deviations, s);
            s.results();
            notNegative(deviations, s);
        });
        rules.put("aten.renorm", (o, s) -> { // the norm of each part
            s.results();
            int d = (int) o.number(2, "dim", 0);
            long parts = o.form(0).shape()[d < 0 ? d + o.form(0).rank() : d];
            long wide = o.form(0).element() < Float.BYTES ? parts * Float.BYTES : 0; // norms of 16 bits are of float32
            s.passing(wide, parts * o.form(0).element());
        });
        rules.put("aten._efficientzerotensor", (o, s) -> { // has no memory
            for (int i = 0; i < s.made(); i++) {
                s.without(i);
            }
        });
        rules.put("aten.where", ElementRules::chosen);
        rules.put("aten.hann_window", (o, s) -> { // a periodic one is one longer and cut
            TensorForm out = Operation.forms(o.result()).getFirst();
            s.result(out.count() > 1 && o.argument(1) == null ? out.bytes() + out.element() : out.bytes());
        });
        rules.put("aten._euclidean_dist", ElementRules::distances);
        rules.put("aten._cdist_backward", ElementRules::summedDistances);
        for (String name : List.of("mvlgamma", "mvlgamma_")) {
            rules.put("aten." + name, ElementRules::gammas);
        }
        for (String name : List.of("ldexp", "ldexp_")) {
            rules.put("aten." + name, (o, s) -> { // times a power of 2 (BinaryOps.cpp), whose base becomes a tensor
                TensorForm exponent = o.form(1);
                long power = s.take(exponent.count() * (exponent.isFloating() ? exponent.element() : Float.BYTES));
                s.passing((long) Double.BYTES);
                s.results();
                s.give(power);
            });
        }
        rules.put("aten.dist", (o, s) -> { // the norm of the difference
            long[] shape = RowRules.broadcast(o.form(0).shape(), o.form(1).shape());
            TensorForm difference = new TensorForm(o.form(0).dtype(), shape, RowRules.packed(shape), 0, false);
            long taken = s.take(difference.bytes());
            s.results();
            s.reduction(difference, ReductionRules.every(difference), Math.max(Float.BYTES, difference.element()));
            s.give(taken);
        });
        rules.put("aten.equal", (o, s) -> {
            if (o.form(0).count() > 0 && !o.form(0).host() && Arrays.equals(o.form(0).shape(), o.form(1).shape())) {
                long same = s.take(o.form(0).count());
                long all = s.take(1);
                s.reduction(new TensorForm("bool", o.form(0).shape(), RowRules.packed(o.form(0).shape()), 0, false),
                        ReductionRules.every(o.form(0)), 1);
                s.give(all);
                s.give(same);
            }
        });
    }

    /** Logarithms of as many gammas as it has factors, a half apart each, and their sum (UnaryOps.cpp, mvlgamma). */
    private static void gammas(Operation o, RuleSteps s) {
        TensorForm in = o.form(0);
        int element = in.isFloating() ? in.element() : Float.BYTES;
        long factors = o.number(1, "p", 1);
        long halves = s.take(factors * element);
        long each = s.take(in.count() * factors * element);
        s.give(halves);
        long sum = o.base().endsWith("_") ? s.take(in.count() * element) : 0; // which is copied
        s.results();
        s.give(each);
        s.give(sum);
    }

    private static void notNegative(TensorForm numbers, RuleSteps s) {
        if (numbers != null && !numbers.host()) {
            long least = SelectionRules.extreme(numbers, s);
            s.passing(1L);
            s.give(least);
        }
    }

    /** What is of another type than the result is brought to it first, and a number of the host to the device (TensorCompare.cpp). */
    private static void chosen(Operation o, RuleSteps s) {
        List<TensorForm> out = Operation.forms(o.result());
        List<Long> copies = new ArrayList<>();
        for (int i = 1; i < 3 && !out.isEmpty(); i++) {
            if (o.argument(i) instanceof TensorRef
                    && (o.form(i).host() || !o.form(i).dtype().equals(out.getFirst().dtype()))) {
                copies.add(s.take(o.form(i).count() * out.getFirst().element()));
            }
        }
        s.results();
        s.give(copies);
    }

    /** One product of points, their squares and ones (Distance.cpp). */
    private static void distances(Operation o, RuleSteps s) {
        TensorForm a = o.form(0);
        TensorForm b = o.form(1);
        long size = a.shape()[a.rank() - 1];
        long rowsA = a.count() / Math.max(1, size) * a.element();
        long rowsB = b.count() / Math.max(1, size) * b.element();
        long normA = squares(a.bytes(), rowsA, s);
        long onesA = s.take(rowsA);
        long normB = squares(b.bytes(), rowsB, s);
        long onesB = s.take(rowsB);
        long doubled = s.take(a.bytes());
        long left = s.take(a.bytes() + 2 * rowsA);
        s.give(onesA);
        s.give(normA);
        s.give(doubled);
        long right = s.take(b.bytes() + 2 * rowsB);
        s.give(normB);
        s.give(onesB);
        s.results();
        s.cublas();
        s.give(right);
        s.give(left);
    }

    private static long squares(long bytes, long rows, RuleSteps s) {
        long squared = s.take(bytes);
        long norm = s.take(rows);
        s.give(squared);
        return norm;
    }

    /** Each distance's part of each coordinate, of which those of one point are summed (Distance.cu, cdist_backward_kernel_impl). */
    private static void summedDistances(Operation o, RuleSteps s) {
        s.results();
        TensorForm points = o.form(1);
        long width = points.shape()[points.rank() - 1];
        long rows = points.shape()[points.rank() - 2];
        long others = o.form(2).shape()[o.form(2).rank() - 2];
        long numbers = o.form(4).count() * width;
        long parts = s.take(numbers * points.element());
        if (numbers > 0) {
            long[] shape = {numbers / (others * rows * width), others, rows, width};
            long[] strides = {others * rows * width, rows * width, width, 1};
            s.reduction(new TensorForm(points.dtype(), shape, strides, 0, false),
                    new boolean[]{false, true, false, false},
                    points.element());
        }
        s.give(parts);
    }
}

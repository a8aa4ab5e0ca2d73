package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.MoreViews;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sums of products by Einstein's notation, as at::einsum computes them: every operand gets all dimensions, those of the result first,
 * of size 1 where it has none; then two at a time, from the left, become a stack of matrix products, or a product of elements where
 * nothing is summed over. PyTorch asks opt_einsum for another order where that is installed, which it does not bring; here there is none.
 */
public final class Einsum {

    private static final char REST = '.';

    private final String equation;
    private final List<String> inputs = new ArrayList<>();
    private final TensorImpl[] operands;
    /** All dimensions in the order in which operands get them: letters, and dots for those of "...". */
    private final StringBuilder order = new StringBuilder();
    private int restDims;
    private int outDims;

    private Einsum(String equation, TensorImpl... operands) {
        this.equation = equation;
        this.operands = operands;
    }

    /** For instance {@code "bij,bjk->bik"}; without an arrow the result has the letters that are there once. */
    public static TensorImpl of(String equation, TensorImpl... operands) {
        return new Einsum(equation, operands).run(equation.replace(" ", ""));
    }

    private TensorException refuse(String why) {
        return new TensorException("einsum \"" + equation + "\" was asked for, but " + why + ".");
    }

    // ---- the equation ----

    private TensorImpl run(String text) {
        String[] sides = text.split("->", -1);
        if (sides.length > 2 || operands.length == 0) {
            throw refuse("give operands and at most one arrow, as in \"ij,jk->ik\"");
        }
        for (String each : sides[0].split(",", -1)) {
            inputs.add(labels(each));
        }
        if (inputs.size() != operands.length) {
            throw refuse("it is for " + inputs.size() + " operands and there are " + operands.length);
        }
        for (int i = 0; i < operands.length; i++) {
            measure(inputs.get(i), operands[i]);
        }
        String all = String.join("", inputs);
        String out = sides.length == 2 ? labels(sides[1]) : implicit(all);
        for (char c : out.toCharArray()) {
            if (out.indexOf(c) != out.lastIndexOf(c)) {
                throw refuse("the result's letters must be there each once: \"" + out + "\"");
            }
            if (c != REST && all.indexOf(c) < 0) {
                throw refuse("the result's letter " + c + " is in no operand");
            }
            order.append(c == REST ? String.valueOf(REST).repeat(restDims) : String.valueOf(c));
        }
        outDims = order.length();
        if (out.indexOf(REST) < 0) {
            order.append(String.valueOf(REST).repeat(restDims));
        }
        all.chars().distinct().sorted().filter(c -> c != REST && order.indexOf(String.valueOf((char) c)) < 0)
                .forEach(c -> order.append((char) c));
        return contract();
    }

    /** Letters, "..." as one dot. */
    private String labels(String side) {
        String labels = side.replace("...", String.valueOf(REST));
        boolean fits = labels.chars().allMatch(c -> c == REST || c < 128 && Character.isLetter(c))
                && labels.indexOf(REST) == labels.lastIndexOf(REST) && !side.replace("...", "").contains(".");
        if (!fits) {
            throw refuse("\"" + side + "\" must be letters, and \"...\" once at most");
        }
        return labels;
    }

    private static String implicit(String all) {
        StringBuilder out = new StringBuilder(all.indexOf(REST) < 0 ? "" : String.valueOf(REST));
        all.chars().filter(c -> c != REST && all.indexOf(c) == all.lastIndexOf(c)).sorted()
                .forEach(c -> out.append((char) c));
        return out.toString();
    }

    private void measure(String labels, TensorImpl t) {
        boolean rest = labels.indexOf(REST) >= 0;
        int named = labels.length() - (rest ? 1 : 0);
        if (rest ? named > t.rank() : named != t.rank()) {
            throw refuse("\"" + labels + "\" names " + named + " dimensions of a tensor of shape "
                    + Shape.text(t.shape()));
        }
        restDims = Math.max(restDims, rest ? t.rank() - named : 0);
    }

    // ---- the operands ----

    /** A view of an operand with all dimensions, in their order. */
    private TensorImpl aligned(int number) {
        String labels = inputs.get(number);
        try (Temps t = new Temps()) {
            TensorImpl a = operands[number].retain();
            t.own(a);
            StringBuilder has = new StringBuilder();
            for (char c : labels.toCharArray()) {
                if (c == REST) {
                    int missing = restDims - (operands[number].rank() - labels.length() + 1);
                    for (int i = 0; i < missing; i++) {
                        a = t.own(Views.unsqueeze(a, has.length()));
                    }
                    has.append(String.valueOf(REST).repeat(restDims));
                    continue;
                }
                int twice = has.indexOf(String.valueOf(c));
                if (twice >= 0) {
                    if (a.shape()[twice] != a.shape()[has.length()]) {
                        throw refuse("the letter " + c + " has sizes " + a.shape()[twice] + " and "
                                + a.shape()[has.length()]);
                    }
                    TensorImpl diagonal = t.own(Diagonals.diagonal(a, 0, twice, has.length()));
                    a = t.own(MoreViews.movedim(diagonal, new int[]{-1}, new int[]{twice}));
                } else {
                    has.append(c);
                }
            }
            int[] places = new int[order.length()];
            int rest = 0;
            for (int d = 0; d < places.length; d++) {
                char c = order.charAt(d);
                places[d] = has.indexOf(String.valueOf(c));
                if (places[d] >= 0 && c == REST) {
                    places[d] += rest++;
                }
                if (places[d] < 0) {
                    a = t.own(Views.unsqueeze(a, -1));
                    places[d] = a.rank() - 1;
                }
            }
            return Views.permute(a, places);
        }
    }

    // ---- the products ----

    private TensorImpl contract() {
        try (Temps t = new Temps()) {
            TensorImpl[] all = new TensorImpl[operands.length];
            int[] counts = new int[order.length()];
            long[] sizes = new long[order.length()];
            Arrays.fill(sizes, 1);
            for (int i = 0; i < all.length; i++) {
                all[i] = t.own(aligned(i));
                for (int d = 0; d < counts.length; d++) {
                    long size = all[i].shape()[d];
                    if (size != 1 && sizes[d] != 1 && size != sizes[d]) {
                        throw refuse("the dimension " + order.charAt(d) + " has sizes " + sizes[d] + " and " + size);
                    }
                    sizes[d] = size == 1 ? sizes[d] : size;
                    counts[d] += size == 1 ? 0 : 1;
                }
            }
            TensorImpl made = all[0].retain();
            t.own(made);
            for (int i = 1; i < all.length; i++) {
                TensorImpl next = t.own(joined(made, all[i], counts));
                t.free(made);
                made = next;
            }
            if (outDims == order.length()) {
                return t.give(made);
            }
            return all.length > 1
                    ? Views.view(made, Arrays.copyOf(made.shape(), outDims))
                    : Sums.sum(made, IntStream.range(outDims, order.length()).toArray(), false);
        }
    }

    /** The product of two, summed over what no other operand has and the result lacks. */
    private TensorImpl joined(TensorImpl left, TensorImpl right, int... counts) {
        List<Integer> both = new ArrayList<>();
        List<Integer> ofLeft = new ArrayList<>();
        List<Integer> ofRight = new ArrayList<>();
        for (int d = outDims; d < counts.length; d++) {
            boolean inLeft = left.shape()[d] != 1;
            boolean inRight = right.shape()[d] != 1;
            if (inLeft && inRight) {
                if (--counts[d] == 1) {
                    both.add(d);
                    counts[d] = 0;
                }
            } else if (counts[d] == 1 && (inLeft || inRight)) {
                (inLeft ? ofLeft : ofRight).add(d);
                counts[d] = 0;
            }
        }
        try (Temps t = new Temps()) {
            TensorImpl a = ofLeft.isEmpty() ? left : t.own(Sums.sum(left, ints(ofLeft), true));
            TensorImpl b = ofRight.isEmpty() ? right : t.own(Sums.sum(right, ints(ofRight), true));
            return both.isEmpty() ? Elementwise.mul(a, b) : product(a, b, both);
        }
    }

    /** PyTorch's sumproduct_pair: what both have, what the left has, what is summed over, what the right has, as matrices. */
    static TensorImpl product(TensorImpl left, TensorImpl right, List<Integer> summed) {
        List<Integer> batch = new ArrayList<>();
        List<Integer> rows = new ArrayList<>();
        List<Integer> columns = new ArrayList<>();
        for (int d = 0; d < left.rank(); d++) {
            if (!summed.contains(d)) {
                boolean inLeft = left.shape()[d] != 1;
                (inLeft && right.shape()[d] != 1 ? batch : inLeft ? rows : columns).add(d);
            }
        }
        List<Integer> made = new ArrayList<>(batch);
        made.addAll(rows);
        made.addAll(summed);
        made.addAll(columns);
        List<Integer> turned = new ArrayList<>(batch);
        turned.addAll(summed);
        turned.addAll(columns);
        turned.addAll(rows);
        long[] shape = made.stream().mapToLong(d -> summed.contains(d)
                ? 1
                : Math.max(left.shape()[d],
                        right.shape()[d]))
                .toArray();
        int[] back = new int[made.size()];
        for (int i = 0; i < back.length; i++) {
            back[made.get(i)] = i;
        }
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Views.reshape(t.own(Views.permute(left, ints(made))), count(left, batch),
                    count(left, rows), count(left, summed)));
            TensorImpl y = t.own(Views.reshape(t.own(Views.permute(right, ints(turned))), count(right, batch),
                    count(right, summed), count(right, columns)));
            TensorImpl product = t.own(MatrixOps.bmm(x, y));
            return Views.permute(t.own(Views.unsafeView(product, shape)), back);
        }
    }

    private static long count(TensorImpl a, List<Integer> dims) {
        return dims.stream().mapToLong(d -> a.shape()[d]).reduce(1, (x, y) -> x * y);
    }

    private static int[] ints(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }
}

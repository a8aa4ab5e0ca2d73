package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sums of products by Einstein's notation for one or two tensors, computed as one stack of matrix products, or element by
 * element where nothing is summed over. A letter
 * stands for a dimension; letters that the result lacks are summed over.
 */
public final class Einsum {

    private final String equation;
    private final Map<Character, Long> sizes = new HashMap<>();

    private Einsum(String equation) {
        this.equation = equation;
    }

    /** For instance {@code "bij,bjk->bik"}. */
    public static TensorImpl of(String equation, TensorImpl... operands) {
        return new Einsum(equation.replace(" ", "")).run(operands);
    }

    private TensorImpl run(TensorImpl... operands) {
        String[] sides = equation.split("->", -1);
        String[] inputs = sides[0].split(",", -1);
        if (sides.length != 2 || inputs.length != operands.length || operands.length > 2) {
            throw refuse("give one or two operands and the result, as in \"ij,jk->ik\"");
        }
        for (int i = 0; i < inputs.length; i++) {
            measure(inputs[i], operands[i]);
        }
        requireLetters(sides[1]);
        for (char c : sides[1].toCharArray()) {
            if (!sizes.containsKey(c)) {
                throw refuse("the result's letter " + c + " is in no operand");
            }
        }
        return inputs.length == 1
                ? single(inputs[0], operands[0], sides[1])
                : pair(inputs[0], operands[0], inputs[1], operands[1], sides[1]);
    }

    private void measure(String letters, TensorImpl t) {
        requireLetters(letters);
        if (letters.length() != t.rank()) {
            throw refuse("\"" + letters + "\" names " + letters.length() + " dimensions of a tensor of shape "
                    + Shape.text(t.shape()));
        }
        for (int d = 0; d < letters.length(); d++) {
            Long known = sizes.putIfAbsent(letters.charAt(d), t.shape()[d]);
            if (known != null && known != t.shape()[d]) {
                throw refuse("the letter " + letters.charAt(d) + " has sizes " + known + " and " + t.shape()[d]);
            }
        }
    }

    private void requireLetters(String letters) {
        if (!letters.chars().allMatch(Character::isLetter) || letters.chars().distinct().count() != letters.length()) {
            throw refuse("\"" + letters + "\" must be letters, each once");
        }
    }

    private TensorException refuse(String why) {
        return new TensorException("einsum \"" + equation + "\" was asked for, but " + why + ".");
    }

    private TensorImpl single(String in, TensorImpl a, String out) {
        try (Temps t = new Temps()) {
            String kept = keep(in, out);
            return permute(t.own(reduce(a, in, kept)), kept, out);
        }
    }

    private TensorImpl pair(String left, TensorImpl a, String right, TensorImpl b, String out) {
        try (Temps t = new Temps()) {
            String leftKept = keep(left, right + out);
            String rightKept = keep(right, left + out);
            String batch = keep(keep(leftKept, rightKept), out);
            String contracted = drop(keep(leftKept, rightKept), out);
            if (contracted.isEmpty()) {
                // PyTorch's sumproduct_pair: nothing is summed over, so that elements are multiplied
                TensorImpl x = t.own(spread(t.own(reduce(a, left, leftKept)), leftKept, out));
                TensorImpl y = t.own(spread(t.own(reduce(b, right, rightKept)), rightKept, out));
                return Elementwise.mul(x, y);
            }
            String rows = drop(leftKept, rightKept);
            String columns = drop(rightKept, leftKept);
            TensorImpl x = t.own(stack(t.own(reduce(a, left, leftKept)), leftKept, batch, rows, contracted));
            TensorImpl y = t.own(stack(t.own(reduce(b, right, rightKept)), rightKept, batch, contracted, columns));
            // a product of its own in autocast's eyes, as PyTorch's sumproduct_pair
            TensorImpl product = t.own(AutocastMode.lower(both -> MatrixOps.bmm(both[0], both[1]), x, y));
            String made = batch + rows + columns;
            return permute(t.own(Views.unsafeView(product, shape(made))), made, out);
        }
    }

    /** With the dimensions of the result, in its order; of size 1 where the operand has none. */
    private static TensorImpl spread(TensorImpl a, String letters, String out) {
        try (Temps t = new Temps()) {
            TensorImpl made = t.own(permute(a, letters, keep(out, letters)));
            for (int d = 0; d < out.length(); d++) {
                if (letters.indexOf(out.charAt(d)) < 0) {
                    made = t.own(Views.unsqueeze(made, d));
                }
            }
            return t.give(made);
        }
    }

    /** The letters of {@code a} that are in {@code b}. */
    private static String keep(String a, String b) {
        return a.chars().filter(c -> b.indexOf(c) >= 0)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    private static String drop(String a, String b) {
        return a.chars().filter(c -> b.indexOf(c) < 0)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    private static TensorImpl reduce(TensorImpl a, String in, String kept) {
        List<Integer> dims = new ArrayList<>();
        for (int d = 0; d < in.length(); d++) {
            if (kept.indexOf(in.charAt(d)) < 0) {
                dims.add(d);
            }
        }
        return dims.isEmpty()
                ? a.retain()
                : Reductions.sum(a, dims.stream().mapToInt(Integer::intValue).toArray(), false);
    }

    private static TensorImpl permute(TensorImpl a, String from, String to) {
        return from.equals(to) ? a.retain() : Views.permute(a, to.chars().map(from::indexOf).toArray());
    }

    private TensorImpl stack(TensorImpl a, String letters, String batch, String rows, String columns) {
        TensorImpl ordered = permute(a, letters, batch + rows + columns);
        try {
            return Views.reshape(ordered, count(batch), count(rows), count(columns));
        } finally {
            ordered.release();
        }
    }

    private long[] shape(String letters) {
        return letters.chars().mapToLong(c -> sizes.get((char) c)).toArray();
    }

    private long count(String letters) {
        return Shape.count(shape(letters));
    }
}

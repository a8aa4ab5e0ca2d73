package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.Slice;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What stands between Python's brackets: numbers, slices, new dimensions and dots become views, as in PyTorch's
 * applySlicing; tensors are kept for the dimensions that they index.
 */
public final class Brackets implements AutoCloseable {

    private final Temps temps = new Temps();
    /** What the views show. */
    private TensorImpl view;
    /** One for each dimension of the view, null where no tensor indexes it. */
    private final List<TensorImpl> tensors = new ArrayList<>();
    private boolean indexed;

    Brackets(TensorImpl a, Object... items) {
        try {
            view = temps.own(a.retain());
            apply(a, items);
        } catch (RuntimeException e) {
            temps.close();
            throw e;
        }
    }

    TensorImpl view() {
        return view;
    }

    /** Whether a tensor is among the items. */
    boolean isIndexed() {
        return indexed;
    }

    /** Those that index dimensions of the view; null where none does. Bool ones take as many dimensions as they have. */
    TensorImpl[] tensors() {
        return tensors.toArray(TensorImpl[]::new);
    }

    private static int takes(Object item) {
        if (item == null || item.equals("...") || item instanceof Boolean) {
            return 0;
        }
        return item instanceof TensorImpl t && t.dtype() == DType.BOOL ? t.rank() : 1;
    }

    private void apply(TensorImpl a, Object... given) {
        Object[] items = Arrays.stream(given).map(Brackets::listed).toArray();
        int named = 0;
        for (Object item : items) {
            named += takes(item);
        }
        if (named > a.rank()) {
            throw new TensorException("too many indices for tensor of dimension " + a.rank() + ": " + named
                    + " were given to a tensor of shape " + Shape.text(a.shape()) + ".");
        }
        int dim = 0;
        for (Object item : items) {
            switch (item) {
                case null -> {
                    show(Views.unsqueeze(view, dim));
                    dim++;
                }
                case Integer i -> show(select(dim, i));
                case Long i -> show(select(dim, i));
                case String text when text.equals("...") -> dim += a.rank() - named;
                case String text -> dim = slice(dim, Slice.parse(text));
                case Slice slice -> dim = slice(dim, slice);
                case TensorImpl t -> dim = tensor(dim, t);
                case long[] many -> {
                    put(dim, temps.own(numbers(many)));
                    dim++;
                }
                case int[] many -> {
                    put(dim, temps.own(numbers(Arrays.stream(many).asLongStream().toArray())));
                    dim++;
                }
                default -> throw new TensorException("An index of class " + item.getClass().getSimpleName()
                        + " was given: an index is a whole number, a slice (\"2:5\" or Slice.of(2, 5)), null for a new "
                        + "dimension, \"...\", an array or list of whole numbers, or a tensor.");
            }
        }
    }

    /** A list of whole numbers, as Python's brackets take one, is an array of them. */
    private static Object listed(Object item) {
        boolean whole = item instanceof List<?> list
                && list.stream().allMatch(each -> each instanceof Integer || each instanceof Long);
        return whole ? ((List<?>) item).stream().mapToLong(each -> ((Number) each).longValue()).toArray() : item;
    }

    private TensorImpl numbers(long[] many) {
        TensorImpl index = TensorImpl.empty(view.device(), DType.INT64, many.length);
        NonZero.send(index, many);
        return index;
    }

    private TensorImpl select(int dim, long index) {
        if (dim >= view.rank() || index < -view.shape()[dim] || index >= view.shape()[dim]) {
            throw new TensorException(
                    "index " + index + " is out of bounds for dimension " + dim + " of a tensor of shape "
                            + Shape.text(view.shape()) + ".");
        }
        return Views.select(view, dim, index);
    }

    private int slice(int dim, Slice slice) {
        long start = slice.start() == null ? 0 : slice.start();
        long end = slice.end() == null ? Long.MAX_VALUE : slice.end();
        // all of a dimension is no view of its own, however it is said: applySlice of python_variable_indexing.cpp
        boolean whole = start == 0 && (slice.step() == null || slice.step() == 1) && dim < view.rank()
                && end >= view.shape()[dim];
        if (!whole) {
            show(Views.slice(view, dim, start, end, slice.step() == null ? 1 : slice.step()));
        }
        return dim + 1;
    }

    private int tensor(int dim, TensorImpl t) {
        if (t.dtype() != DType.BOOL && t.dtype() != DType.INT64 && t.dtype() != DType.INT32
                && t.dtype() != DType.UINT8) {
            throw new TensorException(
                    "tensors used as indices must be long, int, byte or bool tensors, but one of dtype "
                            + t.dtype() + " was given: convert it with toLong().");
        }
        if (t.rank() == 0 && t.dtype() != DType.BOOL && t.driver().holdsValues()) {
            show(select(dim, Elements.whole(Elements.only(t))));
            return dim;
        }
        put(dim, t);
        return dim + (t.dtype() == DType.BOOL ? Math.max(1, t.rank()) : 1);
    }

    private void put(int dim, TensorImpl t) {
        while (tensors.size() < dim) {
            tensors.add(null);
        }
        tensors.add(t);
        if (t.dtype() == DType.BOOL) {
            for (int d = 1; d < t.rank(); d++) {
                tensors.add(null);
            }
        }
        indexed = true;
    }

    private void show(TensorImpl next) {
        temps.free(view);
        view = temps.own(next);
    }

    @Override
    public void close() {
        temps.close();
    }
}

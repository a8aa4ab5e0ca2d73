package io.vramlab.tensor.internal.core;

import io.vramlab.device.DType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Mixed precision on a GPU, PyTorch's autocast: matrix products run in a lower precision, what needs range in float32.
 * Lower copies of parameters are kept until the outermost region ends, so that each is converted once per region.
 *
 * <p>
 * Which operation belongs to which list is PyTorch's (aten/src/ATen/autocast_mode.h). Arguments are converted from the
 * last to the first: the order in which PyTorch's compiled code does it, as its traces show.
 */
public final class AutocastMode {

    private final DType dtype;
    private final AutocastMode outer;
    private final Map<TensorImpl, TensorImpl> cache;

    private AutocastMode(DType dtype, AutocastMode outer) {
        this.dtype = dtype;
        this.outer = outer;
        this.cache = outer == null ? new LinkedHashMap<>() : outer.cache;
    }

    /** Starts a region on this thread; null for a region without autocast inside one with it. */
    public static GradMode.State enter(DType dtype) {
        ThreadState state = ThreadState.current();
        AutocastMode before = state.autocast;
        AutocastMode mode = new AutocastMode(dtype, before);
        state.autocast = mode;
        return () -> {
            state.autocast = before;
            if (before == null) {
                mode.clear();
            }
        };
    }

    /** The lower precision of this thread's region; null without one. */
    public static DType dtype() {
        AutocastMode mode = ThreadState.current().autocast;
        return mode == null ? null : mode.dtype;
    }

    private void clear() {
        cache.forEach((leaf, copy) -> {
            copy.release();
            leaf.release();
        });
        cache.clear();
    }

    /** Runs an operation of the lower-precision list; null arguments are allowed. */
    public static TensorImpl lower(Function<TensorImpl[], TensorImpl> operation, TensorImpl... arguments) {
        AutocastMode mode = ThreadState.current().autocast;
        return mode == null || mode.dtype == null
                ? operation.apply(arguments)
                : mode.run(operation, mode.dtype, arguments);
    }

    /** As {@link #lower}, of a list of tensors, which are converted from the first on; arguments are from the last. */
    public static TensorImpl lowerList(Function<TensorImpl[], TensorImpl> operation, TensorImpl... list) {
        AutocastMode mode = ThreadState.current().autocast;
        if (mode == null || mode.dtype == null) {
            return operation.apply(list);
        }
        try (Temps t = new Temps()) {
            TensorImpl[] cast = new TensorImpl[list.length];
            for (int i = 0; i < cast.length; i++) {
                cast[i] = t.own(mode.cast(list[i], mode.dtype));
            }
            TensorImpl out = mode.within(operation, cast);
            t.closeInOrder();
            return out;
        }
    }

    /** As {@link #lower}, of several results. */
    public static TensorImpl[] lowerSeveral(Function<TensorImpl[], TensorImpl[]> operation, TensorImpl... arguments) {
        AutocastMode mode = ThreadState.current().autocast;
        return mode == null || mode.dtype == null
                ? operation.apply(arguments)
                : mode.run(operation, mode.dtype, arguments);
    }

    /** Runs an operation of the float32 list; null arguments are allowed. */
    public static TensorImpl full(Function<TensorImpl[], TensorImpl> operation, TensorImpl... arguments) {
        AutocastMode mode = ThreadState.current().autocast;
        return mode == null || mode.dtype == null
                ? operation.apply(arguments)
                : mode.run(operation, DType.FLOAT32, arguments);
    }

    /** Runs an operation of the list of those that take the widest dtype among their arguments; null arguments are allowed. */
    public static TensorImpl widest(Function<TensorImpl[], TensorImpl> operation, TensorImpl... arguments) {
        AutocastMode mode = ThreadState.current().autocast;
        if (mode == null || mode.dtype == null) {
            return operation.apply(arguments);
        }
        boolean wide = Arrays.stream(arguments).anyMatch(a -> a != null && a.dtype() == DType.FLOAT32);
        return mode.run(operation, wide ? DType.FLOAT32 : mode.dtype, arguments);
    }

    /** The dtype of a norm's result, an operation that PyTorch asks for float32 and does not convert the input of. */
    public static DType wide(TensorImpl a) {
        AutocastMode mode = ThreadState.current().autocast;
        boolean widens = mode != null && mode.dtype != null && a.device().isCuda() && a.dtype().isFloatingPoint()
                && a.dtype().bytes() < Float.BYTES;
        return widens ? DType.FLOAT32 : Promotion.floating(a.dtype());
    }

    private <R> R run(Function<TensorImpl[], R> operation, DType target, TensorImpl[] arguments) {
        try (Temps t = new Temps()) {
            TensorImpl[] cast = new TensorImpl[arguments.length];
            for (int i = cast.length - 1; i >= 0; i--) {
                cast[i] = arguments[i] == null ? null : t.own(cast(arguments[i], target));
            }
            return within(operation, cast);
        }
    }

    /** What an operation consists of is not cast again. */
    private <R> R within(Function<TensorImpl[], R> operation, TensorImpl... cast) {
        ThreadState state = ThreadState.current();
        state.autocast = new AutocastMode(null, this);
        try {
            return operation.apply(cast);
        } finally {
            state.autocast = this;
        }
    }

    /** Held by the caller. */
    private TensorImpl cast(TensorImpl a, DType target) {
        boolean eligible = a.device().isCuda() && a.dtype().isFloatingPoint() && a.dtype() != DType.FLOAT64
                && a.dtype() != target;
        if (!eligible) {
            return a.retain();
        }
        boolean cached = target == dtype && a.dtype() == DType.FLOAT32 && a.requiresGrad() && a.isLeaf()
                && !a.isView() && !ThreadState.current().inference;
        if (!cached) {
            return Copies.to(a, a.device(), target);
        }
        TensorImpl copy = cache.get(a);
        if (copy == null) {
            copy = Copies.to(a, a.device(), target);
            cache.put(a.retain(), copy);
        }
        return copy.retain();
    }
}

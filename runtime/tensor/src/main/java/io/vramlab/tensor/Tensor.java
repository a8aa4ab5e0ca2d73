package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.SavedTensorHooks;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.TensorText;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.TensorException;
import java.lang.ref.Reference;
import java.util.function.Function;

/**
 * A multi-dimensional array on a device, with PyTorch's operations in Java's spelling ({@code add_} is {@code add_},
 * {@code requires_grad} is {@code requiresGrad}). Each object is one handle on the array: {@link #close} lets it go,
 * and the memory is free once no handle, view or graph node holds it. A handle that is dropped unclosed is let go when
 * the collector finds it; inside a {@link Scope} it is closed with the scope.
 *
 * <p>
 * Shapes are in elements, outermost dimension first; dimensions may be counted from the back with negative numbers.
 * Operations throw {@link TensorException} for arguments that do not fit and for closed tensors,
 * {@link AutogradException} for what differentiation forbids, and {@link io.vramlab.memory.OutOfMemoryException} when
 * the device is full; in all cases memory is as before the call.
 *
 * <p>
 * The operations are inherited, a family from each superclass: {@code ArithmeticMethods}, {@code ViewMethods} and so
 * on. Each method says what memory it takes. A <em>new tensor</em> takes its elements times their size; a <em>view</em>
 * takes none, but keeps its base's from being freed; <em>another handle</em> is the same tensor once more, to be closed
 * by itself; <em>in place</em> means this tensor's own memory. What <em>backward keeps</em> it keeps only while
 * gradients are recorded and this tensor or an argument is part of the graph, and until backward has passed: keeping
 * takes no memory of its own, it holds what would be freed else.
 */
public non-sealed class Tensor extends GradientMethods implements AutoCloseable {

    private final Handle handle;

    /**
     * A handle on what an operation made.
     *
     * @param impl
     *            the caller's hold on it passes to the handle
     */
    protected Tensor(TensorImpl impl) {
        handle = new Handle(this, impl);
        Scope.register(handle);
    }

    /**
     * A handle on what an operation made; takes over the caller's hold.
     *
     * @param impl
     *            the caller's hold on it passes to the handle
     * @return a new handle, which belongs to the thread's {@link Scope} if there is one
     */
    public static Tensor wrap(TensorImpl impl) {
        SavedTensorHooks hooks = SavedTensorHooks.current();
        if (hooks != null) {
            try {
                hooks.made(impl);
            } catch (RuntimeException e) {
                impl.release();
                throw e;
            }
        }
        return new Tensor(impl);
    }

    /**
     * What this is a handle to, borrowed: for the runtime's own operations.
     *
     * @return borrowed: valid as long as this handle is open
     * @throws TensorException
     *             after {@link #close}
     */
    @Override
    public TensorImpl impl() {
        if (handle.isClosed()) {
            throw new TensorException("Tensor #" + handle.id + ", " + handle.told()
                    + ", was used after it was closed: close it later, keep it with scope.keep(...), or make it anew.");
        }
        return handle.impl;
    }

    static Tensor make(TensorOptions o, Function<TensorOptions, TensorImpl> factory) {
        TensorImpl impl = factory.apply(o);
        if (o.requiresGrad()) {
            impl.requiresGrad(true);
        }
        return wrap(impl);
    }

    /** Lets the array go; its memory is free once nothing else holds it. Idempotent. */
    @Override
    public void close() {
        handle.close();
    }

    /** {@return whether {@link #close} was called, by whomever} */
    public boolean isClosed() {
        return handle.isClosed();
    }

    /** {@return dtype, shape and device, as {@code float32[2, 3] on cuda:0}; never touches the device} */
    public String describe() {
        return handle.impl.describe();
    }

    /**
     * The numbers as PyTorch prints them, for instance {@code tensor([1., 2.], device='cuda:0')}: aligned, above 1,000
     * elements the first and the last three of each dimension, then what they do not tell of dtype, device and
     * gradient. A tensor whose device has no values shows its size. Copies what it shows to the host, waiting for the
     * thread's stream, and allocates nothing: no figure of the device changes. Never throws: a tensor that is closed,
     * or whose device fails, says so. {@link #describe} is the short form, which leaves the device alone.
     *
     * @return text of as many lines as PyTorch's
     */
    @Override
    public String toString() {
        if (isClosed()) {
            return "Tensor(" + describe() + ", closed)";
        }
        TensorImpl impl = handle.impl;
        try {
            impl.retain(); // another thread may close the tensor meanwhile
        } catch (IllegalStateException e) {
            return "Tensor(" + describe() + ", closed)";
        }
        try {
            return TensorText.of(impl);
        } catch (RuntimeException e) {
            return "Tensor(" + describe() + ", its values cannot be read: " + e.getMessage() + ")";
        } finally {
            impl.release();
            Reference.reachabilityFence(this);
        }
    }

    Handle handle() {
        return handle;
    }
}

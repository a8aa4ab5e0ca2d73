package io.vramlab.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A region of one thread's work: closing it closes every tensor made inside it on that thread and not kept. What takes
 * the place of Python's reference counts in a loop:
 *
 * <pre>
 * try (var step = Scope.open()) {
 *     var loss = model.forward(x).pow(2).mean();
 *     loss.backward();
 * }
 * </pre>
 *
 * <p>
 * Scopes nest; a kept tensor belongs to the enclosing scope. Gradients belong to their leaves, not to scopes. A scope
 * does not keep dropped tensors from the collector.
 */
public final class Scope implements AutoCloseable {

    private static final int FIRST_SWEEP = 64;

    private final ThreadHolds thread;
    private final Scope outer;
    private List<Handle> handles = new ArrayList<>();
    private int sweepAt = FIRST_SWEEP;
    private final boolean inner;
    private boolean closed;

    private Scope(ThreadHolds thread, boolean inner) {
        this.thread = thread;
        this.inner = inner;
        this.outer = thread.scope;
        thread.scope = this;
    }

    /**
     * Opens a scope on this thread.
     *
     * @return to be closed by the same thread, before any scope that was open before
     */
    public static Scope open() {
        return new Scope(ThreadHolds.current(), false);
    }

    /**
     * One of the runtime's own: what counted places hold when it is closed stays theirs; see {@link Lifetimes}.
     *
     * @return to be closed by the same thread, before any scope that was open before
     */
    public static Scope inner() {
        return new Scope(ThreadHolds.current(), true);
    }

    static void register(Handle handle) {
        Scope scope = ThreadHolds.current().scope;
        if (scope != null) {
            scope.add(handle);
        }
    }

    private void add(Handle handle) {
        handles.add(handle);
        if (handles.size() >= sweepAt) {
            handles.removeIf(Handle::isClosed);
            sweepAt = Math.max(FIRST_SWEEP, handles.size() * 2);
        }
    }

    /**
     * Hands a tensor to the enclosing scope, or to the caller when there is none; returns it.
     *
     * @param <T>
     *            class of the tensor
     * @param tensor
     *            made in this scope, else nothing happens
     * @return the tensor
     */
    public <T extends Tensor> T keep(T tensor) {
        if (handles.remove(tensor.handle()) && outer != null) {
            outer.add(tensor.handle());
        }
        return tensor;
    }

    /**
     * Takes a tensor out of all scopes of this thread: state that outlives them, as an optimizer's; returns it.
     *
     * @param <T>
     *            class of the tensor
     * @param tensor
     *            of whichever scope
     * @return the tensor, which its holder now must close
     */
    public static <T extends Tensor> T release(T tensor) {
        for (Scope s = ThreadHolds.current().scope; s != null; s = s.outer) {
            s.handles.remove(tensor.handle());
        }
        return tensor;
    }

    /**
     * Runs code of the program's that one of the runtime's own scopes surrounds, a hook for instance: what it makes
     * belongs to the program's nearest scope, or to nobody but itself.
     *
     * @param <T>
     *            class of what the code gives
     * @param code
     *            run at once, on this thread
     * @return what it gives
     */
    public static <T> T ofProgram(Supplier<T> code) {
        ThreadHolds thread = ThreadHolds.current();
        Scope before = thread.scope;
        Scope program = before;
        while (program != null && program.inner) {
            program = program.outer;
        }
        thread.scope = program;
        try {
            return code.get();
        } finally {
            thread.scope = before;
        }
    }

    /**
     * Closes what was made inside and not kept, the latest first. Idempotent.
     *
     * @throws IllegalStateException
     *             if a scope opened after this one is still open
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (thread.scope != this) {
            throw new IllegalStateException("A scope was closed while one opened after it is still open, or on another "
                    + "thread: close them in the reverse order, as try (var s = Scope.open()) does.");
        }
        closed = true;
        thread.scope = outer;
        List<Handle> mine = handles;
        handles = List.of();
        for (int i = mine.size() - 1; i >= 0; i--) {
            if (!inner || !mine.get(i).isKept()) {
                mine.get(i).close();
            }
        }
    }
}

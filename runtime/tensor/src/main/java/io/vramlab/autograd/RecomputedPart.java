package io.vramlab.autograd;

import io.vramlab.device.DType;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.SavedTensorHooks;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.AutogradException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A checkpointed part of a graph, after PyTorch's {@code torch.utils.checkpoint}. In forward it counts what would be
 * saved and keeps none of it. The first time backward needs one, the part runs again under hooks that collect, in the
 * same order, what would be saved; each is handed out once and then held by its node's formula alone.
 *
 * <p>
 * The input and the function are held as long as anything of the part is.
 */
final class RecomputedPart implements SavedTensorHooks, AutoCloseable {

    /** Ends a recomputation that has all it needs. */
    private static final class Enough extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Enough() {
            super("The recomputation has all it needs.", null, false, false);
        }
    }

    /** Stands for a saved tensor. */
    private static final class Slot {
        private TensorImpl recomputed;
        private boolean used;
    }

    private final UnaryOperator<Tensor> function;
    private final List<?> called;
    private final TensorImpl input;
    private final RandomState random;
    private final DType autocast = AutocastMode.dtype();
    private final List<Slot> slots = new ArrayList<>();
    private int holders = 1;
    private boolean recomputed;

    /**
     * Holds the input; the caller closes when forward is done.
     *
     * @param called
     *            functions of the program's code that the function consists of, held too
     */
    RecomputedPart(UnaryOperator<Tensor> function, List<?> called, TensorImpl input) {
        this.function = function;
        this.called = called;
        called.forEach(Lifetimes::hold);
        this.input = input.retain();
        this.random = RandomState.of(input.device());
    }

    @Override
    public Object pack(TensorImpl tensor) {
        Slot slot = new Slot();
        slots.add(slot);
        holders++;
        return slot;
    }

    @Override
    public TensorImpl unpack(Object packed) {
        Slot slot = (Slot) packed;
        if (slot.used || !recomputed) {
            recompute();
        }
        if (slot.recomputed == null) {
            throw new AutogradException("A checkpointed part saved " + slots.size()
                    + " tensors in forward and fewer when it was recomputed: A different number of tensors was saved "
                    + "during the original forward and recomputation. Make the function compute the same both times.");
        }
        TensorImpl result = slot.recomputed;
        slot.recomputed = null;
        slot.used = true;
        return result;
    }

    private void recompute() {
        drop();
        Collector collector = new Collector();
        try (GradMode.State hooks = SavedTensorHooks.enter(collector);
                EnableGrad on = new EnableGrad();
                GradMode.State cast = AutocastMode.enter(autocast);
                GradMode.State back = random.replay();
                Scope scope = Scope.inner()) {
            Tensor again = Tensor.wrap(input.retain());
            Lifetimes.fresh(again);
            Lifetimes.hold(again);
            Lifetimes.calling(function, Lifetimes.ANY);
            try {
                function.apply(again);
            } finally {
                Lifetimes.drop(again);
            }
        } catch (Enough enough) {
            Lifetimes.forget(enough);
            if (collector.count != slots.size()) {
                throw enough;
            }
        }
        recomputed = true;
    }

    /** Collects what the recomputation saves; its own graph holds it too until the recomputation ends. */
    private final class Collector implements SavedTensorHooks {

        private int count;

        @Override
        public Object pack(TensorImpl tensor) {
            if (count == slots.size()) {
                throw new AutogradException("A checkpointed part saved " + slots.size()
                        + " tensors in forward and more when it was recomputed: A different number of tensors was saved "
                        + "during the original forward and recomputation. Make the function compute the same both times.");
            }
            return collect(tensor).retain();
        }

        /** The operation that saved the last one has ended. */
        @Override
        public void made(TensorImpl result) {
            if (count == slots.size()) {
                throw new Enough();
            }
        }

        /** Held by its slot. */
        private TensorImpl collect(TensorImpl tensor) {
            Slot slot = slots.get(count++);
            slot.recomputed = tensor.alias();
            slot.used = false;
            return slot.recomputed;
        }

        /** The inputs of the last operation are all that is missing: it need not be computed. */
        @Override
        public void announce(TensorImpl... inputs) {
            if (count + inputs.length == slots.size()) {
                for (TensorImpl t : inputs) {
                    collect(t);
                }
                throw new Enough();
            }
        }

        @Override
        public TensorImpl unpack(Object packed) {
            return ((TensorImpl) packed).retain();
        }

        @Override
        public void forget(Object packed) {
            ((TensorImpl) packed).release();
        }
    }

    @Override
    public void forget(Object packed) {
        Slot slot = (Slot) packed;
        if (slot.recomputed != null) {
            slot.recomputed.release();
            slot.recomputed = null;
        }
        close();
    }

    private void drop() {
        for (Slot s : slots) {
            if (s.recomputed != null) {
                s.recomputed.release();
                s.recomputed = null;
            }
        }
    }

    /** One holder less: forward, or a node that something was packed for. */
    @Override
    public void close() {
        if (--holders == 0) {
            drop();
            input.release();
            called.forEach(Lifetimes::drop);
        }
    }
}

package io.vramlab.tensor.internal.core;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.DeviceDriver;
import io.vramlab.device.Operand;
import io.vramlab.device.Stream;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.Kind;
import io.vramlab.tensor.type.Shape;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A strided array over a {@link Storage}, with its place in the autograd graph: what a {@link io.vramlab.tensor.Tensor} object is a handle
 * to. Counted by its holders (handles, saved tensors of graph nodes, gradients in flight), as PyTorch counts, because
 * backward looks at these counts: a gradient that nobody else holds is taken over instead of copied, and summed into in
 * place.
 *
 * <p>
 * Convention for all operations on this class: arguments are borrowed, a result is held once by the caller, who must
 * {@link #release} it or hand it on. Users of the runtime see {@link io.vramlab.tensor.Tensor} only.
 *
 * <p>
 * It is one object with PyTorch's fields, and long by their readers and writers; what is done with it is elsewhere.
 */
public final class TensorImpl {

    private static final VarHandle HOLDERS;

    static {
        try {
            HOLDERS = MethodHandles.lookup().findVarHandle(TensorImpl.class, "holders", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Storage storage;
    /** Of a sparse tensor what it has instead of memory of its own; null of all others. */
    private Coo coo;
    private DType dtype;
    private long[] shape;
    private long[] strides;
    private long offset;
    @SuppressWarnings("unused")
    private volatile int holders = 1;

    private boolean requiresGrad;
    private boolean inference;
    private Node gradFn;
    private int outputNr;
    private TensorImpl grad;
    private AccumulateGrad accumulator;
    private TensorImpl base;
    private boolean view;
    /** How often the graph of this tensor's memory began anew, and at which of its base's beginnings a view's was looked up. */
    private int rebases;
    private int seenRebases;
    private boolean leafView;
    private boolean viewOfWanted;
    private boolean gradientRows;
    private boolean unnoticed;
    private List<UnaryOperator<TensorImpl>> hooks;

    /** Takes over one hold on {@code storage}; {@code offset} in elements. */
    TensorImpl(Storage storage, DType dtype, long[] shape, long[] strides, long offset) {
        this.storage = storage;
        this.dtype = dtype;
        this.shape = shape;
        this.strides = strides;
        this.offset = offset;
        this.inference = ThreadState.current().inference;
    }

    /** A new contiguous tensor with whatever its memory held. */
    public static TensorImpl empty(Device device, DType dtype, long... shape) {
        long bytes = Shape.bytes(shape, dtype);
        return new TensorImpl(Storage.allocate(device, bytes), dtype, shape, Shape.contiguous(shape), 0);
    }

    /** A new tensor of those strides, which must be a permutation of dense ones. */
    public static TensorImpl emptyStrided(Device device, DType dtype, long[] shape, long[] strides) {
        return new TensorImpl(Storage.allocate(device, Shape.bytes(shape, dtype)), dtype, shape, strides, 0);
    }

    /** A sparse tensor of these rows, of [1, entries] and [entries, …]; takes over both holds. */
    public static TensorImpl sparse(long[] shape, TensorImpl indices, TensorImpl values, boolean coalesced) {
        TensorImpl made = new TensorImpl(Storage.allocate(values.device(), 0), values.dtype(), shape,
                Shape.contiguous(shape), 0);
        made.coo = new Coo(indices, values, coalesced);
        return made;
    }

    /** Whether it has rows and where they belong instead of one memory. */
    public boolean isSparse() {
        return coo != null;
    }

    /** Of a sparse tensor: where its rows belong, [1, entries]; borrowed. */
    public TensorImpl indices() {
        return coo.indices();
    }

    /** The same as a vector; held by the caller. */
    public TensorImpl rows() {
        return coo.indices().alias(new long[]{entries()}, new long[]{coo.indices().strides()[1]},
                coo.indices().offset());
    }

    /** Of a sparse tensor: its rows, [entries, …]; borrowed. */
    public TensorImpl values() {
        return coo.values();
    }

    /** Of a sparse tensor: how many rows are there. */
    public long entries() {
        return coo.indices().shape()[1];
    }

    /** Of a sparse tensor: whether each row is there once, in order. */
    public boolean isCoalesced() {
        return coo.coalesced();
    }

    /** A sparse tensor takes another's rows, sharing them; what it had goes afterwards. */
    void become(TensorImpl other) {
        Coo old = coo;
        coo = other.coo.again();
        bumpVersion();
        old.release();
    }

    /** A sparse tensor takes these, of no entries, and their holds; indices go before values. */
    void empty(TensorImpl indices, TensorImpl values) {
        Coo old = coo;
        coo = new Coo(indices, values, true);
        bumpVersion();
        old.indices().release();
        old.values().release();
    }

    /** Says what its memory is for. */
    public void kind(Kind kind) {
        storage.kind(kind);
        if (coo != null) {
            coo.kind(kind);
        }
    }

    /**
     * Marks a gradient of which only one element a row is known, in a form of the device's own: nobody but the backward of
     * logSoftmax may read it (see {@link io.vramlab.device.Kernels#keepsGradientRows}).
     */
    public void markGradientRows() {
        gradientRows = true;
    }

    /** See {@link #markGradientRows}. */
    public boolean hasGradientRows() {
        return gradientRows;
    }

    /** Another tensor on the same storage, outside the graph. */
    public TensorImpl alias(long[] newShape, long[] newStrides, long newOffset) {
        if (coo != null) {
            throw Coo.refuse(this, "A view");
        }
        storage.retain();
        return new TensorImpl(storage, dtype, newShape, newStrides, newOffset);
    }

    /** The same view of the same storage, outside the graph: detach. */
    public TensorImpl alias() {
        if (coo != null) {
            Coo rows = coo.again();
            return sparse(shape, rows.indices(), rows.values(), rows.coalesced());
        }
        return alias(shape, strides, offset);
    }

    /** As {@link #alias()}, and what is written through it is not noticed by the graph: PyTorch's {@code data}. */
    public TensorImpl data() {
        TensorImpl data = alias();
        data.unnoticed = true;
        return data;
    }

    /** Called when it was written into: graphs that saved it notice. */
    public void bumpVersion() {
        if (!unnoticed) {
            storage.bumpVersion();
        }
    }

    /** One more holder. */
    public TensorImpl retain() {
        int before = (int) HOLDERS.getAndAdd(this, 1);
        if (before <= 0) {
            HOLDERS.getAndAdd(this, -1);
            throw new IllegalStateException(
                    "A tensor of shape " + Shape.text(shape) + " was retained after its release.");
        }
        return this;
    }

    /** One holder less; the last one lets go the storage, the gradient and the graph behind it. */
    public void release() {
        int before = (int) HOLDERS.getAndAdd(this, -1);
        if (before > 1) {
            return;
        }
        if (before <= 0) {
            throw new IllegalStateException(
                    "A tensor of shape " + Shape.text(shape) + " was released more often than held.");
        }
        storage.release();
        if (coo != null) {
            coo.release();
        }
        TensorImpl root = base;
        base = null;
        if (root != null) {
            root.release();
        }
        TensorImpl g = grad;
        grad = null;
        if (g != null) {
            g.release();
        }
        Node fn = gradFn;
        gradFn = null;
        if (fn != null) {
            fn.release();
        }
    }

    /** How many hold it now. */
    public int holders() {
        return holders;
    }

    /** The memory. */
    public Storage storage() {
        return storage;
    }

    /** The device. */
    public Device device() {
        return storage.device();
    }

    public DeviceDriver driver() {
        return storage.driver();
    }

    /** Handle of the thread's current stream on its device. */
    public long stream() {
        return Stream.current(storage.device()).handle();
    }

    /** Element type. */
    public DType dtype() {
        return dtype;
    }

    /** Sizes; not to be written to. */
    public long[] shape() {
        return shape;
    }

    /** Strides in elements; not to be written to. */
    public long[] strides() {
        return strides;
    }

    /** Where the first element lies in the storage, in elements. */
    public long offset() {
        return offset;
    }

    /** Number of dimensions. */
    public int rank() {
        return shape.length;
    }

    /** Size of a dimension counted from the front, or from the back when negative. */
    public long size(int dim) {
        return shape[Shape.dim(dim, shape.length)];
    }

    /** Number of elements. */
    public long count() {
        long n = 1;
        for (long s : shape) {
            n *= s;
        }
        return n;
    }

    /** What a kernel needs to know of it. */
    public Operand operand() {
        if (coo != null) {
            throw Coo.refuse(this, "An operation on elements");
        }
        return new Operand(storage.address() + offset * dtype.bytes(), dtype, shape, strides);
    }

    /** The same, seen as a larger shape it broadcasts to. */
    public Operand operand(long[] target) {
        return Arrays.equals(target, shape)
                ? operand()
                : new Operand(storage.address() + offset * dtype.bytes(), dtype, target, expandedStrides(target));
    }

    /**
     * Strides of this tensor seen as {@code target}: 0 where broadcast. As in PyTorch, a dimension of one that a scalar
     * gains has stride 0, one that other tensors gain the stride of what lies inside it.
     */
    public long[] expandedStrides(long[] target) {
        long[] out = new long[target.length];
        int lead = target.length - shape.length;
        for (int d = 0; d < shape.length; d++) {
            out[lead + d] = shape[d] == 1 && target[lead + d] != 1 ? 0 : strides[d];
        }
        for (int d = lead - 1; d >= 0 && shape.length > 0; d--) {
            out[d] = target[d] == 1 ? target[d + 1] * out[d + 1] : 0;
        }
        return out;
    }

    /** True when elements lie one after another in row-major order. */
    public boolean isContiguous() {
        if (coo != null) {
            return false;
        }
        long expected = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            if (shape[d] == 0) {
                return true;
            }
            if (shape[d] != 1) {
                if (strides[d] != expected) {
                    return false;
                }
                expected *= shape[d];
            }
        }
        return true;
    }

    /** True when some order of the dimensions makes it contiguous. */
    public boolean isDense() {
        if (isContiguous() || coo != null) {
            return coo == null;
        }
        Integer[] order = Strides.order(shape, strides);
        long expected = 1;
        for (int d : order) {
            if (shape[d] != 1) {
                if (strides[d] != expected) {
                    return false;
                }
                expected *= shape[d];
            }
        }
        return true;
    }

    /** Whether backward accumulates into it or passes through it. */
    public boolean requiresGrad() {
        return requiresGrad || gradFn() != null;
    }

    /**
     * What PyTorch's {@code requires_grad} says: true too of a view that was made without gradients of a tensor that
     * requires them. It is no part of the graph; {@code matmul} goes by it.
     */
    public boolean saysRequiresGrad() {
        return requiresGrad() || viewOfWanted;
    }

    /** Marks a view of a tensor that requires gradients, made while they were off. */
    public void markViewOfWanted() {
        viewOfWanted = !inference;
    }

    /** Makes a leaf one that backward accumulates into, or not. */
    public void requiresGrad(boolean wanted) {
        if (gradFn != null && !wanted) {
            throw new AutogradException("requiresGrad(false) was asked of a result of " + gradFn.name()
                    + ": you can only change requiresGrad of leaf tensors. Use detach() to leave the graph.");
        }
        if (wanted && !dtype.isFloatingPoint()) {
            throw new AutogradException("requiresGrad was asked of a tensor of dtype " + dtype
                    + ": only tensors of floating point dtype can require gradients. Convert it with to(FLOAT32).");
        }
        requiresGrad = wanted;
        if (wanted && gradFn == null && storage.kind() == Kind.OTHER) {
            storage.kind(Kind.PARAMETER);
        }
    }

    /** True when no operation of the graph made it. */
    public boolean isLeaf() {
        return gradFn() == null;
    }

    /** The node that made it, or null; borrowed. */
    public Node gradFn() {
        if (base != null && seenRebases != base.rebases) {
            seenRebases = base.rebases;
            CopySlices.lookAgain(this, base);
        }
        return gradFn;
    }

    /** What this is a view of, borrowed; null if it is none. */
    TensorImpl base() {
        return base;
    }

    /** Its memory was changed in place as part of the graph: views look up their place in it anew. */
    void rebased() {
        rebases++;
    }

    /** This view's place in the graph is that of its base now. */
    void sawBase() {
        seenRebases = base.rebases;
    }

    /** Which of the node's results it is. */
    public int outputNr() {
        return outputNr;
    }

    /** Ties it to the node that made it, taking over one hold on the node. */
    public void gradFn(Node fn, int output) {
        Node old = gradFn;
        gradFn = fn;
        outputNr = output;
        if (old != null) {
            old.release();
        }
    }

    /** The accumulated gradient, or null; borrowed. */
    public TensorImpl grad() {
        return grad;
    }

    /** Replaces the gradient, taking over the caller's hold; null drops it. */
    public void grad(TensorImpl newGrad) {
        TensorImpl old = grad;
        grad = newGrad;
        if (old != null) {
            old.release();
        }
    }

    /** The node that accumulates into this leaf, held once more for the caller. */
    synchronized AccumulateGrad accumulator() {
        if (accumulator == null) {
            accumulator = new AccumulateGrad(this);
        } else {
            accumulator.retain();
        }
        return accumulator;
    }

    /** The node that accumulates into this leaf, which something of the graph holds already; borrowed. */
    synchronized AccumulateGrad end() {
        return accumulator;
    }

    /** Lets gradients of this alias of a leaf go where the leaf's go. */
    synchronized void endAt(AccumulateGrad end) {
        requiresGrad = true;
        accumulator = end;
    }

    synchronized void forgetAccumulator() {
        accumulator = null;
    }

    boolean isInference() {
        return inference;
    }

    boolean isView() {
        return view;
    }

    boolean isViewOfLeaf() {
        return leafView;
    }

    /**
     * Makes it a view of {@code of}: it holds the tensor at the root of the views, as PyTorch's does. That a view is
     * never the only holder of its storage decides whether gradients may be summed into it.
     */
    public TensorImpl markView(TensorImpl of) {
        view = true;
        leafView = of.isLeaf() && of.requiresGrad || of.leafView;
        if (!inference && base == null) {
            base = (of.base == null ? of : of.base).retain();
            seenRebases = base.rebases;
        }
        return this;
    }

    /** Hooks on the gradient of a leaf, in the order of their registration. */
    List<UnaryOperator<TensorImpl>> hooks() {
        return hooks == null ? List.of() : hooks;
    }

    void addHook(UnaryOperator<TensorImpl> hook) {
        if (gradFn != null) {
            gradFn.addHook(outputNr, hook);
            return;
        }
        if (hooks == null) {
            hooks = new ArrayList<>();
        }
        hooks.add(hook);
    }

    /** Takes another tensor's storage and form, as assigning {@code x.data} does; graph and gradient stay. */
    public void setData(TensorImpl other) {
        other.storage.retain();
        Storage old = storage;
        other.storage.kind(old.kind());
        storage = other.storage;
        dtype = other.dtype;
        shape = other.shape;
        strides = other.strides;
        offset = other.offset;
        old.release();
    }

    /** dtype, shape and device in one line: {@code float32[2, 3] on cuda:0}. */
    public String describe() {
        return (coo == null ? "" : "sparse ") + dtype + Shape.text(shape) + " on " + storage.device().name();
    }
}

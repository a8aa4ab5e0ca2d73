package io.vramlab.tensor.internal.core;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.type.AutogradException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * One step of the graph that backward walks: takes the gradients of an operation's results and gives those of its
 * inputs. It holds the nodes its gradients go to and the tensors saved for it. Counted: a result holds its node, so
 * dropping a loss drops its whole graph at once.
 *
 * <p>
 * Nodes are numbered as PyTorch numbers them, thread by thread. Its backward runs on a thread of the GPU: the nodes that a pass
 * makes have numbers of their own, so one of them may be lower than those of the nodes it leads to.
 */
public abstract class Node {

    private static final Edge[] NO_EDGES = {};
    private static final VarHandle HOLDERS;
    private static final ThreadLocal<ArrayDeque<Node>> DYING = new ThreadLocal<>();

    static {
        try {
            HOLDERS = MethodHandles.lookup().findVarHandle(Node.class, "holders", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Form of one result of the operation, to which its incoming gradient is reduced and converted. */
    public record Form(long[] shape, DType dtype, Device device) {

        static Form of(TensorImpl t) {
            return new Form(t.shape(), t.dtype(), t.device());
        }
    }

    /** How an input lay in memory: what the layout of its gradient follows. */
    public record Layout(long[] shape, long[] strides) {

        public boolean isColumnMajor() {
            return strides[0] == 1 && strides[1] == shape[0];
        }
    }

    private final String name;
    private final long sequence;
    private Layout[] layouts;
    private List<List<UnaryOperator<TensorImpl>>> hooks;
    private Edge[] next = NO_EDGES;
    private final List<Form> forms = new ArrayList<>(1);
    private SavedTensor[] saved;
    private boolean released;
    private boolean[] asked;
    private boolean differentiable;
    @SuppressWarnings("unused")
    private volatile int holders = 1;

    /** The caller holds the new node once. */
    protected Node(String name) {
        this(name, ThreadState.current().nextNode());
    }

    /** With a place of its own in the order of execution: the highest number goes first. */
    protected Node(String name, long sequence) {
        this.name = name;
        this.sequence = sequence;
    }

    /**
     * Gradients of the inputs from those of the results.
     *
     * @param grads
     *            one per result, borrowed; null where nothing flowed
     * @return one per edge, held by the caller; null for none
     */
    public abstract TensorImpl[] apply(TensorImpl[] grads);

    /** PyTorch's name, for instance {@code MulBackward0}. */
    public String name() {
        return name;
    }

    /** Place in the order of execution: the highest number goes first. */
    public long sequence() {
        return sequence;
    }

    /** Where the gradients go, one per input of the operation; null where none is wanted. */
    public Edge[] next() {
        return next;
    }

    /** Takes over the holds of those edges. */
    void next(Edge[] edges) {
        next = edges;
    }

    /** Whether the gradient of an input is wanted: it needs one, and the pass that runs, if one does, leads there. */
    public boolean wants(int input) {
        return next[input] != null && (asked == null || asked[input]);
    }

    /** Which gradients the pass that runs this asks for; null for all. */
    public void ask(boolean... inputs) {
        asked = inputs;
    }

    /** Whether the formula is made of operations of the graph, so that what it computes has gradients itself. */
    public boolean isDifferentiable() {
        return differentiable || Differentiable.NAMES.contains(name);
    }

    /** Says so of this one, where others of its name are not. */
    public Node differentiable() {
        differentiable = true;
        return this;
    }

    /** Whether what the formula computes depends on something that requires gradients. */
    public boolean touchesGraph(TensorImpl... grads) {
        for (TensorImpl g : grads) {
            if (g != null && g.requiresGrad()) {
                return true;
            }
        }
        SavedTensor[] now = saved;
        if (now != null) {
            for (SavedTensor s : now) {
                if (s != null && s.requiresGrad()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Number of results, that is of incoming gradients. */
    public int results() {
        return forms.size();
    }

    /** Form of a result. */
    public Form form(int result) {
        return forms.get(result);
    }

    /** Adds a result; returns its number. */
    public int addResult(TensorImpl result) {
        forms.add(Form.of(result));
        return forms.size() - 1;
    }

    /** Adds a hook on the gradient of a result: what it is given is borrowed; what it gives back, if not null, is held. */
    void addHook(int result, UnaryOperator<TensorImpl> hook) {
        if (hooks == null) {
            hooks = new ArrayList<>();
        }
        while (hooks.size() <= result) {
            hooks.add(new ArrayList<>());
        }
        hooks.get(result).add(hook);
    }

    /** Hooks on the gradient of a result, in the order of their registration. */
    protected List<UnaryOperator<TensorImpl>> hooks(int result) {
        return hooks == null || hooks.size() <= result ? List.of() : hooks.get(result);
    }

    /** Lets the hooks see, and perhaps replace, the gradient of a result; what stands there is held, also when one fails. */
    public void runHooks(int result, TensorImpl[] gradients) {
        for (UnaryOperator<TensorImpl> hook : hooks(result)) {
            TensorImpl replaced = hook.apply(gradients[result]);
            if (replaced != null) {
                TensorImpl old = gradients[result];
                gradients[result] = replaced;
                old.release();
            }
        }
    }

    /** Remembers how the inputs lie. */
    public void layouts(TensorImpl... inputs) {
        layouts = new Layout[inputs.length];
        for (int i = 0; i < inputs.length; i++) {
            layouts[i] = new Layout(inputs[i].shape(), inputs[i].strides());
        }
    }

    /** How an input lay, see {@link #layouts}. */
    public Layout layout(int input) {
        return layouts[input];
    }

    /** Keeps tensors for {@link #apply}; null entries are allowed. */
    public void save(SavedTensor... tensors) {
        saved = tensors;
    }

    /** A saved tensor, borrowed, or null where none was saved. */
    public TensorImpl saved(int i) {
        if (released) {
            throw new AutogradException("Trying to backward through the graph a second time (or directly access saved "
                    + "tensors after they have already been freed). Saved intermediate values of the graph are freed when "
                    + "you call backward() or grad(). Specify retainGraph = true if you need to backward through the graph "
                    + "a second time or if you need to access saved tensors after calling backward.");
        }
        return saved[i] == null ? null : saved[i].get();
    }

    /** What is saved for backward now, borrowed; empty once backward has passed. For those who ask what holds memory. */
    public List<TensorImpl> savedTensors() {
        SavedTensor[] now = saved;
        return now == null
                ? List.of()
                : Arrays.stream(now).filter(Objects::nonNull).map(SavedTensor::impl)
                        .filter(Objects::nonNull).toList();
    }

    /** {@link #apply} has ended: what hooks gave back for it goes. */
    public void endUse() {
        if (saved != null) {
            for (SavedTensor s : saved) {
                if (s != null) {
                    s.endUse();
                }
            }
        }
    }

    /** Lets the saved tensors go: backward has passed. */
    public void releaseSaved() {
        SavedTensor[] old = saved;
        if (old == null || released) {
            return;
        }
        released = true;
        saved = null;
        for (SavedTensor s : old) {
            if (s != null) {
                s.release();
            }
        }
    }

    /** One more holder. */
    public void retain() {
        HOLDERS.getAndAdd(this, 1);
    }

    /** One holder less; the last one drops saved tensors and the nodes behind. */
    public void release() {
        int before = (int) HOLDERS.getAndAdd(this, -1);
        if (before > 1) {
            return;
        }
        if (before <= 0) {
            throw new IllegalStateException("A graph node " + name + " was released more often than held.");
        }
        ArrayDeque<Node> dying = DYING.get();
        if (dying != null) {
            dying.add(this);
            return;
        }
        // a graph may be thousands of nodes deep: a queue instead of recursion
        dying = new ArrayDeque<>();
        DYING.set(dying);
        try {
            for (Node n = this; n != null; n = dying.poll()) {
                n.die();
            }
        } finally {
            DYING.remove();
        }
    }

    private void die() {
        releaseSaved();
        dispose();
        Edge[] edges = next;
        next = NO_EDGES;
        for (Edge e : edges) {
            if (e != null) {
                e.node().release();
            }
        }
    }

    /** Lets go what a subclass holds besides saved tensors. */
    protected void dispose() {
        // most hold nothing else
    }
}

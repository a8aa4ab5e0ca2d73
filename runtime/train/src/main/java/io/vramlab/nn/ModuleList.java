package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Modules by number, found as members: {@code layers.0}, {@code layers.1}, … It is called one by one, not as a whole. */
public final class ModuleList extends Module implements Iterable<Module> {

    private final List<Module> modules = new ArrayList<>();

    /**
     * Those modules, in order.
     *
     * @param modules
     *            the first is member 0
     */
    public ModuleList(Module... modules) {
        this(List.of(modules));
    }

    /**
     * Those modules, in order.
     *
     * @param modules
     *            the first is member 0; the list is copied
     */
    public ModuleList(List<? extends Module> modules) {
        this.modules.addAll(modules);
    }

    /**
     * Adds one at the end.
     *
     * @param module
     *            from now on a member
     * @return this
     */
    public ModuleList append(Module module) {
        modules.add(module);
        return this;
    }

    /**
     * The same by the name that Java's lists have.
     *
     * @param module
     *            from now on a member
     * @return this
     */
    public ModuleList add(Module module) {
        return append(module);
    }

    /**
     * Adds several at the end.
     *
     * @param more
     *            in order
     * @return this
     */
    public ModuleList extend(List<? extends Module> more) {
        modules.addAll(more);
        return this;
    }

    /**
     * {@return the i-th; a negative number counts from the end}
     *
     * @param i
     *            from 0, or from -1 backwards
     * @throws IndexOutOfBoundsException
     *             if there is none
     */
    public Module get(int i) {
        return modules.get(i < 0 ? i + modules.size() : i);
    }

    /**
     * Puts another in the i-th place.
     *
     * @param i
     *            from 0, or from -1 backwards
     * @param module
     *            a member from now on; the one before is none any more, and not closed
     * @throws IndexOutOfBoundsException
     *             if there is none
     */
    public void set(int i, Module module) {
        modules.set(i < 0 ? i + modules.size() : i, module);
    }

    /** {@return number of modules} */
    public int size() {
        return modules.size();
    }

    @Override
    public Iterator<Module> iterator() {
        return List.copyOf(modules).iterator();
    }

    @Override
    public Tensor forward(Tensor input) {
        throw new TensorException(
                "A ModuleList of " + modules.size() + " modules was called: it says nothing of how they "
                        + "follow each other. Call them in your forward, or use Sequential.");
    }
}

package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Modules by number, found as members: {@code layers.0}, {@code layers.1}, … It is called one by one, not as a whole. */
public class ModuleList extends Module implements Iterable<Module> {

    private final List<Module> modules = new ArrayList<>();

    /**
     * Those modules, in order.
     *
     * @param modules
     *            the first is member 0
     */
    public ModuleList(Module... modules) {
        this(Arrays.asList(modules));
    }

    /**
     * Those modules, in order.
     *
     * @param modules
     *            the first is member 0; the list is copied
     */
    public ModuleList(List<? extends Module> modules) {
        extend(modules);
    }

    /**
     * Adds one at the end.
     *
     * @param module
     *            from now on a member
     * @return this
     */
    public ModuleList append(Module module) {
        Numbering.takes(this, module, "ModuleList");
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
    public ModuleList extend(Iterable<? extends Module> more) {
        more.forEach(this::append);
        return this;
    }

    /**
     * Puts one before the i-th; those behind it are numbered by one more.
     *
     * @param i
     *            from 0 to the size, or from -1 backwards
     * @param module
     *            a member from now on
     * @throws IndexOutOfBoundsException
     *             if there is no such place
     */
    public void insert(int i, Module module) {
        Numbering.takes(this, module, "ModuleList");
        modules.add(Numbering.place(i, modules.size(), modules.size() + 1, "insert"), module);
    }

    /**
     * Takes the i-th out; those behind it are numbered by one less.
     *
     * @param i
     *            from 0, or from -1 backwards
     * @return the one taken out, which is not closed
     * @throws IndexOutOfBoundsException
     *             if there is none
     */
    public Module pop(int i) {
        return modules.remove(Numbering.place(i, modules.size(), modules.size(), "pop"));
    }

    @Override
    void hold(String name, Module module) {
        Numbering.takes(this, module, "ModuleList");
        int i = 0;
        while (i < modules.size() && !name.equals(Integer.toString(i))) {
            i++;
        }
        if (i == modules.size() && !name.equals(Integer.toString(i))) {
            throw new IllegalArgumentException("A module was registered as \"" + name + "\" in a ModuleList of " + i
                    + ", which names its modules by number. Append it, or use a ModuleDict.");
        }
        if (i == modules.size()) {
            modules.add(module);
        } else {
            Lifetimes.lost(modules.set(i, module));
        }
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
        return modules.get(Numbering.place(i, modules.size(), modules.size(), "get"));
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
        Numbering.takes(this, module, "ModuleList");
        Lifetimes.lost(modules.set(Numbering.place(i, modules.size(), modules.size(), "set"), module));
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

package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.core.TensorException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Modules by number, found as members: {@code layers.0}, {@code layers.1}, … It is called one by one, not as a whole. */
public final class ModuleList extends Module implements Iterable<Module> {

    private final List<Module> modules = new ArrayList<>();

    /** Those modules, in order. */
    public ModuleList(Module... modules) {
        this(List.of(modules));
    }

    /** Those modules, in order. */
    public ModuleList(List<? extends Module> modules) {
        this.modules.addAll(modules);
    }

    /** Adds one at the end; returns this. */
    public ModuleList append(Module module) {
        modules.add(module);
        return this;
    }

    /** The same by the name that Java's lists have. */
    public ModuleList add(Module module) {
        return append(module);
    }

    /** Adds several at the end; returns this. */
    public ModuleList extend(List<? extends Module> more) {
        modules.addAll(more);
        return this;
    }

    /** The i-th; a negative number counts from the end. */
    public Module get(int i) {
        return modules.get(i < 0 ? i + modules.size() : i);
    }

    /** Puts another in the i-th place. */
    public void set(int i, Module module) {
        modules.set(i < 0 ? i + modules.size() : i, module);
    }

    /** Number of modules. */
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

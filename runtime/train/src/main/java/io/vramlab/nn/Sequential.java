package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Modules one after the other. Each one's output is let go as soon as the next one's exists, unless the graph holds it:
 * PyTorch's {@code input = module(input)}. Members are named by number, or as a map or {@link #registerModule} named them.
 */
public class Sequential extends Module {

    private final Map<String, Module> layers = new LinkedHashMap<>();

    /**
     * In the order of execution.
     *
     * @param layers
     *            the first gets the input
     */
    public Sequential(Module... layers) {
        this(Arrays.asList(layers));
    }

    /**
     * In the order of execution.
     *
     * @param layers
     *            the first gets the input; the list is copied
     */
    public Sequential(List<? extends Module> layers) {
        extend(layers);
    }

    /**
     * In the map's order, under its names: PyTorch's {@code Sequential(OrderedDict(...))}.
     *
     * @param layers
     *            the first gets the input, so a map that keeps an order; it is copied
     */
    public Sequential(Map<String, ? extends Module> layers) {
        layers.forEach(this::registerModule);
    }

    /**
     * Adds one at the end, named by the number of those before it.
     *
     * @param module
     *            runs last from now on
     * @return this
     */
    public Sequential append(Module module) {
        hold(Integer.toString(layers.size()), module);
        return this;
    }

    /**
     * The same by the name that Java's lists have.
     *
     * @param module
     *            runs last from now on
     * @return this
     */
    public Sequential add(Module module) {
        return append(module);
    }

    /**
     * Adds several at the end.
     *
     * @param more
     *            in order; those of another Sequential are its {@link #layers}
     * @return this
     */
    public Sequential extend(Iterable<? extends Module> more) {
        more.forEach(this::append);
        return this;
    }

    /**
     * Puts one before the i-th; those behind it are named by one more.
     *
     * @param i
     *            from 0 to the size, or from -1 backwards
     * @param module
     *            a member from now on
     * @return this
     * @throws IndexOutOfBoundsException
     *             if there is no such place
     * @throws IllegalStateException
     *             if members have names that are no numbers
     */
    public Sequential insert(int i, Module module) {
        Numbering.takes(this, module, "Sequential");
        List<Module> all = new ArrayList<>(layers.values());
        int at = Numbering.place(i, all.size(), all.size() + 1, "insert");
        for (int k = 0; k < all.size(); k++) {
            if (!layers.containsKey(Integer.toString(k))) {
                throw new IllegalStateException(
                        "A module was inserted at " + i + " into a Sequential whose modules are named "
                                + layers.keySet() + ", so that they cannot be numbered anew. Make another from a map.");
            }
        }
        all.add(at, module);
        renumber(all);
        return this;
    }

    /**
     * Takes the i-th out. Those that are left are named by their numbers, as in PyTorch also where they had names.
     *
     * @param i
     *            from 0, or from -1 backwards
     * @return the one taken out, which is not closed
     * @throws IndexOutOfBoundsException
     *             if there is none
     */
    public Module pop(int i) {
        List<Module> all = new ArrayList<>(layers.values());
        Module gone = all.remove(Numbering.place(i, all.size(), all.size(), "pop"));
        renumber(all);
        return gone;
    }

    /**
     * Puts another in the i-th place, under the same name.
     *
     * @param i
     *            from 0, or from -1 backwards
     * @param module
     *            a member from now on; the one before is none any more, and not closed
     * @throws IndexOutOfBoundsException
     *             if there is none
     */
    public void set(int i, Module module) {
        hold(List.copyOf(layers.keySet()).get(Numbering.place(i, layers.size(), layers.size(), "set")), module);
    }

    private void renumber(List<Module> all) {
        layers.clear();
        extend(all);
    }

    @Override
    void hold(String name, Module module) {
        Numbering.takes(this, module, "Sequential");
        Lifetimes.lost(layers.put(name, module));
    }

    /**
     * {@return the i-th module; a negative number counts from the end}
     *
     * @param i
     *            from 0, or from -1 backwards
     * @throws IndexOutOfBoundsException
     *             if there is none
     */
    public Module get(int i) {
        return layers().get(Numbering.place(i, layers.size(), layers.size(), "get"));
    }

    /** {@return number of modules} */
    public int size() {
        return layers.size();
    }

    /** {@return the modules as they are now, in order} */
    public List<Module> layers() {
        return List.copyOf(layers.values());
    }

    @Override
    public Tensor forward(Tensor input) {
        Tensor x = input;
        for (Module layer : layers.values()) {
            Tensor next = layer.call(x);
            Lifetimes.fresh(next);
            if (x != input && x != next) {
                Lifetimes.done(x);
            }
            x = next;
        }
        return x;
    }
}

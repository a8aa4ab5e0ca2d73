package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.TensorException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Modules by name, in the order in which they were added, found as members. */
public class ModuleDict extends Module {

    private final Map<String, Module> modules = new LinkedHashMap<>();

    /**
     * Those modules, in the map's order.
     *
     * @param modules
     *            whose forward this does not call
     */
    public ModuleDict(Map<String, ? extends Module> modules) {
        modules.forEach(this::hold);
    }

    /** None yet. */
    public ModuleDict() {
        this(Map.of());
    }

    /**
     * Adds one, or replaces the one of that name.
     *
     * @param name
     *            part of the members' paths, so without a dot
     * @param module
     *            from now on a member
     * @return this
     */
    public ModuleDict put(String name, Module module) {
        hold(name, module);
        return this;
    }

    @Override
    void hold(String name, Module module) {
        Numbering.takes(this, module, "ModuleDict");
        Lifetimes.lost(modules.put(name, module));
    }

    /**
     * {@return the one of that name}
     *
     * @param name
     *            as it was put
     * @throws IllegalArgumentException
     *             if there is none; the message lists those there are
     */
    public Module get(String name) {
        Module found = modules.get(name);
        if (found == null) {
            throw new IllegalArgumentException("The module \"" + name + "\" was asked of a ModuleDict that has "
                    + modules.keySet() + ": name one of these.");
        }
        return found;
    }

    /** {@return the names, in order} */
    public Set<String> keys() {
        return Set.copyOf(modules.keySet());
    }

    /** {@return number of modules} */
    public int size() {
        return modules.size();
    }

    @Override
    public Tensor forward(Tensor input) {
        throw new TensorException("A ModuleDict was called: it says nothing of how its modules follow each other. Call "
                + "them in your forward.");
    }
}

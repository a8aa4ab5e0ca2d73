package io.vramlab.nn;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Parameters by name, found by the module that holds the map as a field. */
public class ParameterDict extends Module {

    private final Map<String, Parameter> values = new LinkedHashMap<>();

    /** Empty. */
    public ParameterDict() {
        this(Map.of());
    }

    /**
     * Of those.
     *
     * @param parameters
     *            in the map's order
     */
    public ParameterDict(Map<String, Parameter> parameters) {
        values.putAll(parameters);
    }

    /**
     * {@return one of them; null where there is none of that name}
     *
     * @param name
     *            as it was put
     */
    public Parameter get(String name) {
        return values.get(name);
    }

    /**
     * One more.
     *
     * @param name
     *            part of the members' paths
     * @param parameter
     *            from now on a member
     * @return this
     */
    public ParameterDict put(String name, Parameter parameter) {
        Lifetimes.takes(this, parameter);
        Lifetimes.lost(values.put(name, parameter));
        return this;
    }

    /** {@return the names, in order} */
    public Set<String> keys() {
        return values.keySet();
    }

    /** {@return the number of parameters} */
    public int size() {
        return values.size();
    }

    /** A map computes nothing. */
    @Override
    public Tensor forward(Tensor input) {
        throw new IllegalStateException("ParameterDict should not be called: use its parameters, get(name).");
    }
}

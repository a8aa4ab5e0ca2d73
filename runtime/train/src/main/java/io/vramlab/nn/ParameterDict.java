package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Parameters by name, found by the module that holds the map as a field. */
public final class ParameterDict extends Module {

    private final Map<String, Parameter> values = new LinkedHashMap<>();

    /** Empty. */
    public ParameterDict() {
        this(Map.of());
    }

    /** Of those. */
    public ParameterDict(Map<String, Parameter> parameters) {
        values.putAll(parameters);
    }

    /** One of them; null where there is none of that name. */
    public Parameter get(String name) {
        return values.get(name);
    }

    /** One more; returns this. */
    public ParameterDict put(String name, Parameter parameter) {
        values.put(name, parameter);
        return this;
    }

    /** The names, in order. */
    public Set<String> keys() {
        return values.keySet();
    }

    /** How many. */
    public int size() {
        return values.size();
    }

    /** A map computes nothing. */
    @Override
    public Tensor forward(Tensor input) {
        throw new IllegalStateException("ParameterDict should not be called: use its parameters, get(name).");
    }
}

package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Parameters in order, found by the module that holds the list as a field. */
public final class ParameterList extends Module implements Iterable<Parameter> {

    private final List<Parameter> values = new ArrayList<>();

    /** Of those. */
    public ParameterList(Parameter... parameters) {
        values.addAll(List.of(parameters));
    }

    /** One of them. */
    public Parameter get(int index) {
        return values.get(index < 0 ? index + values.size() : index);
    }

    /** One more; returns this. */
    public ParameterList append(Parameter parameter) {
        values.add(parameter);
        return this;
    }

    /** How many. */
    public int size() {
        return values.size();
    }

    @Override
    public Iterator<Parameter> iterator() {
        return values.iterator();
    }

    /** A list computes nothing. */
    @Override
    public Tensor forward(Tensor input) {
        throw new IllegalStateException("ParameterList should not be called: use its parameters, get(i).");
    }
}

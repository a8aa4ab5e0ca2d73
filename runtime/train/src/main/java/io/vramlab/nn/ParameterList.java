package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Parameters in order, found by the module that holds the list as a field. */
public class ParameterList extends Module implements Iterable<Parameter> {

    private final List<Parameter> values = new ArrayList<>();

    /**
     * Of those.
     *
     * @param parameters
     *            the first is member 0
     */
    public ParameterList(Parameter... parameters) {
        values.addAll(List.of(parameters));
    }

    /**
     * {@return one of them}
     *
     * @param index
     *            from 0, or from -1 backwards
     * @throws IndexOutOfBoundsException
     *             if there is none
     */
    public Parameter get(int index) {
        return values.get(index < 0 ? index + values.size() : index);
    }

    /**
     * One more.
     *
     * @param parameter
     *            from now on a member
     * @return this
     */
    public ParameterList append(Parameter parameter) {
        values.add(parameter);
        return this;
    }

    /** {@return the number of parameters} */
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

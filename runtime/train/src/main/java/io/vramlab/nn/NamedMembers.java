package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/** A module whose parameters, buffers and modules have names that are no Java fields' names. */
abstract class NamedMembers extends Module {

    private final Map<String, Object> members = new LinkedHashMap<>();

    final <T> T member(String name, T value) {
        members.put(name, value);
        return value;
    }

    final Buffer buffer(String name) {
        return (Buffer) members.get(name);
    }

    @Override
    public Tensor forward(Tensor input) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " is not called on an input.");
    }
}

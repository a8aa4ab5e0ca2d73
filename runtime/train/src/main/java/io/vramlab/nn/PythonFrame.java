package io.vramlab.nn;

import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The local variables of a Python function that PyTorch's own modules consist of: what they still hold goes when the function
 * returns, in the order in which they are named first, as CPython clears a frame.
 */
final class PythonFrame implements AutoCloseable {

    private final List<Ref<Tensor>> names = new ArrayList<>();

    /** The next name, which holds nothing yet. */
    Ref<Tensor> name() {
        Ref<Tensor> name = new Ref<>();
        names.add(name);
        return name;
    }

    @Override
    public void close() {
        names.forEach(Ref::close);
    }
}

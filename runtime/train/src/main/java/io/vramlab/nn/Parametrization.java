package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import java.util.function.Function;

/**
 * What stands in a module for a weight that is computed of others whenever it is used, PyTorch's {@code ParametrizationList}: its
 * members are {@code original}, or {@code original0}, {@code original1}, …, and the module {@code 0} that computes.
 */
final class Parametrization extends NamedMembers {

    private final Function<Parametrization, Tensor> value;

    Parametrization(Function<Parametrization, Tensor> value) {
        this.value = value;
    }

    /** The weight, computed now. */
    Tensor value() {
        return value.apply(this);
    }

    @Override
    public String toString() {
        return "Parametrized" + super.toString();
    }
}

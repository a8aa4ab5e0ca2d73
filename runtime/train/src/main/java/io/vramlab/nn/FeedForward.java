package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import java.util.function.UnaryOperator;

/** The two-layer network of a transformer's layers. */
final class FeedForward {

    private FeedForward() {
    }

    /** Each result goes as soon as the next one exists, unless the graph holds it. */
    static Tensor of(Linear first, UnaryOperator<Tensor> activation, Dropout dropout, Linear second, Tensor x) {
        Tensor wide = first.call(x);
        Tensor active = then(wide, activation);
        Tensor dropped = then(active, dropout::call);
        return then(dropped, second::call);
    }

    private static Tensor then(Tensor x, UnaryOperator<Tensor> next) {
        try (x) {
            return next.apply(x);
        }
    }

    /** In inference: the activation takes no memory of its own. */
    static Tensor fast(Linear first, boolean gelu, Linear second, Tensor x) {
        try (Tensor rows = x.view(x.size(0) * x.size(1), x.size(2));
                Tensor wide = Functional.addmmActivation(first.bias, rows, first.weight, gelu);
                Tensor narrow = Functional.linear(wide, second.weight, second.bias)) {
            return narrow.view(x.size(0), x.size(1), narrow.size(1));
        }
    }
}

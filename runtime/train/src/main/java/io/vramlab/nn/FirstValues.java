package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/** First values of parameters. One allocation each: drawn in place. */
final class FirstValues {

    private FirstValues() {
    }

    static Parameter uniform(double bound, long... shape) {
        return new Parameter(Tensor.empty(shape).uniform_(-bound, bound));
    }

    /** Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010. */
    static Parameter xavierUniform(long out, long in) {
        return uniform(Math.sqrt(6.0 / (in + out)), out, in);
    }

    /** Draws a matrix anew. */
    static void xavierUniform(Parameter p) {
        double bound = Math.sqrt(6.0 / (p.size(0) + p.size(1)));
        try (Tensor values = p.detach()) {
            values.uniform_(-bound, bound);
        }
    }

    static Parameter normal(double std, long... shape) {
        return new Parameter(Tensor.empty(shape).normal_(0, std));
    }

    static Parameter zeros(long... shape) {
        return new Parameter(Tensor.zeros(shape));
    }

    static Parameter ones(long... shape) {
        return new Parameter(Tensor.ones(shape));
    }
}

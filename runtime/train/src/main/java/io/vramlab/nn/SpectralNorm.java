package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.ops.layer.WeightNorms;
import java.util.Arrays;

/** A weight over an estimate of its largest singular value (Miyato et al., 2018); see {@link Parametrizations#spectralNorm}. */
final class SpectralNorm extends NamedMembers {

    private static final int FIRST_ITERATIONS = 15;
    private static final String LEFT = "_u";
    private static final String RIGHT = "_v";

    private final int iterations;
    private final double eps;
    private final int dim;

    SpectralNorm(Parameter weight, int iterations, double eps, int dim) {
        if (iterations <= 0 || dim < 0 || dim >= weight.dim()) {
            throw new IllegalArgumentException(
                    "Spectral norm with n_power_iterations=" + iterations + " over dimension "
                            + dim + " was asked for a weight of shape " + Arrays.toString(weight.shape())
                            + ": iterations are positive, and the dimension is one of the weight's.");
        }
        this.iterations = iterations;
        this.eps = eps;
        this.dim = dim;
        if (weight.dim() == 1) {
            return;
        }
        try (GradMode.State off = GradMode.enter(false); Tensor matrix = matrix(weight)) {
            Buffer left = member(LEFT, unit(matrix.size(0)));
            Buffer right = member(RIGHT, unit(matrix.size(1)));
            WeightNorms.powerMethod(matrix.impl(), left.impl(), right.impl(), FIRST_ITERATIONS, eps);
        }
    }

    private Buffer unit(long size) {
        try (Tensor drawn = Tensor.empty(size).normal_(0, 1)) {
            return new Buffer(Functional.normalize(drawn, 2, 0, eps));
        }
    }

    private Tensor matrix(Tensor weight) {
        if (dim == 0) {
            return weight.flatten(1, -1);
        }
        int[] order = new int[weight.dim()];
        order[0] = dim;
        for (int d = 0, at = 1; d < order.length; d++) {
            if (d != dim) {
                order[at++] = d;
            }
        }
        try (Tensor turned = weight.permute(order)) {
            return turned.flatten(1, -1);
        }
    }

    @Override
    public Tensor forward(Tensor weight) {
        if (weight.dim() == 1) {
            return Functional.normalize(weight, 2, 0, eps);
        }
        Buffer left = buffer(LEFT);
        Buffer right = buffer(RIGHT);
        Tensor matrix = matrix(weight);
        if (isTraining()) {
            try (GradMode.State off = GradMode.enter(false)) {
                WeightNorms.powerMethod(matrix.impl(), left.impl(), right.impl(), iterations, eps);
            }
        }
        Tensor u = left.clone();
        Tensor v = right.clone();
        Tensor sigma;
        try (Tensor product = matrix.mv(v)) {
            sigma = u.dot(product);
        }
        return weight.div(sigma);
    }
}

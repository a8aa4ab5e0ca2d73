package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.ops.layer.WeightNorms;

/**
 * Weights that are computed of others whenever a layer uses them, PyTorch's {@code torch.nn.utils.parametrizations}:
 *
 * <pre>{@code
 * Conv1d conv = Parametrizations.weightNorm(new Conv1d(16, 32, 3));
 * Linear layer = Parametrizations.spectralNorm(new Linear(20, 40));
 * Parametrizations.register(layer, "bias", new Positive());   // any module of one tensor
 * }</pre>
 *
 * <p>
 * {@link Linear}, {@link Embedding} and the convolutions read their weights so, and modules of one's own that read them through
 * {@link Module#parametrized}. The parameter's field keeps the original; the computed weight is what {@code parametrized} gives.
 */
public final class Parametrizations {

    private Parametrizations() {
    }

    /**
     * The weight as a length g for each row and a direction v: g v / |v| (Salimans and Kingma, 2016); returns the module.
     *
     * <p>
     * Each use computes the weight anew; backward holds it no longer than the graph does, beside g, v and the norms.
     *
     * @param <M>
     *            the module's class
     * @param module
     *            whose {@code weight} is replaced
     * @return the module
     * @throws IllegalArgumentException
     *             if it has no such parameter, or does not read its weights so
     */
    public static <M extends Module> M weightNorm(M module) {
        return weightNorm(module, "weight", 0);
    }

    /**
     * The same of another parameter.
     *
     * @param <M>
     *            the module's class
     * @param module
     *            that has the parameter
     * @param name
     *            of the parameter: its field's name
     * @param dim
     *            along which lengths differ
     * @return the module
     * @throws IllegalArgumentException
     *             if it has no such parameter, or does not read its weights so
     */
    public static <M extends Module> M weightNorm(M module, String name, int dim) {
        Parameter direction = parameter(module, name);
        Parameter length;
        try (GradMode.State off = GradMode.enter(false)) {
            length = new Parameter(Tensor.wrap(WeightNorms.lengths(direction.impl(), dim)));
        }
        Parametrization all = new Parametrization(
                p -> Functional.weightNorm(direction, length, dim));
        all.member("original0", length);
        all.member("original1", direction);
        module.parametrize(name, direction, all);
        return module;
    }

    /**
     * The weight over its largest singular value, which one step of the power method for each use in training follows.
     *
     * @param <M>
     *            the module's class
     * @param module
     *            whose {@code weight} is replaced
     * @return the module
     * @throws IllegalArgumentException
     *             if it has no such parameter, or does not read its weights so
     */
    public static <M extends Module> M spectralNorm(M module) {
        return spectralNorm(module, "weight", 1, 1e-12, module instanceof Convolutional c && c.transposed ? 1 : 0);
    }

    /**
     * The same of another parameter.
     *
     * @param <M>
     *            the module's class
     * @param module
     *            that has the parameter
     * @param name
     *            of the parameter: its field's name
     * @param powerIterations
     *            steps for each use in training
     * @param eps
     *            least norm that is divided by; 1e-12 by default
     * @param dim
     *            the matrix's rows
     * @return the module
     * @throws IllegalArgumentException
     *             if there is no such parameter, it is not read so, the iterations are not positive or the dimension
     *             is none of its
     */
    public static <M extends Module> M spectralNorm(M module, String name, int powerIterations, double eps, int dim) {
        return register(module, name, new SpectralNorm(parameter(module, name), powerIterations, eps, dim));
    }

    /**
     * What a module makes of the parameter, whenever it is used; returns the module. PyTorch's
     * {@code register_parametrization}.
     *
     * @param <M>
     *            the module's class
     * @param module
     *            that has the parameter
     * @param name
     *            of the parameter: its field's name
     * @param parametrization
     *            from now on a member; is called with the original
     * @return the module
     * @throws IllegalArgumentException
     *             if there is no such parameter, it is not read so, or has a parametrization already
     */
    public static <M extends Module> M register(M module, String name, Module parametrization) {
        Parameter original = parameter(module, name);
        // what computes the value holds both, and that is a function
        Lifetimes.escape(module);
        Lifetimes.escape(parametrization);
        Parametrization all = new Parametrization(p -> parametrization.call(original));
        all.member("original", original);
        all.member("0", parametrization);
        module.parametrize(name, original, all);
        return module;
    }

    /**
     * {@return whether that parameter is computed}
     *
     * @param module
     *            asked alone, not those inside
     * @param name
     *            of the parameter: its field's name
     */
    public static boolean isParametrized(Module module, String name) {
        return module.parametrizations().containsKey(name);
    }

    /**
     * Makes the parameter be its present value again, PyTorch's {@code remove_parametrizations}; returns the module.
     *
     * @param <M>
     *            the module's class
     * @param module
     *            that has the parametrization
     * @param name
     *            of the parameter: its field's name
     * @return the module
     * @throws IllegalArgumentException
     *             if that parameter has none
     */
    public static <M extends Module> M remove(M module, String name) {
        Parametrization all = module.parametrizations().get(name);
        if (all == null) {
            throw new IllegalArgumentException("Module " + module.getClass().getSimpleName()
                    + " does not have a parametrization on " + name + ": it has " + module.parametrizations().keySet()
                    + ".");
        }
        Parameter original = module.unparametrize(name);
        try (GradMode.State off = GradMode.enter(false); Tensor now = all.value()) {
            original.copy_(now);
        }
        return module;
    }

    private static Parameter parameter(Module module, String name) {
        Parameter found = Members.of(module, Parameter.class).get(name);
        if (found == null || !reads(module)) {
            throw new IllegalArgumentException("A parametrization of \"" + name + "\" was asked for a "
                    + module.getClass().getSimpleName() + " "
                    + (found == null
                            ? "that has " + Members.of(module, Parameter.class).keySet()
                            : "which does not read its weights so: Linear, Embedding and the convolutions do, and a "
                                    + "forward of one's own that reads them through parametrized(...)")
                    + ". One parametrization of a parameter is possible.");
        }
        return found;
    }

    /** Whether what computes reads weights through {@link Module#parametrized}; of a forward of others that is trusted. */
    private static boolean reads(Module module) {
        return module instanceof Linear || module instanceof Convolutional || module instanceof Embedding
                || Members.computing(module).getPackage() != Module.class.getPackage();
    }
}

package io.vramlab.distributions;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Shares that add up to one: {@code torch.distributions.Dirichlet}. */
public class Dirichlet extends Distribution {

    private final Tensor concentration;

    /**
     * Checked.
     *
     * @param concentration
     *            one distribution in each row of the last dimension, above 0
     * @throws IllegalArgumentException
     *             if it is not, or has no dimension
     */
    public Dirichlet(Tensor concentration) {
        this(concentration, null);
    }

    /**
     * Checked or not.
     *
     * @param concentration
     *            one distribution in each row of the last dimension, above 0
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if it is checked and not so, or has no dimension
     */
    public Dirichlet(Tensor concentration, Boolean validateArgs) {
        this(concentration, validateArgs, false);
    }

    /** Of a tensor that was made for it. */
    Dirichlet(Tensor concentration, Boolean validateArgs, boolean made) {
        super(validateArgs);
        if (concentration.dim() < 1) {
            throw new IllegalArgumentException("`concentration` parameter must be at least one-dimensional.");
        }
        this.concentration = made ? own(concentration) : hold(concentration);
        shapes(Shapes.front(concentration.shape(), 1), Shapes.back(concentration.shape(), 1));
        checkParameters("concentration", concentration, Constraint.independent(Constraint.POSITIVE, 1));
    }

    final Term concentrationTerm() {
        return Term.of(concentration);
    }

    /** {@return the concentration of each, in the batch's shape} */
    public final Tensor concentration() {
        return concentrationTerm().give();
    }

    @Override
    Constraint support() {
        return Constraint.SIMPLEX;
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        try (Term expanded = Term.made(concentration.expand(extended(sampleShape))).named()) {
            return expanded.map(Tensor::sampleDirichlet).give();
        }
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        return concentrationTerm().sub(1).xlogy(Term.of(value)).sum().add(concentrationTerm().sum().lgamma())
                .sub(concentrationTerm().lgamma().sum()).give();
    }

    @Override
    public Tensor mean() {
        return concentrationTerm().div(concentrationTerm().sumKept()).give();
    }

    @Override
    public Tensor mode() {
        try (Term less = concentrationTerm().sub(1).map(t -> t.clampMin(0)).named();
                Term mode = less.div(less.sumKept()).named();
                Term mask = concentrationTerm().map(t -> t.lt(1)).map(t -> t.all(-1)).named();
                Term classes = mode.map(t -> t.index(mask.tensor())).map(t -> t.argmax(-1))
                        .map(t -> Functional.oneHot(t, concentration.size(-1))).map(t -> t.typeAs(mode.tensor()))
                        .named()) {
            mode.tensor().set(classes.tensor(), mask.tensor());
            return mode.give();
        }
    }

    @Override
    public Tensor variance() {
        try (Term all = concentrationTerm().sumKept().named()) {
            return concentrationTerm().mul(all.sub(concentrationTerm())).div(all.pow(2).mul(all.add(1))).give();
        }
    }

    @Override
    public Tensor entropy() {
        long k = concentration.size(-1);
        try (Term a0 = concentrationTerm().sum().named()) {
            return concentrationTerm().lgamma().sum().sub(a0.lgamma()).sub(a0.from(k).mul(a0.digamma()))
                    .sub(concentrationTerm().sub(1).mul(concentrationTerm().digamma()).sum()).give();
        }
    }
}

package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** A share between 0 and 1: {@code torch.distributions.Beta}. */
public class Beta extends Distribution {

    private final Dirichlet dirichlet;

    /**
     * Checked.
     *
     * @param concentration1
     *            the weight of 1, above 0
     * @param concentration0
     *            the weight of 0, above 0; broadcasts with the other
     * @throws IllegalArgumentException
     *             if one is not above 0
     */
    public Beta(Tensor concentration1, Tensor concentration0) {
        this(concentration1, concentration0, null);
    }

    /**
     * Checked.
     *
     * @param concentration1
     *            the weight of 1, above 0
     * @param concentration0
     *            the weight of 0 in all, above 0
     * @throws IllegalArgumentException
     *             if one is not above 0
     */
    public Beta(Tensor concentration1, double concentration0) {
        this((Object) concentration1, concentration0, null);
    }

    /**
     * One distribution, on the current device.
     *
     * @param concentration1
     *            the weight of 1, above 0
     * @param concentration0
     *            the weight of 0, above 0
     * @throws IllegalArgumentException
     *             if one is not above 0
     */
    public Beta(double concentration1, double concentration0) {
        this((Object) concentration1, concentration0, null);
    }

    /**
     * Checked or not.
     *
     * @param concentration1
     *            the weight of 1, above 0
     * @param concentration0
     *            the weight of 0, above 0; broadcasts with the other
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if they are, and one is not above 0
     */
    public Beta(Tensor concentration1, Tensor concentration0, Boolean validateArgs) {
        this((Object) concentration1, concentration0, validateArgs);
    }

    private Beta(Object concentration1, Object concentration0, Boolean validateArgs) {
        super(validateArgs);
        Tensor[] both = Parameters.broadcast(concentration1, concentration0);
        try (Term one = Parameters.named(both[0], concentration1);
                Term zero = Parameters.named(both[1], concentration0)) {
            dirichlet = new Dirichlet(Tensor.stack(-1, one.tensor(), zero.tensor()), validateArgs, true);
            shapes(dirichlet.batchShape(), new long[0]);
            try (Term first = concentration1Term().named(); Term second = concentration0Term().named()) {
                checkParameters("concentration1", first.tensor(), Constraint.POSITIVE, "concentration0",
                        second.tensor(),
                        Constraint.POSITIVE);
            }
        }
    }

    private Term part(int which) {
        return dirichlet.concentrationTerm().map(t -> t.select(-1, which));
    }

    final Term concentration1Term() {
        return part(0);
    }

    final Term concentration0Term() {
        return part(1);
    }

    @Override
    Constraint support() {
        return Constraint.UNIT_INTERVAL;
    }

    @Override
    public Tensor mean() {
        return concentration1Term().div(concentration1Term().add(concentration0Term())).give();
    }

    @Override
    public Tensor mode() {
        return Term.made(dirichlet.mode()).map(t -> t.select(-1, 0)).give();
    }

    @Override
    public Tensor variance() {
        try (Term total = concentration1Term().add(concentration0Term()).named()) {
            return concentration1Term().mul(concentration0Term()).div(total.pow(2).mul(total.add(1))).give();
        }
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        return Term.made(dirichlet.rsample(sampleShape)).map(t -> t.select(-1, 0)).give();
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        try (Term headsTails = Term.of(value).with(Term.made(value.rsub(1)), (a, b) -> Tensor.stack(-1, a, b))
                .named()) {
            return dirichlet.logProb(headsTails.tensor());
        }
    }

    @Override
    public Tensor entropy() {
        return dirichlet.entropy();
    }

    @Override
    public void close() {
        dirichlet.close();
        super.close();
    }
}

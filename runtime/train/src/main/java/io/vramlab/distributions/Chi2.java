package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** The sum of so many squared normal draws: {@code torch.distributions.Chi2}. */
public class Chi2 extends Gamma {

    /**
     * Checked.
     *
     * @param df
     *            degrees of freedom, above 0
     * @throws IllegalArgumentException
     *             if there are none
     */
    public Chi2(Tensor df) {
        this(df, null);
    }

    /**
     * Checked or not.
     *
     * @param df
     *            degrees of freedom, above 0
     * @param validateArgs
     *            whether parameters and values are checked; null for the default
     * @throws IllegalArgumentException
     *             if it is checked, and there are none
     */
    public Chi2(Tensor df, Boolean validateArgs) {
        super(Term.made(df.mul(.5)), .5, validateArgs);
        checkComputed("df", () -> concentrationTerm().mul(2), Constraint.POSITIVE);
    }

    /** {@return the degrees of freedom of each, in the batch's shape} */
    public final Tensor df() {
        return concentrationTerm().mul(2).give();
    }
}

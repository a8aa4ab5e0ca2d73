package io.vramlab.distributions;

import io.vramlab.tensor.Tensor;

/** Kullback-Leibler divergences by PyTorch's formulas (torch/distributions/kl.py), variable by variable. */
final class KlDivergences {

    private static final double EULER = 0.57721566490153286060;

    private KlDivergences() {
    }

    static Tensor of(Distribution p, Distribution q) {
        if (p instanceof Independent a && q instanceof Independent b && a.dims() == b.dims()) {
            try (Term result = Term.made(of(a.base(), b.base())).named()) {
                return Shapes.sumLast(a.dims() == 0 ? result.last() : result, a.dims()).give();
            }
        }
        if (p instanceof TransformedDistribution a && q instanceof TransformedDistribution b
                && like(a).equals(like(b))) {
            return of(a.base(), b.base());
        }
        if (p instanceof OneHotCategorical a && q instanceof OneHotCategorical b) {
            return categorical(a.categorical(), b.categorical());
        }
        if (p.getClass() == q.getClass()) {
            Tensor same = ofOneKind(p, q);
            if (same != null) {
                return same;
            }
        }
        if (p instanceof Uniform a && q instanceof Normal b) {
            return uniformNormal(a, b);
        }
        if (p instanceof Exponential a && q instanceof Gamma b) {
            return exponentialGamma(a, b);
        }
        throw new UnsupportedOperationException("The divergence of a " + p.getClass().getSimpleName() + " from a "
                + q.getClass().getSimpleName() + " was asked for, and there is no formula for these two here. "
                + "Estimate it as the mean of p.logProb(x) - q.logProb(x) over draws of p.");
    }

    private static java.util.List<?> like(TransformedDistribution of) {
        // transforms without parameters are equal if they are of one class
        return of.transforms().stream().<Object>map(t -> t instanceof AffineTransform ? t : t.getClass()).toList();
    }

    private static Tensor ofOneKind(Distribution p, Distribution q) {
        return switch (p) {
            case Normal a -> normal(a, (Normal) q);
            case Categorical a -> categorical(a, (Categorical) q);
            case Bernoulli a -> bernoulli(a, (Bernoulli) q);
            case Uniform a -> uniform(a, (Uniform) q);
            case Beta a -> beta(a, (Beta) q);
            case Gamma a -> gamma(a, (Gamma) q);
            case Dirichlet a -> dirichlet(a, (Dirichlet) q);
            case Exponential a -> exponential(a, (Exponential) q);
            case Laplace a -> laplace(a, (Laplace) q);
            case Poisson a -> poisson(a, (Poisson) q);
            default -> null;
        };
    }

    private static Tensor normal(Normal p, Normal q) {
        try (Term varRatio = p.scaleTerm().div(q.scaleTerm()).pow(2).named();
                Term t1 = p.locTerm().sub(q.locTerm()).div(q.scaleTerm()).pow(2).named()) {
            return varRatio.add(t1).sub(1).sub(varRatio.log()).mul(.5).give();
        }
    }

    private static Tensor categorical(Categorical p, Categorical q) {
        try (Term t = p.probsTerm().mul(p.logitsTerm().sub(q.logitsTerm())).named()) {
            set(t, Double.POSITIVE_INFINITY, zeros(q.probsTerm(), t));
            set(t, 0, zeros(p.probsTerm(), t));
            return t.sum().give();
        }
    }

    private static Term zeros(Term probs, Term like) {
        return probs.map(x -> x.eq(0)).map(x -> x.expandAs(like.tensor()));
    }

    private static void set(Term t, double value, Term where) {
        try (Term mask = where.named()) {
            t.tensor().set(value, mask.tensor());
        }
    }

    private static Tensor bernoulli(Bernoulli p, Bernoulli q) {
        try (Term t1 = p.probsTerm().mul(q.logitsTerm().neg().softplus().sub(p.logitsTerm().neg().softplus()))
                .named()) {
            set(t1, Double.POSITIVE_INFINITY, q.probsTerm().map(x -> x.eq(0)));
            set(t1, 0, p.probsTerm().map(x -> x.eq(0)));
            try (Term t2 = p.probsTerm().from(1).mul(q.logitsTerm().softplus().sub(p.logitsTerm().softplus()))
                    .named()) {
                set(t2, Double.POSITIVE_INFINITY, q.probsTerm().map(x -> x.eq(1)));
                set(t2, 0, p.probsTerm().map(x -> x.eq(1)));
                return t1.add(t2).give();
            }
        }
    }

    private static Tensor uniform(Uniform p, Uniform q) {
        Term result = q.highTerm().sub(q.lowTerm()).div(p.highTerm().sub(p.lowTerm())).log().named();
        set(result, Double.POSITIVE_INFINITY, q.lowTerm().with(p.lowTerm(), Tensor::gt)
                .with(q.highTerm().with(p.highTerm(), Tensor::lt), Tensor::bitwiseOr));
        return result.give();
    }

    private static Tensor beta(Beta p, Beta q) {
        try (Term sumP = p.concentration1Term().add(p.concentration0Term()).named();
                Term sumQ = q.concentration1Term().add(q.concentration0Term()).named();
                Term t1 = q.concentration1Term().lgamma().add(q.concentration0Term().lgamma()).add(sumP.lgamma())
                        .named();
                Term t2 = p.concentration1Term().lgamma().add(p.concentration0Term().lgamma()).add(sumQ.lgamma())
                        .named();
                Term t3 = p.concentration1Term().sub(q.concentration1Term()).mul(p.concentration1Term().digamma())
                        .named();
                Term t4 = p.concentration0Term().sub(q.concentration0Term()).mul(p.concentration0Term().digamma())
                        .named();
                Term t5 = sumQ.sub(sumP).mul(sumP.digamma()).named()) {
            return t1.sub(t2).add(t3).add(t4).add(t5).give();
        }
    }

    private static Tensor gamma(Gamma p, Gamma q) {
        try (Term t1 = q.concentrationTerm().mul(p.rateTerm().div(q.rateTerm()).log()).named();
                Term t2 = q.concentrationTerm().lgamma().sub(p.concentrationTerm().lgamma()).named();
                Term t3 = p.concentrationTerm().sub(q.concentrationTerm()).mul(p.concentrationTerm().digamma()).named();
                Term t4 = q.rateTerm().sub(p.rateTerm()).mul(p.concentrationTerm().div(p.rateTerm())).named()) {
            return t1.add(t2).add(t3).add(t4).give();
        }
    }

    private static Tensor dirichlet(Dirichlet p, Dirichlet q) {
        try (Term sumP = p.concentrationTerm().sum().named();
                Term sumQ = q.concentrationTerm().sum().named();
                Term t1 = sumP.lgamma().sub(sumQ.lgamma()).named();
                Term t2 = p.concentrationTerm().lgamma().sub(q.concentrationTerm().lgamma()).sum().named();
                Term t3 = p.concentrationTerm().sub(q.concentrationTerm()).named();
                Term t4 = p.concentrationTerm().digamma().sub(sumP.digamma().map(t -> t.unsqueeze(-1))).named()) {
            return t1.sub(t2).add(t3.mul(t4).sum()).give();
        }
    }

    private static Tensor exponential(Exponential p, Exponential q) {
        try (Term ratio = q.rateTerm().div(p.rateTerm()).named(); Term t1 = ratio.log().neg().named()) {
            return t1.add(ratio).sub(1).give();
        }
    }

    private static Tensor laplace(Laplace p, Laplace q) {
        try (Term ratio = p.scaleTerm().div(q.scaleTerm()).named();
                Term apart = p.locTerm().sub(q.locTerm()).abs().named();
                Term t1 = ratio.log().neg().named();
                Term t2 = apart.div(q.scaleTerm()).named();
                Term t3 = ratio.mul(apart.neg().div(p.scaleTerm()).exp()).named()) {
            return t1.add(t2).add(t3).sub(1).give();
        }
    }

    private static Tensor poisson(Poisson p, Poisson q) {
        return p.rateTerm().mul(p.rateTerm().log().sub(q.rateTerm().log())).sub(p.rateTerm().sub(q.rateTerm())).give();
    }

    private static Tensor uniformNormal(Uniform p, Normal q) {
        try (Term common = p.highTerm().sub(p.lowTerm()).named();
                Term t1 = q.scaleTerm().mul(Math.sqrt(2 * Math.PI)).div(common).log().named();
                Term t2 = common.pow(2).div(12).named();
                Term t3 = p.highTerm().add(p.lowTerm()).sub(q.locTerm().mul(2)).div(2).pow(2).named()) {
            return t1.add(t2.add(t3).mul(.5).div(q.scaleTerm().pow(2))).give();
        }
    }

    private static Tensor exponentialGamma(Exponential p, Gamma q) {
        try (Term ratio = q.rateTerm().div(p.rateTerm()).named();
                Term t1 = q.concentrationTerm().neg().mul(ratio.log()).named()) {
            return t1.add(ratio).add(q.concentrationTerm().lgamma()).add(q.concentrationTerm().mul(EULER))
                    .sub(1 + EULER)
                    .give();
        }
    }
}

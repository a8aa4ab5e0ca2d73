package io.vramlab.distributions;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import java.util.List;

/** What transforms make of another distribution's draws: {@code torch.distributions.TransformedDistribution}. */
public class TransformedDistribution extends Distribution {

    private final Distribution base;
    private final List<Transform> transforms;

    /**
     * Through one transform; checked.
     *
     * @param base
     *            what is drawn from first; held
     * @param transform
     *            applied to its draws; held
     */
    public TransformedDistribution(Distribution base, Transform transform) {
        this(base, List.of(transform), null);
    }

    /**
     * Through several transforms; checked.
     *
     * @param base
     *            what is drawn from first; held
     * @param transforms
     *            applied to its draws, the first first; held
     */
    public TransformedDistribution(Distribution base, List<? extends Transform> transforms) {
        this(base, transforms, null);
    }

    /**
     * Through several transforms.
     *
     * @param base
     *            what is drawn from first; held
     * @param transforms
     *            applied to its draws, the first first; held
     * @param validateArgs
     *            whether values are checked; null for the default
     */
    public TransformedDistribution(Distribution base, List<? extends Transform> transforms, Boolean validateArgs) {
        super(validateArgs);
        this.base = base;
        this.transforms = List.copyOf(transforms);
        Lifetimes.takes(this, base);
        this.transforms.forEach(each -> Lifetimes.takes(this, each));
        shapes(base.batchShape(), base.eventShape());
    }

    final Distribution base() {
        return base;
    }

    final List<Transform> transforms() {
        return transforms;
    }

    @Override
    Constraint support() {
        return transforms.isEmpty()
                ? base.support()
                : Constraint.independent(transforms.getLast().codomain(), eventShape().length);
    }

    @Override
    public boolean hasRsample() {
        return base.hasRsample();
    }

    private Tensor through(Tensor drawn) {
        Tensor x = drawn;
        for (Transform each : transforms) {
            Tensor y = each.call(x);
            letGo(x, y);
            x = y;
        }
        return x;
    }

    /** A step's value goes when the next is there, unless a transform remembers it. */
    private void letGo(Tensor gone, Tensor next) {
        if (gone != next && transforms.stream().noneMatch(each -> each.remembers(gone))) {
            gone.close();
        }
    }

    @Override
    public Tensor sample(long... sampleShape) {
        try (GradMode.State off = GradMode.enter(false)) {
            return through(base.sample(sampleShape));
        }
    }

    @Override
    public Tensor rsample(long... sampleShape) {
        return through(base.rsample(sampleShape));
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        Term sum = null;
        Tensor y = value;
        for (Transform each : transforms.reversed()) {
            Tensor x = each.inv(y);
            Term slope = Shapes.sumLast(each.logAbsDetJacobian(Term.of(x), Term.of(y)), eventShape().length);
            sum = sum == null ? slope.from(0) : sum.sub(slope);
            if (y != value) {
                letGo(y, x);
            }
            y = x;
        }
        Term last = Shapes.sumLast(Term.made(base.logProb(y)), eventShape().length - base.eventShape().length);
        sum = sum == null ? last.add(0) : sum.add(last);
        if (y != value) {
            letGo(y, null);
        }
        return sum.give();
    }

    @Override
    public Tensor cdf(Tensor value) {
        Term at = Term.of(value);
        for (Transform each : transforms.reversed()) {
            at = at.map(each::inv);
        }
        base.checkValue(at.tensor());
        return turned(at.map(base::cdf)).give();
    }

    @Override
    public Tensor icdf(Tensor value) {
        Term at = turned(Term.of(value)).map(base::icdf);
        for (Transform each : transforms) {
            at = at.map(each::call);
        }
        return at.give();
    }

    /** A falling function turns probabilities round. */
    private Term turned(Term probability) {
        int sign = transforms.stream().mapToInt(Transform::sign).reduce(1, (a, b) -> a * b);
        if (sign == 0) {
            throw absent("cdf", "Its transform's direction stands in a tensor: give it as a number.");
        }
        return sign > 0 ? probability : probability.sub(.5).mul(sign).add(.5);
    }
}

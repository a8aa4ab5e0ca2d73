package io.vramlab.distributions;

import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.GradMode;
import java.util.Arrays;

/** One of several distributions of a kind, each with its weight: {@code torch.distributions.MixtureSameFamily}. */
public class MixtureSameFamily extends Distribution {

    private final Categorical mixture;
    private final Distribution component;
    private final int eventDims;

    /**
     * Values are checked.
     *
     * @param mixture
     *            which of them; held
     * @param component
     *            all of them, along the last dimension of their batch; held
     * @throws IllegalArgumentException
     *             if their numbers or batches differ
     */
    public MixtureSameFamily(Categorical mixture, Distribution component) {
        this(mixture, component, null);
    }

    /**
     * Values are checked or not.
     *
     * @param mixture
     *            which of them; held
     * @param component
     *            all of them, along the last dimension of their batch; held
     * @param validateArgs
     *            whether values are checked; null for the default
     * @throws IllegalArgumentException
     *             if their numbers or batches differ
     */
    public MixtureSameFamily(Categorical mixture, Distribution component, Boolean validateArgs) {
        super(validateArgs);
        this.mixture = mixture;
        this.component = component;
        eventDims = component.eventShape().length;
        long[] all = component.batchShape();
        long[] batch = Shapes.front(all, 1);
        long[] mine = mixture.batchShape();
        for (int i = 1; i <= Math.min(mine.length, batch.length); i++) {
            long a = mine[mine.length - i];
            long b = batch[batch.length - i];
            if (a != 1 && b != 1 && a != b) {
                throw new IllegalArgumentException("`mixture_distribution.batch_shape` (" + Arrays.toString(mine)
                        + ") is not compatible with `component_distribution.batch_shape`(" + Arrays.toString(batch)
                        + ").");
            }
        }
        long classes = mixture.logitsTensor().size(-1);
        if (classes != all[all.length - 1]) {
            throw new IllegalArgumentException("`mixture_distribution component` (" + classes
                    + ") does not equal `component_distribution.batch_shape[-1]` (" + all[all.length - 1] + ").");
        }
        Lifetimes.takes(this, mixture);
        Lifetimes.takes(this, component);
        shapes(batch, component.eventShape());
    }

    @Override
    Constraint support() {
        Constraint each = component.support();
        return new Constraint("MixtureSameFamilyConstraint(" + each.name() + ")", each.eventDim(),
                v -> Term.made(v.tensor().unsqueeze(-1 - each.eventDim())).map(each::check)
                        .map(t -> t.reshape(Shapes.join(
                                Shapes.front(v.tensor().shape(), each.eventDim()), new long[]{-1})))
                        .map(t -> t.all(-1)));
    }

    @Override
    public boolean hasRsample() {
        return false;
    }

    private Tensor padded(Tensor x) {
        return x.unsqueeze(-1 - eventDims);
    }

    private Term probs() {
        int batch = batchShape().length;
        int mine = mixture.batchShape().length;
        long[] gap = new long[mine == 1 ? 0 : batch - mine];
        long[] events = new long[eventDims];
        Arrays.fill(gap, 1);
        Arrays.fill(events, 1);
        return mixture.probsTerm().map(p -> p.reshape(
                Shapes.join(Shapes.front(p.shape(), 1), gap, new long[]{p.size(-1)}, events)));
    }

    private Term sum(Term t) {
        return t.map(x -> x.sum(-1 - eventDims));
    }

    @Override
    public Tensor mean() {
        try (Term probs = probs().named()) {
            return sum(probs.mul(Term.made(component.mean()))).give();
        }
    }

    @Override
    public Tensor variance() {
        try (Term probs = probs().named();
                Term within = sum(probs.mul(Term.made(component.variance()))).named();
                Term between = sum(probs
                        .mul(Term.made(component.mean()).sub(Term.made(mean()).map(this::padded)).pow(2))).named()) {
            return within.add(between).give();
        }
    }

    @Override
    public Tensor cdf(Tensor value) {
        try (Term x = Term.of(value).map(this::padded).named();
                Term each = Term.made(component.cdf(x.tensor())).named()) {
            return each.mul(mixture.probsTerm()).sum().give();
        }
    }

    @Override
    public Tensor logProb(Tensor value) {
        checkValue(value);
        try (Term x = Term.of(value).map(this::padded).named();
                Term each = Term.made(component.logProb(x.tensor())).named();
                Term weights = mixture.logitsTerm().map(t -> t.logSoftmax(-1)).named()) {
            return each.add(weights).map(t -> t.logsumexp(-1)).give();
        }
    }

    @Override
    public Tensor sample(long... sampleShape) {
        int dim = sampleShape.length + batchShape().length;
        long[] event = eventShape();
        try (GradMode.State off = GradMode.enter(false);
                Term which = Term.made(mixture.sample(sampleShape)).named();
                Term drawn = Term.made(component.sample(sampleShape)).named()) {
            long[] shape = which.tensor().shape();
            long[] ones = new long[event.length + 1];
            long[] times = new long[shape.length + 1];
            Arrays.fill(ones, 1);
            Arrays.fill(times, 1);
            try (Term spread = which.map(t -> t.reshape(Shapes.join(shape, ones)))
                    .map(t -> t.repeat(Shapes.join(times, event))).named();
                    Term taken = Term.made(drawn.tensor().gather(dim, spread.tensor())).named()) {
                return taken.map(t -> t.squeeze(dim)).give();
            }
        }
    }
}

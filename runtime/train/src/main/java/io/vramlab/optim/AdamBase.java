package io.vramlab.optim;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import io.vramlab.tensor.internal.ops.train.Fused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Adam and AdamW share. State per parameter, made in the first step: {@code exp_avg} and {@code exp_avg_sq}, each
 * of the parameter's size, {@code max_exp_avg_sq} with amsgrad, and in the fused form a {@code step} scalar of 4 bytes on
 * the device. Formulas and their order: Kingma and Ba, "Adam: a method for stochastic optimization", 2014, as
 * PyTorch's {@code torch/optim/adam.py} computes them.
 */
abstract class AdamBase extends Optimizer {

    private static final String STEP = "step";
    private static final String MEAN = "exp_avg";
    private static final String SQUARE = "exp_avg_sq";
    private static final String MOST = "max_exp_avg_sq";

    private final boolean decoupled;

    AdamBase(List<?> params, double lr, double decay, boolean decoupled) {
        super(params, Map.of("lr", Settings.notNegative("lr", lr), "beta1", 0.9, "beta2", 0.999, "eps", 1e-8,
                "weight_decay", decay, "amsgrad", 0.0, "maximize", 0.0));
        this.decoupled = decoupled;
    }

    final void setBetas(double beta1, double beta2) {
        setting("beta1", Settings.fraction("beta1", beta1));
        setting("beta2", Settings.fraction("beta2", beta2));
    }

    final void set(String name, double value) {
        setting(name, value);
    }

    final void setForm(Form form) {
        choose(form);
    }

    @Override
    final void init(ParamGroup group, TensorImpl param, ParamState state) {
        if (!state.isEmpty()) {
            state.require(this, names(group));
            if (form() != Form.FUSED && state.get(STEP) != null) {
                throw new IllegalStateException(getClass().getSimpleName() + " is to step without the fused form. The "
                        + "fused form has counted the steps so far, in a tensor on the device, which the others do not "
                        + "read. Go on with fused(true), or make a new optimizer.");
            }
            return;
        }
        // all or nothing: a step that runs out of memory here can be tried again
        Map<String, TensorImpl> fresh = new LinkedHashMap<>();
        try {
            if (form() == Form.FUSED) {
                fresh.put(STEP, zeros(param, new long[0]));
            }
            fresh.put(MEAN, zeros(param, null));
            fresh.put(SQUARE, zeros(param, null));
            if (group.get("amsgrad") != 0) {
                fresh.put(MOST, zeros(param, null));
            }
        } catch (RuntimeException e) {
            fresh.values().forEach(TensorImpl::release);
            throw e;
        }
        fresh.forEach(state::put);
    }

    private List<String> names(ParamGroup group) {
        List<String> names = new ArrayList<>(List.of(MEAN, SQUARE));
        if (group.get("amsgrad") != 0) {
            names.add(MOST);
        }
        if (form() == Form.FUSED) {
            names.add(STEP);
        }
        return names;
    }

    /** Zeros of the parameter's form, or a float32 scalar. */
    private static TensorImpl zeros(TensorImpl param, long[] shape) {
        if (shape == null) {
            List<TensorImpl> one = List.of(Foreach.emptyLike(param));
            Foreach.zero_(one);
            return one.getFirst();
        }
        try (Tensor t = Tensor.zeros(TensorOptions.on(param.device()), shape)) {
            return t.impl().retain();
        }
    }

    /** What the formulas need of one parameter: bias corrections follow from its own count of steps. */
    private record Corrections(double[] stepSizes, double[] roots) {

        static Corrections of(ParamGroup group, LaunchGroup batch) {
            double[] sizes = new double[batch.size()];
            double[] roots = new double[batch.size()];
            for (int i = 0; i < sizes.length; i++) {
                long n = batch.states.get(i).nextStep();
                sizes[i] = -group.get("lr") / (1 - Math.pow(group.get("beta1"), n));
                roots[i] = Math.sqrt(1 - Math.pow(group.get("beta2"), n));
            }
            return new Corrections(sizes, roots);
        }
    }

    @Override
    final void forLoop(ParamGroup group, LaunchGroup batch) {
        // the denominator is a loop variable in PyTorch: it lives until the next round replaces it
        List<TensorImpl> denominator = List.of();
        try (Direction gradient = new Direction()) {
            for (LaunchGroup one : batch.singles()) {
                gradient.loop(group, one, decay(group, one));
                Corrections c = moments(group, one, gradient.get());
                List<TensorImpl> root = Foreach.sqrt(second(group, one));
                List<TensorImpl> divided;
                try {
                    divided = Foreach.div(root, c.roots);
                } finally {
                    Foreach.release(root);
                }
                Foreach.add_(divided, group.get("eps"));
                Foreach.release(denominator);
                denominator = divided;
                Foreach.addcdiv_(one.params, one.all(MEAN), denominator, c.stepSizes);
            }
        } finally {
            Foreach.release(denominator);
        }
    }

    @Override
    final void foreach(ParamGroup group, LaunchGroup batch) {
        Corrections c;
        try (Direction gradients = new Direction()) {
            gradients.foreach(group, batch, decay(group, batch));
            c = moments(group, batch, gradients.get());
        }
        List<TensorImpl> roots = Foreach.sqrt(second(group, batch));
        try {
            Foreach.div_(roots, c.roots);
            Foreach.add_(roots, group.get("eps"));
            Foreach.addcdiv_(batch.params, batch.all(MEAN), roots, c.stepSizes);
        } finally {
            Foreach.release(roots);
        }
    }

    /** The decay that goes into the gradients; AdamW's shrinks the parameters instead, at once. */
    private double decay(ParamGroup group, LaunchGroup batch) {
        double decay = group.get("weight_decay");
        if (decoupled && decay != 0) {
            Foreach.mul_(batch.params, 1 - group.get("lr") * decay);
            return 0;
        }
        return decay;
    }

    private static Corrections moments(ParamGroup group, LaunchGroup batch, List<TensorImpl> gradients) {
        double beta2 = group.get("beta2");
        Foreach.lerp_(batch.all(MEAN), gradients, 1 - group.get("beta1"));
        Foreach.mul_(batch.all(SQUARE), beta2);
        Foreach.addcmul_(batch.all(SQUARE), gradients, gradients, 1 - beta2);
        return Corrections.of(group, batch);
    }

    private static List<TensorImpl> second(ParamGroup group, LaunchGroup batch) {
        if (group.get("amsgrad") == 0) {
            return batch.all(SQUARE);
        }
        Foreach.maximum_(batch.all(MOST), batch.all(SQUARE));
        return batch.all(MOST);
    }

    @Override
    final void fused(ParamGroup group, LaunchGroup batch, TensorImpl scale, TensorImpl found) {
        List<TensorImpl> steps = batch.all(STEP);
        Foreach.add_(steps, 1);
        Fused.adam(batch.params, batch.grads,
                new Fused.Moments(batch.all(MEAN), batch.all(SQUARE),
                        group.get("amsgrad") == 0 ? null : batch.all(MOST), steps),
                new Fused.Adam(group.get("lr"), group.get("beta1"), group.get("beta2"), group.get("eps"),
                        group.get("weight_decay"), decoupled, group.get("maximize") != 0),
                scale, found);
        if (found != null) {
            Foreach.sub_(steps, found);
        }
    }
}

package io.vramlab.nn;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A model whose parameters are an average of another's over training, PyTorch's {@code torch.optim.swa_utils.AveragedModel}: of
 * all steps alike (Izmailov et al., 2018), or a moving average, {@link #ema}.
 *
 * <pre>{@code
 * AveragedModel average = AveragedModel.ema(model, Net::new, 0.999);
 * ...
 * optimizer.step();
 * average.updateParameters(model);
 * }</pre>
 *
 * <p>
 * Memory: parameters and buffers of the model once more, and a counter of 8 bytes. An update takes copies of what is
 * on another device than its average, and a scalar.
 */
public class AveragedModel extends Module {

    /** The averages. */
    public final Module module;
    /** int64 scalar: how many were averaged; on the CPU unless it is moved. */
    public final Buffer nAveraged;
    private final Double decay;
    private final boolean useBuffers;
    /** As {@link #nAveraged}, for where a GPU would have to be asked. */
    private long count;

    /**
     * An average of all steps alike, of parameters only; buffers are copied.
     *
     * @param <M>
     *            the model's class
     * @param model
     *            whose values are copied; not kept
     * @param form
     *            makes another module of that form, which then gets the model's values: Java's {@code copy.deepcopy}
     */
    public <M extends Module> AveragedModel(M model, Supplier<M> form) {
        this(model, form, null, false);
    }

    /**
     * With everything.
     *
     * @param <M>
     *            the model's class
     * @param model
     *            whose values are copied; not kept
     * @param form
     *            makes another module of that form, which then gets the model's values
     * @param decay
     *            of a moving average, or null for one of all alike
     * @param useBuffers
     *            whether buffers are averaged too
     * @throws IllegalArgumentException
     *             if decay is not in [0, 1]
     */
    public <M extends Module> AveragedModel(M model, Supplier<M> form, Double decay, boolean useBuffers) {
        this(decay, useBuffers, () -> Clones.like(model, form));
    }

    /**
     * An average of all steps alike, of parameters only, in a {@linkplain Module#deepCopy deep copy} of the model.
     *
     * @param model
     *            whose values are copied; not kept
     */
    public AveragedModel(Module model) {
        this(null, false, () -> deepCopy(model));
    }

    private AveragedModel(Double decay, boolean useBuffers, Supplier<? extends Module> copy) {
        if (decay != null && !(decay >= 0 && decay <= 1)) {
            throw new IllegalArgumentException("Invalid decay value " + decay
                    + " provided. Please provide a value in [0,1] range.");
        }
        this.module = copy.get();
        this.nAveraged = new Buffer(Tensor.zeros(TensorOptions.on(Device.cpu()).dtype(DType.INT64)));
        this.decay = decay;
        this.useBuffers = useBuffers;
    }

    /**
     * A moving average of parameters: decay times the average plus 1 - decay times the model's.
     *
     * @param <M>
     *            the model's class
     * @param model
     *            whose values are copied; not kept
     * @param form
     *            makes another module of that form, which then gets the model's values
     * @param decay
     *            in [0, 1], for instance 0.999; PyTorch's {@code get_ema_multi_avg_fn}
     * @return the average; its {@link #module} is what to evaluate
     * @throws IllegalArgumentException
     *             if decay is not in [0, 1]
     */
    public static <M extends Module> AveragedModel ema(M model, Supplier<M> form, double decay) {
        return new AveragedModel(model, form, decay, false);
    }

    /**
     * A moving average of parameters, in a {@linkplain Module#deepCopy deep copy} of the model.
     *
     * @param model
     *            whose values are copied; not kept
     * @param decay
     *            in [0, 1], for instance 0.999; PyTorch's {@code get_ema_multi_avg_fn}
     * @return the average; its {@link #module} is what to evaluate
     * @throws IllegalArgumentException
     *             if decay is not in [0, 1]
     */
    public static AveragedModel ema(Module model, double decay) {
        return new AveragedModel(decay, false, () -> deepCopy(model));
    }

    @Override
    public Tensor forward(Tensor input) {
        return module.call(input);
    }

    /**
     * Takes the model's present values into the averages; the first time they are copied.
     *
     * @param model
     *            borrowed, of the form that this was made of
     * @throws IllegalArgumentException
     *             if the model has another number of parameters (or, where they are averaged, buffers)
     */
    public void updateParameters(Module model) {
        try (GradMode.State off = GradMode.enter(false); Scope scope = Scope.inner()) {
            List<Tensor> averages = members(module);
            List<Tensor> values = members(model);
            if (averages.size() != values.size()) {
                throw new IllegalArgumentException("An average of " + averages.size()
                        + " tensors was to be updated by a model of " + values.size()
                        + ": give the model it was made of.");
            }
            long many = nAveraged.device().isCuda() ? count : nAveraged.itemLong();
            Map<Group, List<Tensor[]>> groups = new LinkedHashMap<>();
            for (int i = 0; i < averages.size(); i++) {
                Tensor average = averages.get(i);
                Tensor value = values.get(i).to(average.device());
                if (many == 0) {
                    average.copy_(value);
                }
                groups.computeIfAbsent(new Group(average.device(), average.dtype()), g -> new ArrayList<>())
                        .add(new Tensor[]{average, value});
            }
            if (many > 0) {
                groups.forEach((group, pairs) -> average(group, pairs, many));
            }
            if (!useBuffers) {
                List<Buffer> own = module.buffers();
                List<Buffer> theirs = model.buffers();
                for (int i = 0; i < own.size(); i++) {
                    own.get(i).copy_(theirs.get(i));
                }
            }
            nAveraged.add_(1);
            count++;
        }
    }

    private record Group(Device device, DType dtype) {
    }

    private List<Tensor> members(Module of) {
        List<Tensor> all = new ArrayList<>(of.parameters());
        if (useBuffers) {
            all.addAll(of.buffers());
        }
        return all;
    }

    /** One launch for a group, as PyTorch; its count goes to the device of the group first. */
    private void average(Group group, List<Tensor[]> pairs, long many) {
        try (Tensor there = nAveraged.to(group.device())) {
            double weight = decay == null ? 1.0 / (many + 1) : 1 - decay;
            if (!group.dtype().isFloatingPoint()) {
                pairs.forEach(pair -> whole(pair[0], pair[1], weight));
                return;
            }
            if (decay == null) {
                // PyTorch computes the weight where the count is
                try (Tensor share = share(there)) {
                    lerp(pairs, weight);
                }
            } else {
                lerp(pairs, weight);
            }
        }
    }

    /** Python's {@code 1 / (n + 1)} of a tensor: its reciprocal, times 1. */
    private static Tensor share(Tensor count) {
        try (Tensor next = count.add(1L); Tensor reciprocal = next.reciprocal()) {
            return reciprocal.mul(1);
        }
    }

    private static void lerp(List<Tensor[]> pairs, double weight) {
        List<TensorImpl> averages = pairs.stream().map(p -> p[0].impl()).toList();
        Foreach.lerp_(averages, pairs.stream().map(p -> p[1].impl()).toList(), weight);
    }

    private static void whole(Tensor average, Tensor value, double weight) {
        try (Tensor old = average.mul(1 - weight); Tensor part = value.mul(weight); Tensor sum = old.add(part)) {
            average.copy_(sum);
        }
    }

    /**
     * The running statistics of all batch norms of a model anew, as means over batches that count alike, PyTorch's
     * {@code update_bn}: averaged weights need them.
     *
     * @param batches
     *            inputs, borrowed
     * @param model
     *            whose batch norms start anew; it is in its former mode afterwards. One without batch norms is left
     *            alone, and no batch is taken
     */
    public static void updateBn(Iterable<? extends Tensor> batches, Module model) {
        List<BatchNorm> norms = model.modules().stream().filter(BatchNorm.class::isInstance).map(BatchNorm.class::cast)
                .toList();
        if (norms.isEmpty()) {
            return;
        }
        boolean training = model.isTraining();
        try (GradMode.State off = GradMode.enter(false)) {
            norms.forEach(norm -> norm.restart(true));
            model.train();
            for (Tensor batch : batches) {
                Lifetimes.done(model.call(batch));
            }
        } finally {
            norms.forEach(BatchNorm::resume);
            model.train(training);
        }
    }
}

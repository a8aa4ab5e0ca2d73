package io.vramlab.amp;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.optim.Optimizer;
import io.vramlab.tensor.Owner;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.internal.core.GradMode;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Multiplies a loss so that float16 gradients do not vanish, divides the gradients again before the optimizer sees them,
 * and skips steps whose gradients overflowed: PyTorch's {@code torch.amp.GradScaler}.
 *
 * <pre>
 * scaler.scale(loss).backward();
 * scaler.step(optimizer);
 * scaler.update();
 * </pre>
 *
 * <p>
 * Costs two scalars on the device from the first {@link #scale} on, and one more per optimizer between
 * {@link #unscale_} and {@link #update}; 512 bytes each in the allocator.
 */
public final class GradScaler extends Owner implements AutoCloseable {

    private static final double INITIAL = 65536;
    private static final double GROWTH = 2;
    private static final double BACKOFF = 0.5;
    private static final long INTERVAL = 2000;

    private double initial;
    private double growthFactor = GROWTH;
    private double backoffFactor = BACKOFF;
    private long interval;
    private long initialGrowth;
    private boolean enabled = true;
    private final Map<Optimizer, Unscaling> optimizers = new IdentityHashMap<>();
    private Tensor scale;
    private Tensor growth;

    /** Starting from PyTorch's default of 65,536, doubled after 2,000 steps without overflow. */
    public GradScaler() {
        this(INITIAL, INTERVAL);
    }

    /**
     * Starting from that scale, doubled after 2,000 steps without overflow.
     *
     * @param initial
     *            65,536 by default
     */
    public GradScaler(double initial) {
        this(initial, INTERVAL);
    }

    /**
     * Starting from that scale, doubled after so many steps without overflow, halved after one with.
     *
     * @param initial
     *            65,536 by default
     * @param interval
     *            2,000 by default
     */
    public GradScaler(double initial, long interval) {
        this.initial = initial;
        this.interval = interval;
    }

    /**
     * What the scale is multiplied by after enough steps without overflow: {@code growth_factor}.
     *
     * @param value
     *            more than 1; 2 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is not more than 1
     */
    public GradScaler growthFactor(double value) {
        if (!(value > 1)) {
            throw new IllegalArgumentException(
                    "A growth factor of " + value + " was asked for: the growth factor must be > 1.0.");
        }
        growthFactor = value;
        return this;
    }

    /**
     * What the scale is multiplied by after a step with overflow: {@code backoff_factor}.
     *
     * @param value
     *            less than 1; 0.5 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is not less than 1
     */
    public GradScaler backoffFactor(double value) {
        if (!(value < 1)) {
            throw new IllegalArgumentException(
                    "A backoff factor of " + value + " was asked for: the backoff factor must be < 1.0.");
        }
        backoffFactor = value;
        return this;
    }

    /**
     * How many steps without overflow let the scale grow: {@code growth_interval}.
     *
     * @param steps
     *            2,000 by default
     * @return this
     */
    public GradScaler growthInterval(long steps) {
        interval = steps;
        return this;
    }

    /**
     * Whether it does anything: {@code enabled}. One that is not hands losses through, steps optimizers, and has no state.
     *
     * @param on
     *            true by default
     * @return this
     */
    public GradScaler enabled(boolean on) {
        enabled = on;
        return this;
    }

    /** {@return whether it does anything} */
    public boolean isEnabled() {
        return enabled;
    }

    /** {@return what the scale grows by} */
    public double getGrowthFactor() {
        return growthFactor;
    }

    /** {@return what the scale is multiplied by after an overflow} */
    public double getBackoffFactor() {
        return backoffFactor;
    }

    /** {@return after how many steps without overflow the scale grows} */
    public long getGrowthInterval() {
        return interval;
    }

    /**
     * {@return the loss times the scale, part of the graph; the loss itself if this is not enabled}
     *
     * @param loss
     *            on the device that the scale will be on; borrowed
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if the device has no room for the scalars or the product
     */
    public Tensor scale(Tensor loss) {
        if (!enabled) {
            return loss;
        }
        if (scale == null) {
            TensorOptions on = TensorOptions.on(loss.device());
            Tensor first = Scope.release(Tensor.full(on, initial));
            try {
                growth = Scope.release(Tensor.full(on.dtype(DType.INT32), initialGrowth));
                scale = first;
            } finally {
                if (scale == null) {
                    first.close();
                }
            }
        }
        return loss.mul(scale);
    }

    /** {@return the scale now; reads it from the device} */
    public double getScale() {
        if (!enabled) {
            return 1;
        }
        return scale == null ? initial : scale.item();
    }

    private Unscaling progress(Optimizer optimizer, String what) {
        if (scale == null) {
            throw new IllegalStateException("Attempted " + what
                    + " but the scale is not initialized: call scale(loss) before backward.");
        }
        return optimizer == null ? null : optimizers.computeIfAbsent(optimizer, o -> new Unscaling());
    }

    /**
     * Divides the optimizer's gradients by the scale and looks for infinities: for clipping in between. {@link #step}
     * does it if it was not done.
     *
     * @param optimizer
     *            that steps next
     * @throws IllegalArgumentException
     *             if a gradient is float16: "Attempting to unscale FP16 gradients."
     * @throws IllegalStateException
     *             if {@link #scale} was not called, or this optimizer is unscaled or stepped already since the last
     *             {@link #update}
     */
    public void unscale_(Optimizer optimizer) {
        if (!enabled) {
            return;
        }
        Unscaling progress = progress(optimizer, "unscale_");
        if (progress.stage() == Unscaling.Stage.UNSCALED) {
            throw new IllegalStateException("unscale_() has already been called on this optimizer since the last "
                    + "update(). Call it once per step.");
        }
        if (progress.stage() == Unscaling.Stage.STEPPED) {
            throw new IllegalStateException("unscale_() is being called after step(): call it before.");
        }
        try (GradMode.State off = GradMode.enter(false);
                Tensor wide = scale.toDouble();
                Ref<Tensor> inverse = new Ref<>()) {
            inverse.set(wide.reciprocal());
            wide.close();
            inverse.set(inverse.get().toFloat());
            try (Tensor master = Tensor.full(TensorOptions.on(scale.device()), 0)) {
                progress.unscale(optimizer, inverse.get(), master, false);
            }
        }
        progress.reached(Unscaling.Stage.UNSCALED);
    }

    /**
     * Steps the optimizer with the gradients divided by the scale, unless one of them is infinite or not a number.
     *
     * @param optimizer
     *            whose gradients come from a scaled loss
     * @return whether the step was taken; a fused optimizer decides on the device, and true is returned
     * @throws IllegalStateException
     *             if {@link #scale} was not called, no parameter has a gradient, or this optimizer is stepped already
     *             since the last {@link #update}
     * @throws IllegalArgumentException
     *             if a gradient is float16, unless the optimizer is fused
     */
    public boolean step(Optimizer optimizer) {
        if (!enabled) {
            optimizer.step();
            return true;
        }
        Unscaling progress = progress(optimizer, "step");
        if (progress.stage() == Unscaling.Stage.STEPPED) {
            throw new IllegalStateException(
                    "step() has already been called since the last update(): call update() after each step.");
        }
        boolean taken = true;
        if (optimizer.takesGradScale()) {
            fusedStep(optimizer, progress);
        } else {
            if (progress.stage() == Unscaling.Stage.READY) {
                unscale_(optimizer);
            }
            if (!progress.hasLooked()) {
                throw new IllegalStateException("No inf checks were recorded for this optimizer: it has no parameter "
                        + "with a gradient. Call backward on the scaled loss first.");
            }
            taken = !progress.overflowed();
            if (taken) {
                optimizer.step();
            }
        }
        progress.reached(Unscaling.Stage.STEPPED);
        return taken;
    }

    private void fusedStep(Optimizer optimizer, Unscaling progress) {
        try (GradMode.State off = GradMode.enter(false)) {
            if (progress.stage() == Unscaling.Stage.READY) {
                checkInf(optimizer, progress);
            }
            // PyTorch hands over the sum of all devices' findings, and the scale times one: both are tensors of their own
            boolean unscaled = progress.stage() == Unscaling.Stage.UNSCALED;
            try (Tensor found = progress.sum(scale.device()); Tensor factor = unscaled ? null : scale.mul(1)) {
                optimizer.step(factor, found);
            }
        }
    }

    /** Looks for infinities without changing a gradient: unscales by one. */
    private void checkInf(Optimizer optimizer, Unscaling progress) {
        TensorOptions on = TensorOptions.on(scale.device());
        try (Tensor one = Tensor.full(on, 1); Tensor zero = Tensor.full(on, 0)) {
            progress.unscale(optimizer, one, zero, true);
        }
        if (!progress.hasLooked()) {
            throw new IllegalStateException("No inf checks were recorded for this optimizer: it has no parameter "
                    + "with a gradient. Call backward on the scaled loss first.");
        }
    }

    /**
     * Doubles the scale after enough steps without overflow, halves it after one with; starts a new round. Waits for
     * the device.
     *
     * @throws IllegalStateException
     *             if no optimizer was stepped or unscaled since the last update
     */
    public void update() {
        if (!enabled) {
            return;
        }
        if (scale == null || optimizers.values().stream().noneMatch(Unscaling::hasLooked)) {
            throw new IllegalStateException("No inf checks were recorded prior to update: call step(optimizer) first.");
        }
        boolean overflow = optimizers.values().stream().anyMatch(Unscaling::overflowed);
        if (scale.device().kind() != Device.Kind.SHAPES_ONLY) {
            try (GradMode.State off = GradMode.enter(false)) {
                adjust(overflow);
            }
        }
        forget();
    }

    private void adjust(boolean overflow) {
        long steps = overflow ? 0 : growth.itemLong() + 1;
        if (overflow) {
            scale.mul_(backoffFactor);
        } else if (steps == interval) {
            // never to infinity: PyTorch keeps the old scale then
            double grown = scale.item() * growthFactor;
            if (grown <= Float.MAX_VALUE) {
                scale.fill_(grown);
            }
            steps = 0;
        }
        growth.fill_(steps);
    }

    /**
     * Sets the scale, and starts a new round.
     *
     * @param newScale
     *            what losses are multiplied by from now on
     * @throws IllegalStateException
     *             if {@link #scale} was not called
     */
    public void update(double newScale) {
        if (enabled) {
            progress(null, "update");
            scale.fill_(newScale);
            forget();
        }
    }

    /**
     * Sets the scale from a tensor, without waiting for the device, and starts a new round.
     *
     * @param newScale
     *            one number; copied
     * @throws IllegalStateException
     *             if {@link #scale} was not called
     */
    public void update(Tensor newScale) {
        if (enabled) {
            progress(null, "update");
            scale.copy_(newScale);
            forget();
        }
    }

    /**
     * {@return scale, growth_factor, backoff_factor, growth_interval and _growth_tracker, by PyTorch's names; empty if it is not enabled;
     * waits for the device}
     */
    public Map<String, Object> stateDict() {
        Map<String, Object> state = new LinkedHashMap<>();
        if (enabled) {
            state.put("scale", getScale());
            state.put("growth_factor", growthFactor);
            state.put("backoff_factor", backoffFactor);
            state.put("growth_interval", interval);
            state.put("_growth_tracker", growthTracker());
        }
        return state;
    }

    /** {@return how many steps without overflow there were since the scale changed; reads it from the device} */
    public long growthTracker() {
        return !enabled ? 0 : growth == null ? initialGrowth : growth.itemLong();
    }

    /**
     * Goes on where another one was. A scaler that is not enabled ignores it.
     *
     * @param state
     *            as {@link #stateDict} gives it
     * @throws IllegalArgumentException
     *             if it is empty, as that of a scaler that is not enabled
     */
    public void loadStateDict(Map<String, ?> state) {
        if (!enabled) {
            return;
        }
        if (state.isEmpty()) {
            throw new IllegalArgumentException(
                    "An empty state dict was to be loaded: the source state dict is empty, possibly because it was "
                            + "saved from a disabled instance of GradScaler. Leave it, or start from defaults.");
        }
        initial = ((Number) state.get("scale")).doubleValue();
        growthFactor = ((Number) state.get("growth_factor")).doubleValue();
        backoffFactor = ((Number) state.get("backoff_factor")).doubleValue();
        interval = ((Number) state.get("growth_interval")).longValue();
        initialGrowth = ((Number) state.get("_growth_tracker")).longValue();
        if (scale != null) {
            scale.fill_(initial);
            growth.fill_(initialGrowth);
        }
    }

    private void forget() {
        optimizers.values().forEach(Unscaling::close);
        optimizers.clear();
    }

    /** Gives the scalars back. */
    @Override
    public void close() {
        forget();
        if (scale != null) {
            scale.close();
            growth.close();
            scale = null;
            growth = null;
        }
    }
}

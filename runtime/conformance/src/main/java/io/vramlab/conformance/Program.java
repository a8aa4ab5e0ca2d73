package io.vramlab.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.amp.Autocast;
import io.vramlab.amp.GradScaler;
import io.vramlab.autograd.InferenceMode;
import io.vramlab.autograd.NoGrad;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.optim.Optimizer;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.Reduction;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the statements of one recorded program. Names are bound as in Python: the new value is made first, the old one
 * released afterwards.
 */
final class Program implements AutoCloseable {

    private static final float NUDGE = 0x1p-20f;

    private final Device device;
    private final Map<String, Tensor> names = new LinkedHashMap<>();
    private final Map<String, Optimizer> optimizers = new LinkedHashMap<>();
    private final Map<String, GradScaler> scalers = new LinkedHashMap<>();
    private final Deque<Runnable> modes = new ArrayDeque<>();
    private final WideProgramExpressions further = new WideProgramExpressions();

    private final int perturbation;
    private final boolean doubled;

    /**
     * @param perturbation
     *            0 for the recorded inputs; otherwise each input element is rounded differently at about its 20th bit, in a
     *            pattern that this number chooses
     */
    Program(Device device, int perturbation) {
        this(device, perturbation, false);
    }

    private Program(Device device, int perturbation, boolean doubled) {
        this.device = device;
        this.perturbation = perturbation;
        this.doubled = doubled;
    }

    /** The recorded inputs, float64 where they were float32. */
    static Program doubled(Device device) {
        return new Program(device, 0, true);
    }

    Map<String, Tensor> names() {
        return names;
    }

    /** Runs one statement. */
    void run(JsonObject s) {
        String op = Recordings.need(s, "op").getAsString();
        switch (op) {
            case "input" -> bind(s, input(s));
            case "target" -> bind(s, target(s));
            case "index" -> bind(s, index(s));
            case "mask" -> bind(s, mask(s));
            case "del" -> ins(s).forEach(k -> value(k, names.remove(k)).close());
            case "backward" -> in(s, 0).backward(Recordings.flag(s, "retain_graph"));
            case "no_grad_begin" -> modes.push(new NoGrad()::close);
            case "inference_begin" -> modes.push(new InferenceMode()::close);
            case "autocast_begin" -> modes.push(new Autocast(dtype(s))::close);
            case "no_grad_end", "inference_end", "autocast_end" -> endMode(op);
            case "scaler" -> scalers.put(Recordings.need(s, "out").getAsString(), new GradScaler());
            case "unscale", "scaler_step", "scaler_update" -> scaled(op, s);
            case "backward_with" -> in(s, 0).backward(in(s, 1), Recordings.flag(s, "retain_graph"));
            case "optimizer" -> optimizers.put(Recordings.need(s, "out").getAsString(), optimizer(s));
            case "step" -> optimizer(first(s)).step();
            case "zero_grad" -> optimizer(first(s)).zeroGrad(Recordings.flag(s, "set_to_none"));
            case "empty_cache" -> Allocators.of(device).emptyCache();
            default -> {
                if (op.endsWith("_")) {
                    InPlaceStatements.run(op, in(s, 0), ins(s).size() > 1 ? in(s, 1) : null, s);
                } else {
                    bind(s, expression(op, s));
                }
            }
        }
    }

    private void endMode(String op) {
        if (modes.isEmpty()) {
            throw new MalformedRecordingException(op + " without its beginning");
        }
        modes.pop().run();
    }

    /** A scaler refuses what is out of turn: that is an error of the program. */
    private void scaled(String op, JsonObject s) {
        GradScaler scaler = scaler(s);
        Optimizer optimizer = op.equals("scaler_update") ? null : optimizer(ins(s).get(1));
        try {
            switch (op) {
                case "unscale" -> scaler.unscale_(optimizer);
                case "scaler_step" -> scaler.step(optimizer);
                default -> scaler.update();
            }
        } catch (IllegalStateException | IllegalArgumentException refusal) {
            throw new TensorException(refusal.getMessage());
        }
    }

    private GradScaler scaler(JsonObject s) {
        GradScaler scaler = scalers.get(first(s));
        if (scaler == null) {
            throw new MalformedRecordingException("the scaler " + first(s) + " is used before it is made");
        }
        return scaler;
    }

    private DType dtype(JsonObject s) {
        DType named = s.has("dtype") ? Recordings.dtype(s.get("dtype").getAsString()) : DType.FLOAT32;
        return doubled && named == DType.FLOAT32 ? DType.FLOAT64 : named;
    }

    private void bind(JsonObject s, Tensor value) {
        Tensor old = names.put(Recordings.need(s, "out").getAsString(), value);
        if (old != null) {
            old.close();
        }
    }

    private static List<String> ins(JsonObject s) {
        List<String> out = new ArrayList<>();
        for (JsonElement e : Recordings.need(s, "in").getAsJsonArray()) {
            out.add(e.getAsString());
        }
        return out;
    }

    private static String first(JsonObject s) {
        return Recordings.need(Recordings.array(s, "in"), 0).getAsString();
    }

    private Tensor in(JsonObject s, int i) {
        List<String> all = ins(s);
        if (i >= all.size()) {
            throw new MalformedRecordingException("a statement needs more arguments: " + s);
        }
        String name = all.get(i);
        return value(name, names.get(name));
    }

    private static Tensor value(String name, Tensor t) {
        if (t == null) {
            throw new MalformedRecordingException("the variable " + name + " is used before it is made");
        }
        return t;
    }

    private Optimizer optimizer(String name) {
        Optimizer o = optimizers.get(name);
        if (o == null) {
            throw new MalformedRecordingException("the optimizer " + name + " is used before it is made");
        }
        return o;
    }

    private Tensor input(JsonObject s) {
        long[] shape = Recordings.longs(Recordings.array(s, "shape"));
        long seed = Recordings.need(s, "seed").getAsLong();
        int count = 1;
        for (long size : shape) {
            if (size < 0 || count * size > Integer.MAX_VALUE) {
                throw new MalformedRecordingException("an input of shape " + Arrays.toString(shape) + " is too large");
            }
            count *= (int) size;
        }
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            long hash = (i * 2654435761L + seed * 40503) & 0xFFFFFFFFL;
            values[i] = (float) (hash / 4294967296.0 - 0.5);
            if (perturbation != 0) {
                values[i] = (float) values[i] * (1 + ((i * 31 + perturbation * 17) % 3 - 1) * NUDGE);
            }
        }
        return Tensor.of(TensorOptions.on(device).dtype(dtype(s)).requiresGrad(Recordings.flag(s, "requires_grad")),
                values, shape);
    }

    private Tensor index(JsonObject s) {
        long[] shape = Recordings.longs(Recordings.array(s, "shape"));
        long[] values = new long[Math.toIntExact(Arrays.stream(shape).reduce(1, Math::multiplyExact))];
        for (int i = 0; i < values.length; i++) {
            values[i] = (i * 7L + Recordings.need(s, "seed").getAsLong()) % Recordings.need(s, "high").getAsLong();
        }
        return Tensor.of(TensorOptions.on(device).dtype(DType.INT64), values, shape);
    }

    /** True above the diagonal; made on the host, as the recorder does. */
    private Tensor mask(JsonObject s) {
        long[] shape = Recordings.longs(Recordings.array(s, "shape"));
        try (Tensor ones = Tensor.ones(TensorOptions.on(Device.cpu()).dtype(DType.BOOL), shape);
                Tensor above = ones.triu(1)) {
            return above.to(device);
        }
    }

    private Tensor target(JsonObject s) {
        long[] values = new long[(int) Recordings.need(Recordings.array(s, "shape"), 0).getAsLong()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (i * 7L + Recordings.need(s, "seed").getAsLong()) % Recordings.need(s, "classes").getAsLong();
        }
        return Tensor.of(values);
    }

    private Optimizer optimizer(JsonObject s) {
        List<Tensor> params = new ArrayList<>();
        for (JsonElement e : Recordings.array(s, "params")) {
            params.add(value(e.getAsString(), names.get(e.getAsString())));
        }
        return RecordedOptimizer.make(s, params);
    }

    private Tensor expression(String op, JsonObject s) {
        if (op.equals("scale")) {
            return scaler(s).scale(in(s, 1));
        }
        Tensor a = in(s, 0);
        return switch (op) {
            case "relu" -> a.relu();
            case "gelu" -> a.gelu();
            case "sigmoid" -> a.sigmoid();
            case "tanh" -> a.tanh();
            case "exp" -> a.exp();
            case "neg" -> a.neg();
            case "abs" -> a.abs();
            case "softmax" -> Functional.softmax(a, -1);
            case "log_softmax" -> Functional.logSoftmax(a, -1);
            case "clone" -> a.clone();
            case "pow2" -> a.pow(2);
            case "sum" -> a.sum();
            case "mean" -> a.mean();
            case "detach" -> a.detach();
            case "add" -> a.add(in(s, 1));
            case "sub" -> a.sub(in(s, 1));
            case "mul" -> a.mul(in(s, 1));
            case "mul_scalar" -> a.mul(Recordings.need(s, "scalar").getAsDouble());
            case "add_scalar" -> a.add(Recordings.need(s, "scalar").getAsDouble());
            case "div_scalar" -> a.div(Recordings.need(s, "scalar").getAsDouble());
            case "linear" -> Functional.linear(a, in(s, 1), ins(s).size() > 2 ? in(s, 2) : null);
            case "bmm" -> a.bmm(in(s, 1));
            case "bmm_nt" -> {
                try (Tensor t = in(s, 1).transpose(1, 2)) {
                    yield a.bmm(t);
                }
            }
            case "layer_norm" -> layerNorm(a, Recordings.array(s, "dims"));
            case "cross_entropy" -> Functional.crossEntropy(a, in(s, 1));
            case "mse_loss" -> Functional.mseLoss(a, in(s, 1), Reduction.MEAN);
            case "bce_with_logits" -> Functional.binaryCrossEntropyWithLogits(a, in(s, 1), Reduction.MEAN);
            default -> further(op, s);
        };
    }

    private Tensor further(String op, JsonObject s) {
        Tensor[] arguments = ins(s).stream().map(name -> value(name, names.get(name))).toArray(Tensor[]::new);
        Tensor result = further.apply(op, arguments, s);
        if (result == null) {
            throw new MalformedRecordingException("the statement " + op + " is unknown");
        }
        return result;
    }

    private static Tensor layerNorm(Tensor a, JsonArray dims) {
        return Functional.layerNorm(a, Recordings.longs(dims), null, null, 1e-5);
    }

    /** Releases every name and optimizer. */
    @Override
    public void close() {
        while (!modes.isEmpty()) {
            modes.pop().run();
        }
        scalers.values().forEach(GradScaler::close);
        scalers.clear();
        optimizers.values().forEach(Optimizer::close);
        names.values().forEach(Tensor::close);
        optimizers.clear();
        names.clear();
    }
}

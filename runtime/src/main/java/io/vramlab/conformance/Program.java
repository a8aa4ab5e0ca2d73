package io.vramlab.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.autograd.NoGrad;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.optim.Adam;
import io.vramlab.optim.AdamW;
import io.vramlab.optim.Optimizer;
import io.vramlab.optim.SGD;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Reduction;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
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
    private final Deque<NoGrad> noGrad = new ArrayDeque<>();

    private final int perturbation;

    /**
     * @param perturbation
     *            0 for the recorded inputs; otherwise each input element is rounded differently at about its 20th bit, in a
     *            pattern that this number chooses
     */
    Program(Device device, int perturbation) {
        this.device = device;
        this.perturbation = perturbation;
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
            case "del" -> ins(s).forEach(k -> value(k, names.remove(k)).close());
            case "backward" -> in(s, 0).backward(Recordings.flag(s, "retain_graph"));
            case "no_grad_begin" -> noGrad.push(new NoGrad());
            case "no_grad_end" -> endNoGrad();
            case "optimizer" -> optimizers.put(Recordings.need(s, "out").getAsString(), optimizer(s));
            case "step" -> optimizer(first(s)).step();
            case "zero_grad" -> optimizer(first(s)).zeroGrad(Recordings.flag(s, "set_to_none"));
            case "empty_cache" -> Allocators.of(device).emptyCache();
            case "add_" -> in(s, 0).add_(in(s, 1));
            case "mul_scalar_" -> in(s, 0).mul_(Recordings.need(s, "scalar").getAsDouble());
            case "relu_" -> in(s, 0).relu_();
            default -> bind(s, expression(op, s));
        }
    }

    private void endNoGrad() {
        if (noGrad.isEmpty()) {
            throw new MalformedRecordingException("no_grad_end without its beginning");
        }
        noGrad.pop().close();
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
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            long hash = (i * 2654435761L + seed * 40503) & 0xFFFFFFFFL;
            values[i] = (float) (hash / 4294967296.0 - 0.5);
            if (perturbation != 0) {
                values[i] *= 1 + ((i * 31 + perturbation * 17) % 3 - 1) * NUDGE;
            }
        }
        return Tensor.of(TensorOptions.on(device).requiresGrad(Recordings.flag(s, "requires_grad")), values, shape);
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
        double lr = Recordings.need(s, "lr").getAsDouble();
        boolean foreach = Recordings.flag(s, "foreach");
        String kind = Recordings.need(s, "kind").getAsString();
        return switch (kind) {
            case "SGD" -> new SGD(params, lr).momentum(Recordings.need(s, "momentum").getAsDouble()).foreach(foreach);
            case "Adam" -> new Adam(params, lr).foreach(foreach);
            case "AdamW" -> new AdamW(params, lr).foreach(foreach);
            default -> throw new MalformedRecordingException("the optimizer kind " + kind + " is unknown");
        };
    }

    private Tensor expression(String op, JsonObject s) {
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
            default -> throw new MalformedRecordingException("the statement " + op + " is unknown");
        };
    }

    private static Tensor layerNorm(Tensor a, JsonArray dims) {
        return Functional.layerNorm(a, Recordings.longs(dims), null, null, 1e-5);
    }

    /** Releases every name and optimizer. */
    @Override
    public void close() {
        while (!noGrad.isEmpty()) {
            noGrad.pop().close();
        }
        optimizers.values().forEach(Optimizer::close);
        names.values().forEach(Tensor::close);
        optimizers.clear();
        names.clear();
    }
}

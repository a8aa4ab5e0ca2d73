package io.vramlab.conformance.models;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.device.Device;
import io.vramlab.nn.*;
import io.vramlab.nn.Module;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** How a recorded row's module is made here: from PyTorch's arguments, positional and named. */
final class ModuleTable {

    /** What is called, and the module whose parameters it has, or null. */
    record Made(Module module, Function<Tensor[], Tensor> call) {
    }

    /** The arguments of a row. */
    record Arguments(JsonArray args, JsonObject named, Device device) {

        boolean allows(int positional, String... names) {
            return args.size() <= positional && Set.of(names).containsAll(named.keySet());
        }

        JsonElement find(int i, String name) {
            return i < args.size() ? args.get(i) : named.get(name);
        }

        double d(int i, String name, double absent) {
            JsonElement e = find(i, name);
            return e == null ? absent : e.getAsDouble();
        }

        long l(int i, String name, long absent) {
            JsonElement e = find(i, name);
            return e == null ? absent : e.getAsLong();
        }

        boolean b(String name, boolean absent) {
            return named.has(name) ? named.get(name).getAsBoolean() : absent;
        }

        long[] many(int i) {
            JsonElement e = args.get(i);
            return e.isJsonArray()
                    ? e.getAsJsonArray().asList().stream().mapToLong(x -> x.isJsonNull() ? 0 : x.getAsLong()).toArray()
                    : new long[]{e.getAsLong()};
        }

        Reduction reduction() {
            String name = named.has("reduction") ? named.get("reduction").getAsString() : "mean";
            return Reduction.valueOf(name.toUpperCase());
        }

        /** A weight such as w10: value(i) + 1 on the device. */
        Tensor weight(int i, String name) {
            JsonElement e = find(i, name);
            if (e == null) {
                return null;
            }
            int n = Integer.parseInt(e.getAsString().substring(1));
            float[] v = Recorded.value(n, 500);
            for (int k = 0; k < n; k++) {
                v[k]++;
            }
            return Recorded.on(device, io.vramlab.device.DType.FLOAT32, v, n);
        }
    }

    private final Map<String, Function<Arguments, Made>> table = new HashMap<>();
    private final TransformerTable transformers = new TransformerTable();

    ModuleTable() {
        activations();
        norms();
        shapes();
        losses();
        WindowTable.addTo(this);
        RecurrentTable.addTo(this);
        RestTable.addTo(this);
        transformers.add(table);
    }

    /** The row has ended: results besides the first go. */
    void endRow() {
        transformers.closeWeights();
    }

    /** The module of a row, on the CPU but for weights of losses; null if there is none of that name and these arguments. */
    Made make(String name, Arguments arguments) {
        Function<Arguments, Made> factory = table.get(name);
        return factory == null ? null : factory.apply(arguments);
    }

    void module(String name, int positional, Function<Arguments, Module> factory, String... names) {
        table.put(name, a -> {
            if (!a.allows(positional, names)) {
                return null;
            }
            Module made = factory.apply(a);
            return new Made(made, in -> made.call(in[0]));
        });
    }

    /** Of several arguments or results. */
    void calls(String name, int positional, Function<Arguments, Made> factory, String... names) {
        table.put(name, a -> a.allows(positional, names) ? factory.apply(a) : null);
    }

    private void loss(String name, int positional, Function<Arguments, Function<Tensor[], Tensor>> factory,
            String... names) {
        table.put(name, a -> a.allows(positional, names) ? new Made(null, factory.apply(a)) : null);
    }

    private void activations() {
        module("Identity", 0, a -> new Identity());
        module("ReLU", 0, a -> new ReLU());
        module("GELU", 0, a -> new GELU());
        module("SiLU", 0, a -> new SiLU());
        module("Sigmoid", 0, a -> new Sigmoid());
        module("Tanh", 0, a -> new Tanh());
        module("ReLU6", 0, a -> new ReLU6());
        module("LeakyReLU", 1, a -> new LeakyReLU(a.d(0, "", .01)));
        module("ELU", 1, a -> new ELU(a.d(0, "", 1)));
        module("SELU", 0, a -> new SELU());
        module("CELU", 1, a -> new CELU(a.d(0, "", 1)));
        module("Mish", 0, a -> new Mish());
        module("Hardtanh", 2, a -> new Hardtanh(a.d(0, "", -1), a.d(1, "", 1)));
        module("Hardswish", 0, a -> new Hardswish());
        module("Hardsigmoid", 0, a -> new Hardsigmoid());
        module("LogSigmoid", 0, a -> new LogSigmoid());
        module("Softplus", 2, a -> new Softplus(a.d(0, "", 1), a.d(1, "", 20)));
        module("Softsign", 0, a -> new Softsign());
        module("Softshrink", 1, a -> new Softshrink(a.d(0, "", .5)));
        module("Hardshrink", 1, a -> new Hardshrink(a.d(0, "", .5)));
        module("Tanhshrink", 0, a -> new Tanhshrink());
        module("GLU", 1, a -> new GLU((int) a.l(0, "dim", -1)), "dim");
        module("Threshold", 2, a -> new Threshold(a.d(0, "", 0), a.d(1, "", 0)));
        module("PReLU", 1, a -> new PReLU(a.l(0, "", 1)));
        module("RReLU", 0, a -> new RReLU());
        module("Softmax", 1, a -> new Softmax((int) a.l(0, "", 1)));
        module("LogSoftmax", 1, a -> new LogSoftmax((int) a.l(0, "", 1)));
        module("Softmin", 1, a -> new Softmin((int) a.l(0, "", 1)));
        module("Softmax2d", 0, a -> new Softmax2d());
    }

    private void norms() {
        module("Linear", 2, a -> new Linear(a.l(0, "", 0), a.l(1, "", 0), a.b("bias", true)), "bias");
        module("BatchNorm1d", 1, a -> new BatchNorm1d(a.l(0, "", 0)));
        module("BatchNorm2d", 1, a -> new BatchNorm2d(a.l(0, "", 0)));
        module("BatchNorm3d", 1, a -> new BatchNorm3d(a.l(0, "", 0)));
        module("InstanceNorm1d", 1, a -> new InstanceNorm1d(a.l(0, "", 0), a.b("affine", false),
                a.b("track_running_stats", false)), "affine", "track_running_stats");
        module("InstanceNorm2d", 1, a -> new InstanceNorm2d(a.l(0, "", 0), a.b("affine", false),
                a.b("track_running_stats", false)), "affine", "track_running_stats");
        module("InstanceNorm3d", 1, a -> new InstanceNorm3d(a.l(0, "", 0), a.b("affine", false),
                a.b("track_running_stats", false)), "affine", "track_running_stats");
        module("GroupNorm", 2, a -> new GroupNorm(a.l(0, "", 0), a.l(1, "", 0), 1e-5, a.b("affine", true)), "affine");
        module("LayerNorm", 1, a -> new LayerNorm(a.many(0)));
        module("RMSNorm", 1,
                a -> new RMSNorm(a.many(0), a.named().has("eps") ? a.named().get("eps").getAsDouble() : null,
                        a.b("elementwise_affine", true)),
                "eps", "elementwise_affine");
        module("Dropout", 1, a -> new Dropout(a.d(0, "", .5)));
        module("Dropout1d", 1, a -> new Dropout1d(a.d(0, "", .5)));
        module("Dropout2d", 1, a -> new Dropout2d(a.d(0, "", .5)));
        module("Dropout3d", 1, a -> new Dropout3d(a.d(0, "", .5)));
    }

    private void shapes() {
        module("AdaptiveAvgPool1d", 1, a -> new AdaptiveAvgPool1d(a.l(0, "", 1)));
        module("AdaptiveAvgPool2d", 1, a -> {
            long[] s = a.many(0);
            return new AdaptiveAvgPool2d(s[0], s[s.length - 1]);
        });
        module("ZeroPad1d", 1, a -> new ZeroPad1d(a.many(0)));
        module("ZeroPad2d", 1, a -> new ZeroPad2d(a.many(0)));
        module("ZeroPad3d", 1, a -> new ZeroPad3d(a.many(0)));
        module("ReflectionPad1d", 1, a -> new ReflectionPad1d(a.many(0)));
        module("ReflectionPad2d", 1, a -> new ReflectionPad2d(a.many(0)));
        module("ReflectionPad3d", 1, a -> new ReflectionPad3d(a.many(0)));
        module("ReplicationPad1d", 1, a -> new ReplicationPad1d(a.many(0)));
        module("ReplicationPad2d", 1, a -> new ReplicationPad2d(a.many(0)));
        module("ReplicationPad3d", 1, a -> new ReplicationPad3d(a.many(0)));
        module("ConstantPad1d", 2, a -> new ConstantPad1d(a.many(0), a.d(1, "", 0)));
        module("ConstantPad2d", 2, a -> new ConstantPad2d(a.many(0), a.d(1, "", 0)));
        module("ConstantPad3d", 2, a -> new ConstantPad3d(a.many(0), a.d(1, "", 0)));
        module("PixelShuffle", 1, a -> new PixelShuffle(a.l(0, "", 1)));
        module("PixelUnshuffle", 1, a -> new PixelUnshuffle(a.l(0, "", 1)));
        module("ChannelShuffle", 1, a -> new ChannelShuffle(a.l(0, "", 1)));
        module("Embedding", 2, a -> new Embedding(a.l(0, "", 1), a.l(1, "", 1)));
    }

    private void losses() {
        loss("MSELoss", 0, a -> in -> new MSELoss(a.reduction()).call(in[0], in[1]), "reduction");
        loss("L1Loss", 0, a -> in -> new L1Loss(a.reduction()).call(in[0], in[1]), "reduction");
        loss("SmoothL1Loss", 0, a -> in -> new SmoothL1Loss(a.reduction(), a.d(9, "beta", 1)).call(in[0], in[1]),
                "reduction", "beta");
        loss("HuberLoss", 0, a -> in -> new HuberLoss(a.reduction(), a.d(9, "delta", 1)).call(in[0], in[1]),
                "reduction", "delta");
        loss("BCELoss", 1, a -> {
            Tensor weight = a.weight(0, "weight");
            return in -> new BCELoss(a.reduction(), weight).call(in[0], in[1]);
        }, "reduction");
        loss("BCEWithLogitsLoss", 0, a -> in -> new BCEWithLogitsLoss(a.reduction()).call(in[0], in[1]), "reduction");
        loss("KLDivLoss", 0, a -> in -> {
            boolean logTarget = a.b("log_target", false);
            boolean batch = a.named().has("reduction")
                    && a.named().get("reduction").getAsString().equals("batchmean");
            return (batch ? KLDivLoss.batchMean(logTarget) : new KLDivLoss(a.reduction(), logTarget)).call(in[0],
                    in[1]);
        }, "reduction", "log_target");
        loss("PoissonNLLLoss", 0,
                a -> in -> new PoissonNLLLoss(a.reduction(), a.b("log_input", true), a.b("full", false), 1e-8)
                        .call(in[0], in[1]),
                "reduction", "log_input", "full");
        loss("SoftMarginLoss", 0, a -> in -> new SoftMarginLoss(a.reduction()).call(in[0], in[1]), "reduction");
        loss("HingeEmbeddingLoss", 0, a -> in -> new HingeEmbeddingLoss(a.reduction()).call(in[0], in[1]),
                "reduction");
        loss("MarginRankingLoss", 0, a -> in -> new MarginRankingLoss(a.reduction()).call(in[0], in[1], in[2]),
                "reduction");
        loss("CosineEmbeddingLoss", 0, a -> in -> new CosineEmbeddingLoss(a.reduction()).call(in[0], in[1], in[2]),
                "reduction");
        loss("TripletMarginLoss", 0,
                a -> in -> new TripletMarginLoss(a.reduction(), a.d(9, "margin", 1), a.d(9, "p", 2), 1e-6,
                        a.b("swap", false)).call(in[0], in[1], in[2]),
                "reduction", "margin", "p", "swap");
        loss("PairwiseDistance", 1,
                a -> in -> new PairwiseDistance(a.d(0, "p", 2), 1e-6, a.b("keepdim", false)).call(in[0], in[1]),
                "keepdim");
        loss("CrossEntropyLoss", 1, a -> {
            Tensor weight = a.weight(0, "weight");
            return in -> new CrossEntropyLoss(weight, a.reduction(), a.l(9, "ignore_index", -100),
                    a.d(9, "label_smoothing", 0)).call(in[0], in[1]);
        }, "reduction", "ignore_index", "label_smoothing");
        loss("NLLLoss", 1, a -> {
            Tensor weight = a.weight(0, "weight");
            return in -> new NLLLoss(weight, a.reduction(), -100).call(in[0], in[1]);
        }, "reduction");
    }

    static Tensor[] close(Tensor... tensors) {
        Arrays.stream(tensors).filter(t -> t != null).forEach(Tensor::close);
        return tensors;
    }
}

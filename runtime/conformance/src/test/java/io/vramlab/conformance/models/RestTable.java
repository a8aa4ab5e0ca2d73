package io.vramlab.conformance.models;

import io.vramlab.conformance.models.ModuleTable.Made;
import io.vramlab.nn.*;
import io.vramlab.nn.Module;
import io.vramlab.tensor.Tensor;
import java.util.Arrays;
import java.util.function.Function;

/** What is in no other part of {@link ModuleTable}: activations in place, norms across channels, rarer losses. */
final class RestTable {

    private RestTable() {
    }

    static void addTo(ModuleTable t) {
        inPlace(t);
        norms(t);
        shapes(t);
        losses(t);
    }

    private static void inPlace(ModuleTable t) {
        t.module("ReLU", 0, a -> new ReLU(a.b("inplace", false)), "inplace");
        t.module("ReLU6", 0, a -> new ReLU6(a.b("inplace", false)), "inplace");
        t.module("LeakyReLU", 1, a -> new LeakyReLU(a.d(0, "", .01), a.b("inplace", false)), "inplace");
        t.module("ELU", 1, a -> new ELU(a.d(0, "", 1), a.b("inplace", false)), "inplace");
        t.module("SELU", 0, a -> new SELU(a.b("inplace", false)), "inplace");
        t.module("CELU", 1, a -> new CELU(a.d(0, "", 1), a.b("inplace", false)), "inplace");
        t.module("SiLU", 0, a -> new SiLU(a.b("inplace", false)), "inplace");
        t.module("Mish", 0, a -> new Mish(a.b("inplace", false)), "inplace");
        t.module("Hardtanh", 2, a -> new Hardtanh(a.d(0, "", -1), a.d(1, "", 1), a.b("inplace", false)), "inplace");
        t.module("Hardswish", 0, a -> new Hardswish(a.b("inplace", false)), "inplace");
        t.module("Hardsigmoid", 0, a -> new Hardsigmoid(a.b("inplace", false)), "inplace");
    }

    private static void norms(ModuleTable t) {
        t.module("LocalResponseNorm", 1, a -> new LocalResponseNorm(a.l(0, "", 1), a.d(9, "alpha", 1e-4),
                a.d(9, "beta", .75), a.d(9, "k", 1)), "alpha", "beta", "k");
        t.module("CrossMapLRN2d", 1, a -> new CrossMapLRN2d((int) a.l(0, "", 1)));
        t.module("SyncBatchNorm", 1, a -> new SyncBatchNorm(a.l(0, "", 1)));
        t.module("AlphaDropout", 1, a -> new AlphaDropout(a.d(0, "", .5)));
        t.module("FeatureAlphaDropout", 1, a -> new FeatureAlphaDropout(a.d(0, "", .5)));
    }

    private static void shapes(ModuleTable t) {
        t.module("Flatten", 2, a -> a.args().isEmpty()
                ? new Flatten()
                : new Flatten((int) a.l(0, "", 1), (int) a.l(1, "", -1)));
        t.module("Unflatten", 2, a -> new Unflatten((int) a.l(0, "", 1), a.many(1)));
        t.module("CircularPad1d", 1, a -> new CircularPad1d(a.many(0)));
        t.module("CircularPad2d", 1, a -> new CircularPad2d(a.many(0)));
        t.module("CircularPad3d", 1, a -> new CircularPad3d(a.many(0)));
        t.calls("Bilinear", 3, a -> {
            Bilinear made = new Bilinear(a.l(0, "", 1), a.l(1, "", 1), a.l(2, "", 1), a.b("bias", true));
            return new Made(made, in -> made.call(in[0], in[1]));
        }, "bias");
        t.calls("EmbeddingBag", 2, a -> {
            EmbeddingBag made = new EmbeddingBag(a.l(0, "", 1), a.l(1, "", 1),
                    a.named().has("mode") ? a.named().get("mode").getAsString() : "mean");
            return new Made(made, in -> made.call(in[0], in.length > 1 ? in[1] : null, in.length > 2 ? in[2] : null));
        }, "mode");
    }

    private static void loss(ModuleTable t, String name,
            Function<ModuleTable.Arguments, Function<Tensor[], Tensor>> make,
            String... names) {
        t.calls(name, 0, a -> new Made(null, make.apply(a)), names);
    }

    private static void losses(ModuleTable t) {
        t.calls("AdaptiveLogSoftmaxWithLoss", 3, a -> {
            Module made = new AdaptiveLogSoftmaxWithLoss(a.l(0, "", 1), a.l(1, "", 1), a.many(2));
            return new Made(made, in -> {
                AdaptiveLogSoftmaxWithLoss.Output out = ((AdaptiveLogSoftmaxWithLoss) made).call(in[0], in[1]);
                WindowTable.KEPT.set(new Tensor[]{out.loss()});
                return out.output();
            });
        });
        // all inputs and targets are as long as they can be, in what was recorded
        loss(t, "CTCLoss", a -> in -> new CTCLoss(0, a.reduction(), false).call(in[0], in[1],
                all(in[0].size(1), in[0].size(0)), all(in[0].size(1), in[1].size(1))), "reduction");
        loss(t, "MultiLabelMarginLoss", a -> in -> new MultiLabelMarginLoss(a.reduction()).call(in[0], in[1]),
                "reduction");
        loss(t, "MultiLabelSoftMarginLoss", a -> in -> new MultiLabelSoftMarginLoss(a.reduction()).call(in[0], in[1]),
                "reduction");
        loss(t, "MultiMarginLoss", a -> in -> new MultiMarginLoss(1, 1, null, a.reduction()).call(in[0], in[1]),
                "reduction");
        loss(t, "TripletMarginWithDistanceLoss",
                a -> in -> new TripletMarginWithDistanceLoss(null, 1, false, a.reduction()).call(in[0], in[1], in[2]),
                "reduction");
        loss(t, "GaussianNLLLoss", a -> in -> new GaussianNLLLoss(a.reduction()).call(in[0], in[1], in[2]),
                "reduction");
        loss(t, "CosineSimilarity", a -> in -> new CosineSimilarity().call(in[0], in[1]));
    }

    private static long[] all(long count, long value) {
        long[] all = new long[Math.toIntExact(count)];
        Arrays.fill(all, value);
        return all;
    }
}

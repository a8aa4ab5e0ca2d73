package io.vramlab.conformance.models;

import com.google.gson.JsonElement;
import io.vramlab.conformance.models.ModuleTable.Arguments;
import io.vramlab.conformance.models.ModuleTable.Made;
import io.vramlab.nn.*;
import io.vramlab.nn.Module;
import io.vramlab.tensor.Tensor;
import java.util.function.Function;

/** Convolutions, pools, folds and resizing of {@link ModuleTable}. */
final class WindowTable {

    private WindowTable() {
    }

    private static long[] many(JsonElement e) {
        return e.isJsonArray()
                ? e.getAsJsonArray().asList().stream().mapToLong(JsonElement::getAsLong).toArray()
                : new long[]{e.getAsLong()};
    }

    private static ConvOptions convolution(Arguments a) {
        ConvOptions o = new ConvOptions();
        a.named().asMap().forEach((name, e) -> {
            switch (name) {
                case "stride" -> o.stride(many(e));
                case "padding" -> {
                    if (e.isJsonPrimitive() && e.getAsJsonPrimitive().isString()) {
                        o.padding(e.getAsString());
                    } else {
                        o.padding(many(e));
                    }
                }
                case "dilation" -> o.dilation(many(e));
                case "output_padding" -> o.outputPadding(many(e));
                case "groups" -> o.groups(e.getAsInt());
                case "bias" -> o.bias(e.getAsBoolean());
                default -> o.paddingMode(e.getAsString());
            }
        });
        return o;
    }

    private static PoolOptions pool(Arguments a) {
        PoolOptions o = new PoolOptions();
        a.named().asMap().forEach((name, e) -> {
            switch (name) {
                case "stride" -> o.stride(many(e));
                case "padding" -> o.padding(many(e));
                case "dilation" -> o.dilation(many(e));
                case "ceil_mode" -> o.ceilMode(e.getAsBoolean());
                case "count_include_pad" -> o.countIncludePad(e.getAsBoolean());
                case "divisor_override" -> o.divisorOverride(e.getAsLong());
                default -> {
                }
            }
        });
        return o;
    }

    static void addTo(ModuleTable t) {
        convolutions(t);
        pools(t);
        adaptivePools(t);
        resizing(t);
    }

    private static void convolutions(ModuleTable t) {
        String[] names = {"stride", "padding", "dilation", "output_padding", "groups", "bias", "padding_mode"};
        t.module("Conv1d", 3, a -> new Conv1d(a.l(0, "", 0), a.l(1, "", 0), a.l(2, "", 0), convolution(a)), names);
        t.module("Conv2d", 3, a -> new Conv2d(a.l(0, "", 0), a.l(1, "", 0), a.many(2), convolution(a)), names);
        t.module("Conv3d", 3, a -> new Conv3d(a.l(0, "", 0), a.l(1, "", 0), a.many(2), convolution(a)), names);
        t.module("ConvTranspose1d", 3,
                a -> new ConvTranspose1d(a.l(0, "", 0), a.l(1, "", 0), a.l(2, "", 0), convolution(a)), names);
        t.module("ConvTranspose2d", 3,
                a -> new ConvTranspose2d(a.l(0, "", 0), a.l(1, "", 0), a.many(2), convolution(a)), names);
        t.module("ConvTranspose3d", 3,
                a -> new ConvTranspose3d(a.l(0, "", 0), a.l(1, "", 0), a.many(2), convolution(a)), names);
    }

    private interface WithIndices {
        Tensor[] call(Tensor input);
    }

    /** What returns positions as well where it is asked to. */
    private static Made maybe(Arguments a, Module made, WithIndices indices) {
        return new Made(made, in -> {
            if (!a.b("return_indices", false)) {
                return made.call(in[0]);
            }
            return kept(indices.call(in[0]));
        });
    }

    /** The positions stay as long as the values, as a Python tuple's. */
    private static Tensor kept(Tensor[] both) {
        KEPT.set(new Tensor[]{both[1]});
        return both[0];
    }

    /** What a call returned besides its first result, until the row has been compared. */
    static final ThreadLocal<Tensor[]> KEPT = new ThreadLocal<>();

    private static void pools(ModuleTable t) {
        String[] names = {"stride", "padding", "dilation", "ceil_mode", "return_indices", "count_include_pad",
                "divisor_override"};
        t.calls("MaxPool1d", 1, a -> {
            MaxPool1d m = new MaxPool1d(a.l(0, "", 1), pool(a));
            return maybe(a, m, m::callWithIndices);
        }, names);
        t.calls("MaxPool2d", 1, a -> {
            MaxPool2d m = new MaxPool2d(a.many(0), pool(a));
            return maybe(a, m, m::callWithIndices);
        }, names);
        t.calls("MaxPool3d", 1, a -> {
            MaxPool3d m = new MaxPool3d(a.many(0), pool(a));
            return maybe(a, m, m::callWithIndices);
        }, names);
        t.module("AvgPool1d", 1, a -> new AvgPool1d(a.l(0, "", 1), pool(a)), names);
        t.module("AvgPool2d", 1, a -> new AvgPool2d(a.many(0), pool(a)), names);
        t.module("AvgPool3d", 1, a -> new AvgPool3d(a.many(0), pool(a)), names);
        t.module("LPPool1d", 2, a -> new LPPool1d(a.d(0, "", 1), a.l(1, "", 1), pool(a)), names);
        t.module("LPPool2d", 2, a -> new LPPool2d(a.d(0, "", 1), a.l(1, "", 1), pool(a)), names);
        t.module("LPPool3d", 2, a -> new LPPool3d(a.d(0, "", 1), a.l(1, "", 1), pool(a)), names);
        unpool(t, "MaxUnpool1d", a -> in -> new MaxUnpool1d(a.l(0, "", 1), a.l(9, "stride", 1)).call(in[0], in[1]));
        unpool(t, "MaxUnpool2d", a -> in -> new MaxUnpool2d(a.l(0, "", 1), a.l(9, "stride", 1)).call(in[0], in[1]));
        unpool(t, "MaxUnpool3d", a -> in -> new MaxUnpool3d(a.l(0, "", 1), a.l(9, "stride", 1)).call(in[0], in[1]));
    }

    private static void unpool(ModuleTable t, String name, Function<Arguments, Function<Tensor[], Tensor>> factory) {
        t.calls(name, 1, a -> new Made(null, factory.apply(a)), "stride");
    }

    private static long[] sizes(Arguments a) {
        return a.many(0);
    }

    private static void adaptivePools(ModuleTable t) {
        t.calls("AdaptiveMaxPool1d", 1, a -> {
            AdaptiveMaxPool1d m = new AdaptiveMaxPool1d(a.l(0, "", 1));
            return maybe(a, m, m::callWithIndices);
        }, "return_indices");
        t.calls("AdaptiveMaxPool2d", 1, a -> {
            long[] s = sizes(a);
            AdaptiveMaxPool2d m = new AdaptiveMaxPool2d(s[0], s[s.length - 1]);
            return maybe(a, m, m::callWithIndices);
        }, "return_indices");
        t.calls("AdaptiveMaxPool3d", 1, a -> {
            long[] s = sizes(a);
            AdaptiveMaxPool3d m = new AdaptiveMaxPool3d(s[0], s[s.length / 2], s[s.length - 1]);
            return maybe(a, m, m::callWithIndices);
        }, "return_indices");
        t.module("AdaptiveAvgPool3d", 1, a -> {
            long[] s = sizes(a);
            return new AdaptiveAvgPool3d(s[0], s[s.length / 2], s[s.length - 1]);
        });
        t.module("FractionalMaxPool2d", 1, a -> new FractionalMaxPool2d(a.l(0, "", 1),
                many(a.named().get("output_size"))), "output_size");
        t.module("FractionalMaxPool3d", 1, a -> new FractionalMaxPool3d(a.l(0, "", 1),
                many(a.named().get("output_size"))), "output_size");
    }

    private static void resizing(ModuleTable t) {
        t.module("Upsample", 0, a -> {
            String mode = a.named().has("mode") ? a.named().get("mode").getAsString() : "nearest";
            boolean corners = a.b("align_corners", false);
            return a.named().has("size")
                    ? new Upsample(many(a.named().get("size")), mode, corners)
                    : new Upsample(a.d(9, "scale_factor", 1), mode, corners);
        }, "size", "scale_factor", "mode", "align_corners");
        t.module("UpsamplingNearest2d", 0, a -> new UpsamplingNearest2d(a.d(9, "scale_factor", 1)), "scale_factor");
        t.module("UpsamplingBilinear2d", 0, a -> new UpsamplingBilinear2d(a.d(9, "scale_factor", 1)), "scale_factor");
        t.module("Unfold", 1, a -> new Unfold(a.many(0), one(a, "dilation", 1), one(a, "padding", 0),
                one(a, "stride", 1)), "dilation", "padding", "stride");
        t.module("Fold", 2, a -> new Fold(a.many(0), a.many(1), one(a, "dilation", 1), one(a, "padding", 0),
                one(a, "stride", 1)), "dilation", "padding", "stride");
    }

    private static long[] one(Arguments a, String name, long absent) {
        return a.named().has(name) ? many(a.named().get(name)) : new long[]{absent};
    }
}

package io.vramlab.conformance.models;

import com.google.gson.JsonElement;
import io.vramlab.conformance.models.ModuleTable.Arguments;
import io.vramlab.conformance.models.ModuleTable.Made;
import io.vramlab.nn.AttentionOptions;
import io.vramlab.nn.LayerNorm;
import io.vramlab.nn.Module;
import io.vramlab.nn.MultiheadAttention;
import io.vramlab.nn.Transformer;
import io.vramlab.nn.TransformerDecoder;
import io.vramlab.nn.TransformerDecoderLayer;
import io.vramlab.nn.TransformerEncoder;
import io.vramlab.nn.TransformerEncoderLayer;
import io.vramlab.nn.TransformerOptions;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** {@link ModuleTable}'s attention and transformers. */
final class TransformerTable {

    private static final long WIDTH = 128;
    private static final long HEADS = 8;
    private static final long INSIDE = 256;

    /** Weights of attention, which live until the row has ended. */
    private final List<Tensor> weights = new ArrayList<>();

    void add(Map<String, Function<Arguments, Made>> table) {
        table.put("MultiheadAttention", this::attention);
        table.put("TransformerEncoderLayer", a -> {
            Module made = new TransformerEncoderLayer(a.l(0, "", 0), a.l(1, "", 0), options(a, 2));
            return new Made(made, in -> made.call(in[0]));
        });
        table.put("TransformerDecoderLayer", a -> {
            TransformerDecoderLayer made = new TransformerDecoderLayer(a.l(0, "", 0), a.l(1, "", 0), options(a, 2));
            return new Made(made, in -> made.call(in[0], in[1]));
        });
        table.put("TransformerEncoder", a -> {
            Module norm = a.args().size() > 2 ? new LayerNorm(WIDTH) : null;
            Module made = new TransformerEncoder(new TransformerEncoderLayer(WIDTH, HEADS, inside()),
                    (int) a.l(1, "", 0), norm);
            return new Made(made, in -> made.call(in[0]));
        });
        table.put("TransformerDecoder", a -> {
            TransformerDecoder made = new TransformerDecoder(new TransformerDecoderLayer(WIDTH, HEADS, inside()),
                    (int) a.l(1, "", 0));
            return new Made(made, in -> made.call(in[0], in[1]));
        });
        table.put("Transformer", a -> {
            Transformer made = new Transformer(a.l(0, "", 0), a.l(1, "", 0), (int) a.l(2, "", 0), (int) a.l(3, "", 0),
                    options(a, 4));
            return new Made(made, in -> made.call(in[0], in[1]));
        });
    }

    void closeWeights() {
        weights.forEach(Tensor::close);
        weights.clear();
    }

    private static TransformerOptions inside() {
        return new TransformerOptions().dimFeedforward(INSIDE).dropout(0).batchFirst(true);
    }

    private static TransformerOptions options(Arguments a, int feedForward) {
        TransformerOptions options = new TransformerOptions().dimFeedforward(a.l(feedForward, "", 0))
                .dropout(a.d(9, "dropout", 0.1)).batchFirst(a.b("batch_first", false))
                .normFirst(a.b("norm_first", false)).bias(a.b("bias", true));
        JsonElement activation = a.named().get("activation");
        return activation == null ? options : options.activation(activation.getAsString());
    }

    private Made attention(Arguments a) {
        AttentionOptions options = new AttentionOptions().dropout(a.d(9, "dropout", 0)).bias(a.b("bias", true))
                .addBiasKv(a.b("add_bias_kv", false)).addZeroAttn(a.b("add_zero_attn", false))
                .kdim(a.l(9, "kdim", 0)).vdim(a.l(9, "vdim", 0)).batchFirst(a.b("batch_first", false));
        MultiheadAttention made = new MultiheadAttention(a.l(0, "", 0), a.l(1, "", 0), options);
        boolean needWeights = a.b("need_weights", true);
        return new Made(made, in -> {
            Tensor[] out = in.length == 1
                    ? made.call(in[0], in[0], in[0], needWeights)
                    : made.call(in[0], in[1], in[2], needWeights);
            if (out[1] != null) {
                weights.add(out[1]);
            }
            return out[0];
        });
    }
}

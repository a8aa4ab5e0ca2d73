package io.vramlab.conformance;

import com.google.gson.JsonObject;
import io.vramlab.optim.Adam;
import io.vramlab.optim.AdamW;
import io.vramlab.optim.Optimizer;
import io.vramlab.optim.SGD;
import io.vramlab.tensor.Tensor;
import java.util.List;

/** An optimizer with the options that a recording names; those it does not name are PyTorch's defaults. */
final class RecordedOptimizer {

    private RecordedOptimizer() {
    }

    static Optimizer make(JsonObject s, List<Tensor> params) {
        double lr = Recordings.need(s, "lr").getAsDouble();
        String kind = Recordings.need(s, "kind").getAsString();
        return switch (kind) {
            case "SGD" -> sgd(s, new SGD(params, lr));
            case "Adam" -> adam(s, new Adam(params, lr));
            case "AdamW" -> adamW(s, new AdamW(params, lr));
            default -> throw new MalformedRecordingException("the optimizer kind " + kind + " is unknown");
        };
    }

    private static Optimizer sgd(JsonObject s, SGD o) {
        o.momentum(real(s, "momentum")).dampening(real(s, "dampening")).weightDecay(real(s, "weight_decay"))
                .nesterov(Recordings.flag(s, "nesterov")).maximize(Recordings.flag(s, "maximize"));
        if (namesForm(s)) {
            o.foreach(isForeach(s));
        }
        return isFused(s) ? o.fused(true) : o;
    }

    private static Optimizer adam(JsonObject s, Adam o) {
        o.weightDecay(real(s, "weight_decay")).amsgrad(Recordings.flag(s, "amsgrad"))
                .maximize(Recordings.flag(s, "maximize"));
        if (namesForm(s)) {
            o.foreach(isForeach(s));
        }
        return isFused(s) ? o.fused(true) : o;
    }

    private static Optimizer adamW(JsonObject s, AdamW o) {
        if (s.has("weight_decay")) {
            o.weightDecay(real(s, "weight_decay"));
        }
        o.amsgrad(Recordings.flag(s, "amsgrad")).maximize(Recordings.flag(s, "maximize"));
        if (namesForm(s)) {
            o.foreach(isForeach(s));
        }
        return isFused(s) ? o.fused(true) : o;
    }

    private static double real(JsonObject s, String name) {
        return s.has(name) ? s.get(name).getAsDouble() : 0;
    }

    /** programs.py says "foreach", the wider recorder "impl". */
    private static boolean namesForm(JsonObject s) {
        return s.has("foreach") || isForeach(s) || impl(s).equals("single");
    }

    private static boolean isForeach(JsonObject s) {
        return Recordings.flag(s, "foreach") || impl(s).equals("foreach");
    }

    private static boolean isFused(JsonObject s) {
        return impl(s).equals("fused");
    }

    private static String impl(JsonObject s) {
        return s.has("impl") ? s.get("impl").getAsString() : "";
    }
}

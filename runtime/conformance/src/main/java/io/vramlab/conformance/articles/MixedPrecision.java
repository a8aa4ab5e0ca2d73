package io.vramlab.conformance.articles;

import io.vramlab.amp.Autocast;
import io.vramlab.amp.GradScaler;
import io.vramlab.nn.Module;
import io.vramlab.optim.AdamW;
import io.vramlab.optim.Optimizer;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;
import java.util.Map;

/** Mixed precision as article e prints it, on a model converted to float16, and as it works, without the conversion. */
final class MixedPrecision {

    private MixedPrecision() {
    }

    static Map<String, Scenario> all() {
        return Map.of("s004_3_article_half_and_scaler", lab -> run(lab, true), "s004_3_autocast_only",
                lab -> run(lab, false));
    }

    private static void run(Lab lab, boolean half) {
        Module model = lab.mlp(784, 1024, 1024, 10);
        lab.mark("model");
        if (half) {
            model.half();
            lab.mark("half");
        }
        Optimizer optimizer = lab.own(new AdamW(model.parameters()));
        GradScaler scaler = lab.own(new GradScaler());
        Ref<Tensor> x = new Ref<>();
        Ref<Tensor> y = new Ref<>();
        Ref<Tensor> output = new Ref<>();
        Ref<Tensor> loss = new Ref<>();
        Ref<Tensor> scaled = new Ref<>();
        for (int i = 0; i < 3; i++) {
            x.set(lab.randn(512, 784));
            y.set(lab.classes(512));
            lab.mark(i + ".data");
            try (Autocast cast = new Autocast()) {
                output.set(model.call(x.get()));
                loss.set(Lab.crossEntropy(output, y));
            }
            lab.mark(i + ".loss");
            scaled.set(scaler.scale(loss.get()));
            lab.mark(i + ".scaled");
            scaled.get().backward();
            lab.mark(i + ".backward");
            scaler.step(optimizer);
            lab.mark(i + ".step");
            scaler.update();
            lab.mark(i + ".update");
            optimizer.zeroGrad();
        }
    }
}

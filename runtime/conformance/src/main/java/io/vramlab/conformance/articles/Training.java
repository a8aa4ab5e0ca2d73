package io.vramlab.conformance.articles;

import io.vramlab.nn.Module;
import io.vramlab.optim.Adam;
import io.vramlab.optim.AdamW;
import io.vramlab.optim.Optimizer;
import io.vramlab.optim.SGD;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One network trained in variants: batch sizes, optimizers and their forms, gradient accumulation (article b, and e's
 * first example), two heads against each other (article e).
 */
final class Training {

    private static final Pattern NUMBERED = Pattern
            .compile("(s001_1_batch_|s001_3_single_|s001_3_accumulate_(\\d{1,6})x)(\\d{1,6})");

    private Training() {
    }

    private interface MakeOptimizer extends Function<List<? extends Tensor>, Optimizer> {
    }

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new HashMap<>();
        optimizer(all, "opt_sgd_momentum", p -> new SGD(p, 1e-3).momentum(0.9));
        optimizer(all, "opt_sgd_momentum_foreach_false", p -> new SGD(p, 1e-3).momentum(0.9).foreach(false));
        optimizer(all, "opt_adam", Adam::new);
        optimizer(all, "opt_adam_foreach_false", p -> new Adam(p).foreach(false));
        optimizer(all, "opt_adamw", AdamW::new);
        optimizer(all, "opt_adamw_foreach_false", p -> new AdamW(p).foreach(false));
        optimizer(all, "opt_adamw_fused", p -> new AdamW(p).fused(true));
        all.put("s004_1_accumulate_article", lab -> accumulate(lab, 64, 4, true));
        all.put("s004_head2head", Training::headToHead);
        for (String numbered : List.of("s001_1_batch_64", "s001_1_batch_128", "s001_1_batch_2048",
                "s001_3_accumulate_4x64", "s001_3_single_256")) {
            all.put(numbered, variant(numbered).orElseThrow());
        }
        return all;
    }

    /** The same with other numbers in the name: a batch size, or steps times batch size. */
    static Optional<Scenario> variant(String name) {
        Matcher m = NUMBERED.matcher(name);
        if (!m.matches()) {
            return Optional.empty();
        }
        int last = Integer.parseInt(m.group(3));
        return Optional.of(switch (m.group(2) == null ? m.group(1) : "") {
            case "s001_1_batch_" -> lab -> train(lab, last, p -> new SGD(p, 1e-3));
            case "s001_3_single_" -> lab -> accumulate(lab, last, 1, false);
            default -> lab -> accumulate(lab, last, Integer.parseInt(m.group(2)), false);
        });
    }

    private static void optimizer(Map<String, Scenario> all, String name, MakeOptimizer make) {
        all.put(name, lab -> train(lab, 256, make));
    }

    private static void train(Lab lab, long batch, MakeOptimizer make) {
        Module model = lab.mlp(784, 1024, 1024, 10);
        lab.mark("model");
        Optimizer optimizer = lab.own(make.apply(model.parameters()));
        Ref<Tensor> x = new Ref<>();
        Ref<Tensor> y = new Ref<>();
        Ref<Tensor> output = new Ref<>();
        Ref<Tensor> loss = new Ref<>();
        for (int i = 0; i < 3; i++) {
            x.set(lab.randn(batch, 784));
            y.set(lab.classes(batch));
            lab.mark(i + ".data");
            output.set(model.call(x.get()));
            lab.mark(i + ".forward");
            loss.set(Lab.crossEntropy(output, y));
            lab.mark(i + ".loss");
            loss.get().backward();
            lab.mark(i + ".backward");
            optimizer.step();
            lab.mark(i + ".step");
            optimizer.zeroGrad();
            lab.mark(i + ".zero_grad");
        }
    }

    private static void accumulate(Lab lab, long batch, int steps, boolean asPrinted) {
        Module model = lab.mlp(784, 1024, 10);
        Optimizer optimizer = lab.own(new SGD(model.parameters(), 0.01));
        lab.mark("model");
        optimizer.zeroGrad();
        Ref<Tensor> x = new Ref<>();
        Ref<Tensor> y = new Ref<>();
        Ref<Tensor> output = new Ref<>();
        Ref<Tensor> loss = new Ref<>();
        for (int i = 0; i < 8; i++) {
            x.set(lab.randn(batch, 784));
            y.set(lab.classes(batch));
            if (asPrinted) {
                optimizer.zeroGrad();
            }
            output.set(model.call(x.get()));
            loss.set(Lab.crossEntropy(output, y));
            loss.set(loss.get().div(steps));
            lab.mark(i + ".loss");
            loss.get().backward();
            lab.mark(i + ".backward");
            if ((i + 1) % steps == 0) {
                optimizer.step();
                if (!asPrinted) {
                    optimizer.zeroGrad();
                }
                lab.mark(i + ".step");
            }
        }
    }

    private static void headToHead(Lab lab) {
        Module a = lab.mlp(512, 1024, 1);
        Module b = lab.mlp(512, 1024, 1);
        List<Tensor> both = new ArrayList<>(a.parameters());
        both.addAll(b.parameters());
        Optimizer optimizer = lab.own(new AdamW(both));
        lab.mark("models");
        Ref<Tensor> xa = new Ref<>();
        Ref<Tensor> xb = new Ref<>();
        Ref<Tensor> difference = new Ref<>();
        Ref<Tensor> loss = new Ref<>();
        for (int i = 0; i < 3; i++) {
            Tensor nextA = lab.randn(1024, 512);
            Tensor nextB = lab.randn(1024, 512);
            xa.set(nextA);
            xb.set(nextB);
            lab.mark(i + ".data");
            try (Tensor left = a.call(xa.get()); Tensor right = b.call(xb.get())) {
                difference.set(left.sub(right));
            }
            lab.mark(i + ".heads");
            loss.set(Lab.after(difference.get().onesLike(),
                    ones -> Functional.binaryCrossEntropyWithLogits(difference.get(), ones, Reduction.MEAN)));
            lab.mark(i + ".loss");
            loss.get().backward();
            lab.mark(i + ".backward");
            Lab.stepAndZero(optimizer);
            lab.mark(i + ".step");
        }
    }
}

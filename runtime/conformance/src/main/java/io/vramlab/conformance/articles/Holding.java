package io.vramlab.conformance.articles;

import io.vramlab.autograd.NoGrad;
import io.vramlab.nn.Module;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What keeps memory: outputs with their graph (article b), aliases, retained graphs, kept losses (article c). */
final class Holding {

    private Holding() {
    }

    static Map<String, Scenario> all() {
        return Map.of("s001_2_inference_with_grad", Holding::outputsKept,
                "s001_2_no_grad_del", Holding::noGradAndDel,
                "s002_1_dangling", Holding::dangling,
                "s002_2_retain_graph", Holding::retained,
                "s002_2_retain_graph_kept_losses", lab -> keptLosses(lab, true),
                "s002_2_no_retain", lab -> keptLosses(lab, false),
                "s002_2_backward_twice", Holding::backwardTwice,
                "loss_accumulator_leak", Holding::summedLosses);
    }

    private static void outputsKept(Lab lab) {
        Module model = lab.mlp(784, 1024, 1024, 10);
        List<Tensor> outputs = new ArrayList<>();
        lab.mark("model");
        Ref<Tensor> x = new Ref<>();
        for (int i = 0; i < 4; i++) {
            x.set(lab.randn(512, 784));
            outputs.add(model.call(x.get()));
            lab.mark(i + ".output kept");
        }
    }

    private static void noGradAndDel(Lab lab) {
        Module model = lab.mlp(784, 1024, 1024, 10);
        lab.mark("model");
        try (NoGrad off = new NoGrad()) {
            for (int i = 0; i < 4; i++) {
                Tensor x = lab.randn(512, 784);
                Tensor output = model.call(x);
                lab.mark(i + ".output");
                output.close();
                lab.mark(i + ".del out");
                x.close();
                lab.mark(i + ".del x");
            }
        }
    }

    private static void dangling(Lab lab) {
        Tensor a = lab.randn(1024, 1024);
        lab.mark("a");
        // an alias in Python is another reference to the same object
        Tensor b = a.detach();
        lab.mark("alias");
        a.close();
        lab.mark("del a");
        lab.emptyCache();
        lab.mark("gc + empty_cache");
        b.close();
        lab.mark("b = None");
        lab.emptyCache();
        lab.mark("empty_cache");
    }

    private static void retained(Lab lab) {
        Module model = lab.mlp(784, 1024, 1024, 10);
        lab.mark("model");
        Ref<Tensor> x = new Ref<>();
        Ref<Tensor> loss = new Ref<>();
        for (int i = 0; i < 4; i++) {
            x.set(lab.randn(256, 784));
            loss.set(Lab.after(model.call(x.get()), Tensor::sum));
            lab.mark(i + ".loss");
            loss.get().backward(true);
            lab.mark(i + ".backward1");
            loss.get().backward(true);
            lab.mark(i + ".backward2");
        }
    }

    private static void keptLosses(Lab lab, boolean retain) {
        Module model = lab.mlp(784, 1024, 1024, 10);
        lab.mark("model");
        List<Tensor> kept = new ArrayList<>();
        Ref<Tensor> x = new Ref<>();
        for (int i = 0; i < 4; i++) {
            x.set(lab.randn(256, 784));
            Tensor loss = Lab.after(model.call(x.get()), Tensor::sum);
            loss.backward(retain);
            kept.add(loss);
            lab.mark(i + ".kept");
        }
    }

    private static void backwardTwice(Lab lab) {
        Module model = lab.mlp(784, 64, 10);
        Tensor x = lab.randn(8, 784);
        Tensor loss = Lab.after(model.call(x), Tensor::sum);
        loss.backward();
        loss.backward();
    }

    private static void summedLosses(Lab lab) {
        Module model = lab.mlp(784, 256, 10);
        Ref<Tensor> x = new Ref<>();
        Ref<Tensor> loss = new Ref<>();
        Ref<Tensor> total = new Ref<>();
        for (int i = 0; i < 6; i++) {
            x.set(lab.randn(256, 784));
            loss.set(Lab.after(Lab.after(model.call(x.get()), t -> t.pow(2)), Tensor::mean));
            loss.get().backward();
            total.set(total.get() == null ? loss.get().add(0) : total.get().add(loss.get()));
            lab.mark(Integer.toString(i));
        }
    }
}

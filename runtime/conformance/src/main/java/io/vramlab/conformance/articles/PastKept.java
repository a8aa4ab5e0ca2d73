package io.vramlab.conformance.articles;

import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;
import java.util.Map;

/** Backpropagation through time, with the past and cut off from it (article a). */
final class PastKept {

    private static final int STEPS = 20;

    private PastKept() {
    }

    static Map<String, Scenario> all() {
        return Map.of("bptt", lab -> run(lab, false), "bptt_detached", lab -> run(lab, true));
    }

    private static void run(Lab lab, boolean detached) {
        Tensor w = lab.randn(256, 256).requiresGrad_(true);
        Ref<Tensor> h = new Ref<>(Tensor.zeros(lab.here(), 64, 256));
        lab.mark("init");
        for (int t = 0; t < STEPS; t++) {
            h.set(Lab.after(product(h.get(), w, detached), Tensor::tanh));
            lab.mark(t + ".h");
        }
        Lab.after(h.get().sum(), sum -> {
            sum.backward();
            return sum;
        });
        lab.mark("backward");
    }

    private static Tensor product(Tensor h, Tensor w, boolean detached) {
        return detached ? Lab.after(h.detach(), d -> d.matmul(w)) : h.matmul(w);
    }
}

package io.vramlab.plan;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.footprint.Convolution;
import io.vramlab.footprint.Convolution.Pass;
import io.vramlab.footprint.ConvolutionAnswers;
import io.vramlab.footprint.ConvolutionPlans;
import io.vramlab.footprint.ConvolutionWorkspace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Workspaces of convolutions' products, with {@code torch.backends.cudnn.benchmark} or without. Where it is on and a thread meets
 * a product first, PyTorch times plans in the largest workspace of all, empties the allocator's cache, and works in what the
 * fastest takes from then on (Conv_v8.cpp); docs/footprint.md, "Convolutions".
 */
final class TriedPlans {

    private final Map<String, List<Answer>> plans = new HashMap<>();
    private final Map<String, Optional<ConvolutionPlans>> met = new HashMap<>();

    /** What the product takes besides its operands, its result and copies of them. */
    void product(Convolved convolved, Pass pass, CudnnAnswers cudnn, int which, RuleSteps s) {
        Convolution product = convolved.product(pass);
        CudnnAnswers.Settings settings = cudnn.settings();
        String key = product.key() + " " + settings.deterministic() + " " + settings.tf32();
        List<Answer> told = cudnn.all(which);
        if (!told.isEmpty()) {
            plans.put(key, told);
        }
        Optional<Answer> answer = cudnn.first(which).or(() -> ConvolutionAnswers.of(product, s.device()));
        String here = s.caller() + " " + key;
        if (!met.containsKey(here)) {
            Optional<ConvolutionPlans> tried = settings.tried() == 0
                    ? Optional.empty()
                    : Optional
                            .of(new ConvolutionPlans(product, answer, plans.getOrDefault(key, List.of()), s.device()));
            tried.ifPresent(t -> s.trial(t.all(s.choice(0, 1, 1) != 0, s.choice(0, 0, 1) != 0)));
            met.put(here, tried);
        }
        Optional<ConvolutionPlans> tried = met.get(here);
        if (tried.isPresent()) {
            s.proposed(tried.get().least(settings.tried()), tried.get().first(), tried.get().most(settings.tried()));
        } else {
            // a recording's answer counts first: it was made with cuDNN at hand
            s.proposed(ConvolutionWorkspace.least(product, answer, s.device()),
                    ConvolutionWorkspace.bytes(product, answer, s.device()),
                    ConvolutionWorkspace.most(product, answer, s.device()));
        }
    }
}

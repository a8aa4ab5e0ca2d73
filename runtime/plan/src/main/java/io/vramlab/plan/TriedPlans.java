package io.vramlab.plan;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.footprint.Convolution.Pass;
import io.vramlab.footprint.ConvolutionPlans;
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

    /** A product under the settings by which plans are left out. */
    private record Product(String key, boolean deterministic, boolean tf32) {

        @Override
        public int hashCode() {
            return key.hashCode();
        }
    }

    private record Met(String caller, Product product) {

        @Override
        public int hashCode() {
            return 31 * caller.hashCode() + product.hashCode();
        }
    }

    private final ConvolutionSizes sizes;
    private final Map<Product, List<Answer>> plans = new HashMap<>();
    private final Map<Met, Optional<ConvolutionPlans>> met = new HashMap<>();

    TriedPlans(ConvolutionSizes sizes) {
        this.sizes = sizes;
    }

    /** What the product takes besides its operands, its result and copies of them. */
    void product(Convolved convolved, Pass pass, CudnnAnswers cudnn, int which, RuleSteps s) {
        ConvolutionSizes.Sized sized = sizes.of(convolved, pass, cudnn.first(which), s.device());
        CudnnAnswers.Settings settings = cudnn.settings();
        Product product = new Product(sized.key(), settings.deterministic(), settings.tf32());
        List<Answer> told = cudnn.all(which);
        if (!told.isEmpty()) {
            plans.put(product, told);
        }
        Met here = new Met(s.caller(), product);
        if (!met.containsKey(here)) {
            Optional<ConvolutionPlans> tried = settings.tried() == 0
                    ? Optional.empty()
                    : Optional.of(new ConvolutionPlans(sized.product(), sized.answer(),
                            plans.getOrDefault(product, List.of()), s.device()));
            tried.ifPresent(t -> s.trial(t.all(s.counts(0, 1, 1), s.counts(0, 0, 1))));
            met.put(here, tried);
        }
        Optional<ConvolutionPlans> tried = met.get(here);
        if (tried.isPresent()) {
            s.proposed(tried.get().least(settings.tried()), tried.get().first(), tried.get().most(settings.tried()));
        } else {
            s.proposed(sized.least(), sized.likely(), sized.most());
        }
    }
}

package io.vramlab.plan;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import java.util.List;
import java.util.Optional;

/**
 * What cuDNN answered for a convolution's products, and the settings by which PyTorch chooses among its plans.
 *
 * @param first
 *            for each product the plan that counts where none is tried; null where it was not asked, or did not answer
 * @param all
 *            for each product all of its plans, in its order; null where they were told before, or never
 * @param settings
 *            of PyTorch
 */
record CudnnAnswers(List<Answer> first, List<List<Answer>> all, Settings settings) {

    /**
     * Of {@code torch.backends.cudnn}.
     *
     * @param tried
     *            how many plans are timed where a product is met first (benchmark, benchmark_limit); 0 for none
     * @param deterministic
     *            whether only plans that add in one order count
     * @param tf32
     *            whether float32 may be computed as TF32
     */
    record Settings(int tried, boolean deterministic, boolean tf32) {

        static final Settings DEFAULT = new Settings(0, false, true);
    }

    /** Of what was not asked. */
    static CudnnAnswers none(Settings settings) {
        return new CudnnAnswers(List.of(), List.of(), settings);
    }

    /** What holds of the next operation, about which nothing was asked yet. */
    CudnnAnswers unasked() {
        return first.isEmpty() && all.isEmpty() ? this : none(settings);
    }

    /** What it answered for that product. */
    Optional<Answer> first(int product) {
        return product < first.size() ? Optional.ofNullable(first.get(product)) : Optional.empty();
    }

    /** All plans of that product; empty where they are not told here. */
    List<Answer> all(int product) {
        return product < all.size() && all.get(product) != null ? all.get(product) : List.of();
    }
}

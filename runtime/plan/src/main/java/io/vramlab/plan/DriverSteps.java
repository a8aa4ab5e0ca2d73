package io.vramlab.plan;

import io.vramlab.device.DriverStep;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Follows a recording for when its operations make the driver take addresses, each step once. */
final class DriverSteps {

    private static final Set<String> NETWORKS = Set.of("aten.convolution", "aten.convolution_backward",
            "aten._cudnn_rnn", "aten._cudnn_rnn_backward", "aten.cudnn_batch_norm", "aten.cudnn_batch_norm_backward",
            "aten._scaled_dot_product_cudnn_attention", "aten._scaled_dot_product_cudnn_attention_backward");

    private static final String READ_BACK = "aten._local_scalar_dense";

    private final Map<String, Set<DriverStep>> forwards = new HashMap<>();
    private final Map<String, Set<DriverStep>> backwards = new HashMap<>();
    private final Set<DriverStep> done = EnumSet.noneOf(DriverStep.class);
    private final Consumer<DriverStep> to;

    DriverSteps(Consumer<DriverStep> to) {
        this.to = to;
    }

    /** What the operation's kernels need, once its results are taken. */
    void follow(Operation o) {
        boolean backward = o.phase() == Phase.BACKWARD;
        if (done.containsAll((backward ? backwards : forwards).computeIfAbsent(o.name(), n -> possible(o)))) {
            return;
        }
        if (o.base().equals(READ_BACK) && o.form(0) != null && !o.form(0).host()) {
            once(DriverStep.HOST);
        }
        if (!Launches.isLaunched(o)) {
            return;
        }
        once(DriverStep.KERNEL);
        if (NETWORKS.contains(o.base())) {
            once(DriverStep.HOST);
            once(backward ? DriverStep.NETWORKS_BACKWARD : DriverStep.NETWORKS);
        }
        if (Launches.wantsStack(o)) {
            once(DriverStep.STACK);
        }
        if (Launches.checks(o)) {
            once(DriverStep.CHECK);
        }
    }

    /** All that an operation of that name and phase may need, whatever its arguments are: soon all of it is done. */
    private static Set<DriverStep> possible(Operation o) {
        Set<DriverStep> steps = EnumSet.of(DriverStep.KERNEL);
        boolean networks = NETWORKS.contains(o.base());
        if (networks) {
            steps.add(o.phase() == Phase.BACKWARD ? DriverStep.NETWORKS_BACKWARD : DriverStep.NETWORKS);
        }
        if (networks || o.base().equals(READ_BACK)) {
            steps.add(DriverStep.HOST);
        }
        if (Launches.mayWantStack(o.base())) {
            steps.add(DriverStep.STACK);
        }
        if (Launches.mayCheck(o.base())) {
            steps.add(DriverStep.CHECK);
        }
        return steps;
    }

    /** cuBLAS multiplies in a thread. */
    void multiply(boolean backward) {
        once(DriverStep.KERNEL);
        once(backward ? DriverStep.PRODUCTS_BACKWARD : DriverStep.PRODUCTS);
    }

    /** The program works with a stream of its own. */
    void stream() {
        once(DriverStep.STREAMS);
    }

    private void once(DriverStep step) {
        if (done.add(step)) {
            to.accept(step);
        }
    }
}

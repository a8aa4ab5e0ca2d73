package io.vramlab.magics.explain;

import static io.vramlab.magics.explain.PyTorchReasoning.both;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** ggml asks the driver for few large buffers: weights, keys and values, and what a batch is computed in. */
record GgmlReasoning(Message message) implements Reasoning {

    private static final List<String> NEXT = List.of(
            "nvidia-smi --query-gpu=index,memory.free,memory.total --format=csv  # before the program starts",
            "llama-server -m MODEL.gguf -ngl 20 -c 4096 -ub 256  # fewer layers on the GPU, a shorter context, a smaller batch");
    private static final String WHY = "The first tells what the GPU has left; the second has the three figures that weights, keys and "
            + "values, and the computing buffer follow: lower one at a time and read the sizes that the log tells.";

    @Override
    public Result result() {
        List<Conclusion> findings = new ArrayList<>();
        Amount tried = message.amount(Role.TRIED).orElseThrow();
        what().ifPresent(findings::add);
        Optional<Amount> free = message.amount(Role.FREE);
        Amount held = message.amounts(Role.PART).stream().reduce(Amount.exactly(0), Amount::plus);
        if (free.isPresent() && free.get().surelyBelow(tried.plus(held))) {
            findings.add(Conclusion
                    .proven(both(held) + " of buffers before it + " + both(tried) + " = " + both(tried.plus(held))
                            + ", more than the " + both(free.get()) + " that were free at the start."));
        }
        findings.add(Conclusion
                .note("ggml asks the driver itself and caches nothing: no setting of an allocator can help."));
        return new Result("One buffer of " + both(tried) + " did not fit on GPU " + message.device()
                + (free.isPresent() ? "." : "; how much it had left the text does not tell."), findings, NEXT, WHY);
    }

    private Optional<Conclusion> what() {
        String where = message.form();
        if (where.contains("alloc_tensor_range") || where.contains("load_tensors")) {
            return Optional.of(Conclusion
                    .possible("It is a buffer of tensors: the weights of the layers that this GPU gets (-ngl and "
                            + "--tensor-split give it fewer), or keys and values (-c makes them shorter)."));
        }
        return where.contains("gallocr")
                ? Optional.of(Conclusion.proven(
                        "It is the computing buffer: it grows with the batch (-ub) and, without flash attention "
                                + "(-fa), with batch times context (-c). The weights had fitted."))
                : Optional.empty();
    }
}

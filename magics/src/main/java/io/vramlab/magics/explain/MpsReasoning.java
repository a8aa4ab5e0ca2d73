package io.vramlab.magics.explain;

import static io.vramlab.magics.explain.PyTorchReasoning.both;

import java.util.ArrayList;
import java.util.List;

/** Apple's GPUs: the allocator refuses when allocated, others and the request exceed its high watermark. */
record MpsReasoning(Message message) implements Reasoning {

    @Override
    public Result result() {
        List<Conclusion> findings = new ArrayList<>();
        Amount tried = message.amount(Role.TRIED).orElseThrow();
        Amount own = message.amount(Role.ALLOCATED).orElseThrow();
        Amount other = message.amount(Role.OTHER_PROCESS).orElseThrow();
        Amount most = message.amount(Role.ALLOWED).orElseThrow();
        Amount wanted = own.plus(other).plus(tried);
        String sum = both(own) + " + " + both(other) + " + " + both(tried) + " = " + both(wanted) + "; at most "
                + both(most);
        if (most.surelyBelow(wanted)) {
            findings.add(Conclusion.proven("The watermark: " + sum + "."));
        } else if (wanted.surelyBelow(most)) {
            findings.add(Conclusion.inconsistent("The watermark is not reached: " + sum + "."));
        } else {
            findings.add(Conclusion.consistent("The watermark is reached within the figures' decimals: " + sum + "."));
        }
        findings.add(Conclusion
                .note("\"MPS allocated\" counts cached buffers too: torch.mps.empty_cache() tells how much of it "
                        + "was in use."));
        return new Result("PyTorch's own watermark for the GPU's share of the computer's memory refused it.", findings,
                List.of("print(torch.mps.current_allocated_memory(), torch.mps.driver_allocated_memory())",
                        "torch.mps.empty_cache(); print(torch.mps.driver_allocated_memory())"),
                "After each step: the first figure is what tensors use, the second what the driver has given; what the second "
                        + "line frees was cache.");
    }
}

package io.vramlab.magics.explain;

import static io.vramlab.magics.explain.PyTorchReasoning.both;

import java.util.ArrayList;
import java.util.List;

/** CUDA's own pool tells what is in use and what the driver has left, and not what the pool keeps cached. */
record AsyncPoolReasoning(Message message) implements Reasoning {

    /** What a context, libraries and their workspaces usually take beside the pool, and more. */
    private static final Amount USUAL_CONTEXT = Amount.exactly(1L << 30);
    private static final List<String> NEXT = List.of(
            "import os; os.environ[\"PYTORCH_CUDA_ALLOC_CONF\"] = \"backend:native\"  # before torch is imported",
            "print(torch.cuda.mem_get_info(), torch.cuda.memory_allocated())  # before the line that fails");
    private static final String WHY = "With PyTorch's own allocator a failure tells what was cached, and its history can be recorded "
            + "(ComfyUI: --disable-cuda-malloc). The second line tells what the device had left.";

    @Override
    public Result result() {
        List<Conclusion> findings = new ArrayList<>();
        findings.add(Conclusion
                .note("This is CUDA's own pool (backend:cudaMallocAsync), not PyTorch's allocator: settings such as "
                        + "expandable_segments or max_split_size_mb do nothing here."));
        if (message.figures().isEmpty()) {
            return new Result("PyTorch was refused memory by CUDA's own pool; how much was asked for is not told.",
                    findings,
                    NEXT, WHY);
        }
        Amount asked = message.amount(Role.TRIED).orElseThrow();
        Amount total = message.amount(Role.CAPACITY).orElseThrow();
        Amount used = message.amount(Role.ALLOCATED).orElseThrow();
        return new Result(verdict(findings, asked, total, used), findings, NEXT, WHY);
    }

    private String verdict(List<Conclusion> findings, Amount asked, Amount total, Amount used) {
        if (total.surelyBelow(asked)) {
            findings.add(Conclusion
                    .proven("The request, " + both(asked) + ", is larger than the device, " + both(total) + "."));
            return "The request alone is larger than the device.";
        }
        Amount wanted = used.plus(asked);
        String sum = both(used) + " in use + " + both(asked) + " asked for = " + both(wanted);
        if (message.amount(Role.ALLOWED).filter(limit -> limit.surelyBelow(wanted)).isPresent()) {
            findings.add(Conclusion.proven(
                    "The limit: " + sum + "; " + both(message.amount(Role.ALLOWED).orElseThrow()) + " allowed."));
            return "The process's own limit refused it, not the device.";
        }
        if (total.surelyBelow(wanted)) {
            findings.add(Conclusion
                    .proven(sum + ", more than the device's " + both(total) + ": no setting can make it fit."));
            return "More is in use than the device has room for.";
        }
        boolean alone = message.amount(Role.FREE).map(free -> total.minus(used).minus(free))
                .filter(rest -> rest.surelyBelow(USUAL_CONTEXT)).isPresent();
        message.amount(Role.FREE).ifPresent(free -> {
            Amount rest = total.minus(used).minus(free);
            findings.add(Conclusion.consistent(both(total) + " - " + both(used) + " in use - " + both(free) + " free = "
                    + both(rest)
                    + ", which CUDA's pool keeps cached, the context and libraries take, or other processes hold."));
            if (asked.surelyAtMost(rest)) {
                findings.add(Conclusion
                        .possible("Without what is held beside this program's blocks the request would have fitted: "
                                + "nvidia-smi names other processes; what the pool keeps, torch.cuda.empty_cache() gives back."));
            }
        });
        return alone
                ? "The device is full of what this program uses."
                : "The device is full, and not by what this program uses alone.";
    }
}

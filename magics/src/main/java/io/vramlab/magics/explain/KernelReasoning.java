package io.vramlab.magics.explain;

import java.util.List;

/** A kernel does not fit a multiprocessor: nothing is full. */
record KernelReasoning(Message message) implements Reasoning {

    @Override
    public Result result() {
        return new Result("This is not the GPU's memory: one kernel wants more " + message.form()
                + " than a multiprocessor of this GPU has.",
                List.of(Conclusion.excluded(
                        "A full GPU: a smaller batch, an emptied cache or allocator settings change nothing."),
                        Conclusion.proven("The kernel's tiles are too large for this GPU; on one with more "
                                + message.form()
                                + " the same kernel runs. Smaller block sizes, fewer stages (num_stages) or a smaller head size need less.")),
                List.of("import os; os.environ[\"TORCHINDUCTOR_MAX_AUTOTUNE\"] = \"0\"  # where torch.compile chose the tiles",
                        "p = torch.cuda.get_device_properties(0); print(p.name, p.shared_memory_per_block_optin)"),
                "The first is for torch.compile; in a kernel of your own lower its block sizes or num_stages. The second tells what this GPU has.");
    }
}

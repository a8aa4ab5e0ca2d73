package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;

/** Errors without figures: who failed is known, how much was missing is not. */
record LibraryReasoning(Message message) implements Reasoning {

    private static final String PROBE = "print(torch.cuda.mem_get_info(), torch.cuda.memory_reserved())";

    @Override
    public Result result() {
        List<Conclusion> findings = new ArrayList<>();
        if (message.source() == Message.Source.CUDA || message.source() == Message.Source.HIP) {
            return cuda(findings);
        }
        boolean initialized = message.form().contains("NOT_INITIALIZED");
        String library = message.source().words();
        findings.add(Conclusion
                .note(library + " takes what it needs from the driver, beside PyTorch's allocator: the "
                        + "allocator's cache is of no use to it, and PyTorch does not empty it for " + library + "."));
        if (initialized) {
            findings.add(Conclusion.possible(library
                    + " could not start for lack of memory; or for another reason: an earlier "
                    + "error of a kernel, an index out of range among them, or a library that does not match the driver."));
        } else {
            findings.add(Conclusion
                    .proven(library + " asked the driver for memory and was refused. How much it wanted is not told: "
                            + "some MiB for a handle or a channel's buffers, up to some hundred for a workspace."));
        }
        return new Result(initialized
                ? library
                        + " could not start: too little memory left on the device is the usual reason, not the only one."
                : "Nothing was left on the device for " + library
                        + ": PyTorch's cache, its tensors or other processes hold it.",
                findings,
                List.of(PROBE + "  # before the line that fails",
                        initialized
                                ? "import os; os.environ[\"CUDA_LAUNCH_BLOCKING\"] = \"1\"  # first line of the program"
                                : "torch.cuda.set_per_process_memory_fraction(0.9)  # leaves room outside of PyTorch's cache"),
                "The first tells whether the device was full and whether by PyTorch's cache. " + (initialized
                        ? "With the second, an earlier error names its own line."
                        : "With the second, PyTorch fails first, with figures."));
    }

    private Result cuda(List<Conclusion> findings) {
        boolean driver = message.form().equals("driver error");
        boolean rocm = message.source() == Message.Source.HIP;
        findings.add(Conclusion.proven("The " + (driver ? "driver" : rocm ? "HIP runtime" : "CUDA runtime")
                + " refused memory outside of PyTorch's caching allocator, whose own failures have figures."));
        findings.add(
                Conclusion
                        .possible("A context could not be made (the first use of a GPU takes some hundred MiB: another "
                                + "process fills it), a kernel's stack or a library's workspace could not be had, pinned memory of the host "
                                + "was refused, or a kernel's printf or device heap."));
        if (!driver) {
            findings.add(Conclusion
                    .note("It may be told at a later line than the one that failed: work on a GPU is reported when "
                            + "somebody asks next."));
        }
        return new Result(
                "The device was full for somebody who is not PyTorch's allocator; who and how much is not told.",
                findings,
                List.of(rocm
                        ? "import os; os.environ[\"AMD_SERIALIZE_KERNEL\"] = \"3\"  # first line of the program"
                        : "import os; os.environ[\"CUDA_LAUNCH_BLOCKING\"] = \"1\"  # first line of the program",
                        PROBE + "  # before the line that fails"),
                "With the first the line is the right one. The second tells whether the device was full, and what of it "
                        + "PyTorch holds; if it fails itself, the GPU was full before the program began: "
                        + (rocm ? "rocm-smi --showpids" : "nvidia-smi") + " names who.");
    }
}

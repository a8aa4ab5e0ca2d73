package io.vramlab.magics.explain;

import static io.vramlab.magics.explain.PyTorchReasoning.both;

import java.util.ArrayList;
import java.util.List;

/** The computer's memory ran out: the GPU has no part in it. */
record HostReasoning(Message message) implements Reasoning {

    private static final List<String> NEXT = List.of(
            "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, \"KiB at most\")  # after each step",
            "import subprocess; print(subprocess.run(\"free -m; df -h /dev/shm\", shell=True, text=True, capture_output=True).stdout)");

    @Override
    public Result result() {
        List<Conclusion> findings = new ArrayList<>();
        findings.add(Conclusion.excluded(
                "The GPU's memory: no setting of PyTorch's allocator, and no smaller GPU use, changes this."));
        return switch (message.form()) {
            case HostMessages.SHARED -> {
                findings.add(Conclusion.possible(
                        "Workers of a DataLoader hand batches over in /dev/shm, and NCCL's processes talk through it. It is "
                                + "64 MiB in a container unless docker run has --shm-size or --ipc=host; fewer workers, or "
                                + "num_workers=0, need less, and NCCL_SHM_DISABLE=1 goes without."));
                yield result("Shared memory of the computer (/dev/shm) ran out, not the GPU's.", findings);
            }
            case HostMessages.KILLED -> {
                findings.add(Conclusion
                        .possible("The system, a container's limit or a batch system killed the process for its use of "
                                + "memory; a person or a time limit can do the same. dmesg, or the batch system's accounting, tells which."));
                yield result(
                        "The process was killed from outside, most often because the computer's own memory (RAM) was full; "
                                + "not the GPU's.",
                        findings);
            }
            case HostMessages.KILLED_FOR_MEMORY -> {
                findings.add(
                        Conclusion.proven("It was ended for its use of memory: of the computer, of a container, or "
                                + "of what a batch system gave it (--mem)."));
                findings.add(Conclusion
                        .possible(
                                "What fills it most often: a checkpoint that is read on the CPU first, a data set held "
                                        + "whole, and copies of it in the workers of a DataLoader."));
                yield result("The process was killed because the computer's own memory (RAM) was full; not the GPU's.",
                        findings);
            }
            default -> {
                Amount tried = message.amount(Role.TRIED).orElseThrow();
                findings.add(
                        Conclusion.proven("One piece of " + both(tried) + " was refused by the operating system."));
                yield result(
                        "The computer's own memory (RAM) ran out, not the GPU's: " + both(tried) + " were asked for.",
                        findings);
            }
        };
    }

    private static Result result(String verdict, List<Conclusion> findings) {
        return new Result(verdict, findings, NEXT,
                "The first tells how the process grows (on macOS in bytes), the second what the computer has left.");
    }
}

package io.vramlab.magics.explain;

import java.util.List;

/** What to paste into a PyTorch program so that the next failure tells more. */
final class PyTorchNext {

    static final List<String> SHAPES = List.of(
            "import sys; sys.excepthook = lambda t, e, tb: __import__(\"pdb\").post_mortem(tb)",
            "print([(n, v.shape, v.dtype) for n, v in locals().items() if hasattr(v, \"shape\")])");
    static final String SHAPES_WHY = "The first goes to the program's beginning: it stops where it fails. The second, typed "
            + "there, prints the shapes: one of them is wrong, or belongs into smaller pieces.";
    static final List<String> PROCESSES = List.of(
            "print(torch.cuda.mem_get_info(), torch.cuda.memory_reserved(), torch.cuda.memory_allocated())",
            "import subprocess; print(subprocess.run(\"nvidia-smi --query-compute-apps=pid,name,used_memory --format=csv\", shell=True, text=True, capture_output=True).stdout)");
    static final String PROCESSES_WHY = "Before the line that fails: what the driver calls free, what PyTorch holds, and which "
            + "other processes hold the rest.";
    static final List<String> XPU = List.of(
            "print(torch.xpu.memory_allocated(), torch.xpu.memory_reserved())  # before the line that fails",
            "torch.xpu.empty_cache(); print(torch.xpu.memory_reserved())");
    static final String XPU_WHY = "The first tells what tensors use and what PyTorch holds; what the second gives back was cache.";
    private static final String HISTORY_WHY = "Before the model is made. When it fails again, `vramlab report oom.pickle` names the "
            + "cause and the line, and `vramlab what-if oom.pickle` tries other settings.";

    private static final String FIGURES_WHY = "The peak with what leads to it: which part of the step uses most, and whether it "
            + "grows from step to step. PyTorch 2.1 and later record every allocation with its line.";

    private PyTorchNext() {
    }

    /** What {@link #history} would show. */
    static String why(Message message) {
        return message.versions().startsWith("1.") ? FIGURES_WHY : HISTORY_WHY;
    }

    /** Records the history up to the failure, as the version of the message can. */
    static List<String> history(Message message) {
        if (message.form().equals("cached")) {
            return List.of("torch.cuda.reset_max_memory_allocated(); torch.cuda.reset_max_memory_cached()",
                    "print(torch.cuda.max_memory_allocated(), torch.cuda.max_memory_cached())  # after each step");
        }
        if (message.versions().startsWith("1.")) {
            return List.of(
                    "import sys; sys.excepthook = lambda *e: (print(torch.cuda.memory_summary()), sys.__excepthook__(*e))",
                    "torch.cuda.reset_peak_memory_stats()  # PyTorch 2.1 can record the history: prefer that");
        }
        return List.of("torch.cuda.memory._record_memory_history(max_entries=1_000_000)",
                "torch._C._cuda_attach_out_of_memory_observer(lambda *_: torch.cuda.memory._dump_snapshot(\"oom.pickle\"))");
    }
}

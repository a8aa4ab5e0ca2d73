package io.vramlab.magics.explain;

import static io.vramlab.magics.explain.PyTorchReasoning.both;

import java.util.ArrayList;
import java.util.List;

/** A pool that another library keeps: what the GPU had left is not told. */
record ArenaReasoning(Message message) implements Reasoning {

    private static final List<String> PROCESSES = List.of(
            "nvidia-smi --query-gpu=index,memory.free,memory.total --format=csv",
            "nvidia-smi --query-compute-apps=pid,name,used_memory --format=csv");

    @Override
    public Result result() {
        Amount tried = message.amount(Role.TRIED).orElseThrow();
        List<Conclusion> findings = new ArrayList<>();
        String verdict = "One buffer of " + both(tried) + " did not fit; what the GPU had left the text does not tell.";
        if (message.source() == Message.Source.ONNX) {
            findings.add(
                    Conclusion.possible("The arena doubles when it grows (kNextPowerOfTwo), and keeps what it has: "
                            + "arena_extend_strategy=kSameAsRequested and a gpu_mem_limit take less. It is the CPU's arena where the session "
                            + "runs there, and then the computer's memory is full."));
            return new Result(verdict, findings, PROCESSES,
                    "At the time of failure: what the GPU has left, and who holds the rest.");
        }
        Amount held = message.amount(Role.RESERVED).orElseThrow();
        message.amount(Role.ALLOWED).filter(limit -> limit.surelyBelow(held.plus(tried))).ifPresent(limit -> findings
                .add(Conclusion.proven(
                        "The pool's limit: " + both(held) + " + " + both(tried) + "; " + both(limit) + " allowed.")));
        findings.add(Conclusion.note(
                "CuPy's pool and another library's in the same process, such as PyTorch's, do not share: what one has "
                        + "cached the other cannot have."));
        return new Result(verdict, findings, List.of(
                "print(cupy.get_default_memory_pool().used_bytes(), cupy.get_default_memory_pool().total_bytes())",
                "cupy.get_default_memory_pool().free_all_blocks(); print(cupy.cuda.runtime.memGetInfo())"),
                "Before the line that fails: what arrays use of what the pool holds; then what the GPU has left when the pool's cache is given back.");
    }
}

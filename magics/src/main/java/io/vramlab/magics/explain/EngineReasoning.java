package io.vramlab.magics.explain;

import static io.vramlab.magics.explain.PyTorchReasoning.both;

import io.vramlab.magics.text.ReadableSizes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** vLLM takes a share of the GPU at its start; what weights and a trial run leave of it is the cache of keys and values. */
record EngineReasoning(Message message) implements Reasoning {

    private static final Pattern NUMBER = Pattern.compile("\\((\\d+)\\)");
    private static final List<String> PROCESSES = List.of(
            "nvidia-smi --query-compute-apps=pid,name,used_memory --format=csv  # before vLLM starts",
            "nvidia-smi --query-gpu=index,memory.free,memory.total --format=csv");
    private static final List<String> SMALLER = List.of(
            "vllm serve MODEL --max-model-len 8192 --max-num-seqs 16  # the cache holds fewer tokens",
            "vllm serve MODEL --gpu-memory-utilization 0.95 --kv-cache-dtype fp8  # or: a larger share, half the bytes a token");

    @Override
    public Result result() {
        List<Conclusion> findings = new ArrayList<>();
        findings.add(Conclusion.note("Nothing has failed to allocate: vLLM counted, and stopped before it would. "
                + "Its share is gpu_memory_utilization of the whole device, weights and cache together."));
        return switch (message.form()) {
            case EngineMessages.STARTUP -> startup(findings);
            case EngineMessages.CACHE -> cache(findings);
            case EngineMessages.TOKENS -> tokens(findings);
            default -> {
                findings.add(Conclusion
                        .proven("The weights and the trial run's activations took all of vLLM's share, or more."));
                yield new Result("The weights leave nothing of vLLM's share for keys and values.", findings, SMALLER,
                        "A trial run is of max-num-seqs requests and max-num-batched-tokens tokens: less of these leaves more. "
                                + "If the weights alone fill the GPU, only more GPUs (--tensor-parallel-size) or quantized weights help.");
            }
        };
    }

    private Result startup(List<Conclusion> findings) {
        Amount wanted = message.amount(Role.TRIED).orElseThrow();
        Amount free = message.amount(Role.FREE).orElseThrow();
        Amount total = message.amount(Role.CAPACITY).orElseThrow();
        findings.add(Conclusion
                .proven(both(total.minus(free)) + " of the device were taken before vLLM began: by other processes, "
                        + "an earlier vLLM that has not ended, the desktop, or this process's own context."));
        findings.add(Conclusion.possible(String.format(java.util.Locale.ROOT,
                "With --gpu-memory-utilization %.2f or less it starts; what is then left for the cache is not told.",
                Math.floor(100.0 * free.least() / total.most()) / 100)));
        return new Result("The GPU was not free enough when vLLM started: " + both(free) + " of the " + both(wanted)
                + " that it wanted.", findings, PROCESSES,
                "They name who holds the rest; when they have ended, vLLM finds it free.");
    }

    private Result cache(List<Conclusion> findings) {
        Amount needed = message.amount(Role.TRIED).orElseThrow();
        Amount left = message.amount(Role.FREE).orElseThrow();
        long tokens = number(0);
        if (left.bytes() > 0) {
            findings.add(Conclusion
                    .possible("About " + ReadableSizes.exact((long) (tokens * (left.bytes() / (double) needed.bytes())))
                            + " tokens would fit, where each takes the same (" + both(needed) + " / "
                            + ReadableSizes.exact(tokens)
                            + "): with sliding windows more."));
        }
        return new Result(
                "One request of the full length, " + ReadableSizes.exact(tokens) + " tokens, needs " + both(needed)
                        + " of keys and values, and " + both(left) + " are left for them.",
                findings, SMALLER,
                "Either fewer tokens, or fewer bytes for each, or a larger share of the GPU.");
    }

    private Result tokens(List<Conclusion> findings) {
        findings.add(Conclusion.proven("The cache holds " + ReadableSizes.exact(number(1)) + " tokens: --max-model-len "
                + number(1) + " starts."));
        return new Result(
                "The model's full length, " + ReadableSizes.exact(number(0))
                        + " tokens, is more than fits beside the weights.",
                findings, SMALLER, "Either fewer tokens, or fewer bytes for each, or a larger share of the GPU.");
    }

    private long number(int which) {
        Matcher number = NUMBER.matcher(message.text());
        for (int i = 0; i <= which; i++) {
            number.find();
        }
        return Long.parseLong(number.group(1));
    }
}

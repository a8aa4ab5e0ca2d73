package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a text with an out-of-memory message tells.
 *
 * @param message
 *            the message; of several, the first with the most figures
 * @param others
 *            the text's other messages, as they stand in it
 * @param verdict
 *            one sentence: what is known of the cause
 * @param findings
 *            what follows, firmest first
 * @param next
 *            two lines of code to paste, which record what the message does not tell
 * @param why
 *            what these lines would show, and where to put them
 */
public record Explanation(Message message, List<Message> others, String verdict, List<Conclusion> findings,
        List<String> next,
        String why) {

    /** What prints the messages that are known, for telling somebody whose text holds none. */
    public static final String KNOWN = "PyTorch, CUDA, cuBLAS, cuDNN, NCCL, JAX, TensorFlow, ONNX Runtime, CuPy, Triton, vLLM,"
            + " llama.cpp, the system or any other";

    private static final List<Function<String, List<Message>>> READERS = List.of(PyTorchMessages::in,
            AsyncPoolMessages::in, LibraryMessages::in, XlaMessages::in, TensorFlowMessages::in, TpuMessages::in,
            ArenaMessages::in, EngineMessages::in, GgmlMessages::in, KernelMessages::in, HostMessages::in);

    /** Explains a text: a message alone, or a log with one in it. Empty when it holds none that is known. */
    public static Optional<Explanation> of(String text) {
        String folded = LogText.folded(text);
        List<Message> all = messages(folded);
        return all.stream().max(Comparator.comparingInt((Message m) -> m.figures().size())
                .thenComparing(Message::at, Comparator.reverseOrder()))
                .map(message -> explain(message, folded,
                        all.stream().filter(other -> other != message && !isWithin(other, all)).toList()));
    }

    /** In the order of the text. What is only taken for such a message, or tells next to nothing, counts where there is nothing better. */
    private static List<Message> messages(String text) {
        List<Message> all = new ArrayList<>();
        READERS.forEach(reader -> all.addAll(reader.apply(text)));
        for (Wording.Tier tier : Wording.Tier.values()) {
            if (tier == Wording.Tier.MESSAGE || all.isEmpty()) {
                all.addAll(Wordings.in(tier, text));
            }
        }
        all.sort(Comparator.comparing(Message::at));
        return all;
    }

    /** A library's name for an error, inside of another's message, is no message of its own. */
    private static boolean isWithin(Message message, List<Message> all) {
        return all.stream().anyMatch(other -> other != message && other.text().length() > message.text().length()
                && other.at() <= message.at()
                && message.at() + message.text().length() <= other.at() + other.text().length());
    }

    private static Explanation explain(Message message, String text, List<Message> others) {
        Reasoning reasoning = Wordings.of(message).<Reasoning>map(wording -> new WordingReasoning(message, wording))
                .orElseGet(() -> reasoning(message, text));
        Reasoning.Result result = reasoning.result();
        List<Conclusion> findings = new ArrayList<>(result.findings());
        AskingLine.above(message, text).ifPresent(line -> findings.add(Conclusion.note("Asked for in " + line
                + ", by the traceback above it: the line that found no room, which need not be the one that filled it.")));
        findings.sort(Comparator.comparing(f -> f.kind().ordinal()));
        return new Explanation(message, others, result.verdict(), List.copyOf(findings), result.next(), result.why());
    }

    private static Reasoning reasoning(Message message, String text) {
        return switch (message.source()) {
            case PYTORCH -> new PyTorchReasoning(message, text);
            case PYTORCH_ASYNC -> new AsyncPoolReasoning(message);
            case PYTORCH_MPS -> new MpsReasoning(message);
            case XLA, TENSORFLOW -> new PoolReasoning(message);
            case TPU -> new TpuReasoning(message);
            case ONNX, CUPY -> new ArenaReasoning(message);
            case CUDA, HIP, CUBLAS, CUDNN, CUSOLVER, CUFFT, CUSPARSE, HIPBLAS, MIOPEN, NCCL, BITSANDBYTES ->
                new LibraryReasoning(message);
            case VLLM -> new EngineReasoning(message);
            case GGML -> new GgmlReasoning(message);
            case TRITON -> new KernelReasoning(message);
            case HOST -> new HostReasoning(message);
            default -> throw new IllegalStateException(message.source() + " prints no message that has a reader");
        };
    }
}

package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a text with an out-of-memory message tells.
 *
 * @param message
 *            the message; of several, the first with the most figures
 * @param others
 *            how many more messages the text holds
 * @param verdict
 *            one sentence: what is known of the cause
 * @param findings
 *            what follows, firmest first
 * @param next
 *            two lines of code to paste, which record what the message does not tell
 * @param why
 *            what these lines would show, and where to put them
 */
public record Explanation(Message message, int others, String verdict, List<Conclusion> findings, List<String> next,
        String why) {

    /** Explains a text: a message alone, or a log with one in it. Empty when it holds none that is known. */
    public static Optional<Explanation> of(String text) {
        String folded = text.replaceAll("\\s+", " ");
        List<Message> all = new ArrayList<>();
        all.addAll(PyTorchMessages.in(folded));
        all.addAll(LibraryMessages.in(folded));
        all.addAll(XlaMessages.in(folded));
        all.addAll(TensorFlowMessages.in(folded));
        return all.stream().max(Comparator.comparingInt((Message m) -> m.figures().size())
                .thenComparing(Message::at, Comparator.reverseOrder()))
                .map(message -> explain(message, folded, all.size() - 1));
    }

    private static Explanation explain(Message message, String text, int others) {
        Reasoning reasoning = switch (message.source()) {
            case PYTORCH -> new PyTorchReasoning(message, text);
            case PYTORCH_MPS -> new MpsReasoning(message);
            case XLA, TENSORFLOW -> new PoolReasoning(message);
            case CUDA, CUBLAS, CUDNN -> new LibraryReasoning(message);
        };
        Reasoning.Result result = reasoning.result();
        List<Conclusion> findings = new ArrayList<>(result.findings());
        findings.sort(Comparator.comparing(f -> f.kind().ordinal()));
        return new Explanation(message, others, result.verdict(), List.copyOf(findings), result.next(), result.why());
    }
}

package io.vramlab.magics.explain;

import io.vramlab.magics.text.ReadableSizes;
import java.util.List;
import java.util.stream.Collectors;

/** An explanation as plain text, for terminals. */
public final class ExplanationText {

    private ExplanationText() {
    }

    /** Verdict, figures, findings, and the two lines; lines end with a line break. */
    public static String of(Explanation told) {
        StringBuilder out = new StringBuilder(findings(told))
                .append("\nTo know more next time, paste these two lines:\n");
        told.next().forEach(line -> out.append("    ").append(line).append('\n'));
        return out.append(told.why()).append('\n').toString();
    }

    /** The same without what to record next. */
    public static String findings(Explanation told) {
        Message message = told.message();
        StringBuilder out = new StringBuilder(told.verdict()).append('\n').append(source(told)).append('\n');
        int name = message.figures().stream().mapToInt(f -> f.name().length()).max().orElse(0);
        int text = message.figures().stream().mapToInt(f -> f.amount().shown().length()).max().orElse(0);
        if (!message.figures().isEmpty()) {
            out.append('\n');
        }
        for (Figure figure : message.figures()) {
            out.append("  ").append(figure.name()).append(" ".repeat(name - figure.name().length() + 2))
                    .append(" ".repeat(text - figure.amount().shown().length())).append(figure.amount().shown())
                    .append("  ").append(figure.meaning()).append('\n');
        }
        out.append('\n');
        for (Conclusion finding : told.findings()) {
            out.append(finding.kind().word()).append(": ").append(finding.text()).append('\n');
        }
        return out.toString();
    }

    /** Of which GPUs the others are, where some are not of the explained one: the ranks of a job fail one after another. */
    private static String devices(Explanation told) {
        List<Integer> devices = told.others().stream().map(Message::device).filter(device -> device >= 0).distinct()
                .sorted().toList();
        return devices.isEmpty() || devices.equals(List.of(told.message().device()))
                ? ""
                : " (of GPU " + devices.stream().map(String::valueOf).collect(Collectors.joining(", "))
                        + "); the first of GPU " + told.message().device() + " is explained";
    }

    /** Who printed it. */
    public static String source(Explanation told) {
        Message message = told.message();
        return (message.source() == Message.Source.UNKNOWN
                ? "Who printed it the text does not tell."
                : "Printed by " + message.source().words() + (message.versions().equals("every one")
                        ? ", in every version."
                        : ", versions: " + message.versions() + "."))
                + (told.others().isEmpty()
                        ? ""
                        : " The text holds " + ReadableSizes.count(told.others().size(), "other such message")
                                + devices(told) + ".");
    }
}

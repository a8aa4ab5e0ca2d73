package io.vramlab.magics.explain;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The wordings of {@code wordings.txt}, whose head says how a block is written. */
final class Wordings {

    private static final List<Wording> ALL = read();

    private Wordings() {
    }

    static List<Wording> all() {
        return ALL;
    }

    /** Every message of such wordings that a text has, whose white space is folded. */
    static List<Message> in(Wording.Tier tier, String text) {
        return ALL.stream().filter(each -> each.tier() == tier).flatMap(each -> each.in(text).stream()).toList();
    }

    /** The wording by which a message was found; empty for those that have readers of their own. */
    static Optional<Wording> of(Message message) {
        return ALL.stream().filter(each -> each.form().equals(message.form())).findFirst();
    }

    private static List<Wording> read() {
        try (InputStream in = Wordings.class.getResourceAsStream("wordings.txt")) {
            List<Wording> wordings = new ArrayList<>();
            Wording.Tier tier = null;
            for (String block : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n\n")) {
                List<String> lines = block.lines().toList();
                if (lines.get(0).startsWith("= ")) {
                    tier = Wording.Tier
                            .valueOf(lines.get(0).substring(2).replace('-', '_').toUpperCase(Locale.ROOT));
                } else if (lines.get(0).startsWith("@ ")) {
                    wordings.add(wording(tier, lines));
                }
            }
            return List.copyOf(wordings);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Wording wording(Wording.Tier tier, List<String> lines) {
        return new Wording(lines.get(0).substring(2), tier, Message.Source.valueOf(one(lines, "source")),
                one(lines, "versions"), many(lines, "word"), Pattern.compile(one(lines, "match")),
                many(lines, "figure").stream().map(Wordings::figure).toList(), one(lines, "verdict"),
                lines.stream().flatMap(line -> finding(line).stream()).toList(), many(lines, "next"),
                one(lines, "why"));
    }

    private static Wording.Figured figure(String line) {
        String[] parts = line.split(" \\| ");
        return new Wording.Figured(Role.valueOf(parts[0].toUpperCase(Locale.ROOT)), parts[1],
                parts[2].equals("-") ? "" : " " + parts[2], parts[3]);
    }

    private static Optional<Conclusion> finding(String line) {
        return Arrays.stream(Conclusion.Kind.values()).filter(kind -> line.startsWith(kind.word() + " "))
                .map(kind -> new Conclusion(kind, line.substring(kind.word().length() + 1))).findFirst();
    }

    private static List<String> many(List<String> lines, String key) {
        return lines.stream().filter(line -> line.startsWith(key + " ")).map(line -> line.substring(key.length() + 1))
                .toList();
    }

    private static String one(List<String> lines, String key) {
        return many(lines, key).getFirst();
    }
}

package io.vramlab.magics.explain;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Messages of public threads, and what is expected of them. */
final class MessageCorpus {

    /**
     * One message.
     *
     * @param finds
     *            a kind and words of a finding each; {@code inconsistent nothing}: none of that kind
     */
    record Case(String thread, String source, int figures, String verdict, List<String> finds, String text) {

        @Override
        public String toString() {
            return thread;
        }
    }

    private MessageCorpus() {
    }

    static List<Case> all() {
        try (InputStream in = MessageCorpus.class.getResourceAsStream("/explain/messages.txt")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            List<Case> cases = new ArrayList<>();
            for (String block : text.split("(?m)^@ ")) {
                if (!block.startsWith("#")) {
                    cases.add(read(block));
                }
            }
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Case read(String block) {
        String[] lines = block.split("\n");
        List<String> finds = new ArrayList<>();
        int line = 4;
        for (; lines[line].startsWith("finds "); line++) {
            finds.add(lines[line].substring(6));
        }
        return new Case(lines[0], after(lines[1], "source "), Integer.parseInt(after(lines[2], "figures ")),
                after(lines[3], "verdict "), finds, String.join("\n", List.of(lines).subList(line, lines.length)));
    }

    private static String after(String line, String word) {
        if (!line.startsWith(word)) {
            throw new IllegalStateException(word + "was expected, not " + line);
        }
        return line.substring(word.length());
    }
}

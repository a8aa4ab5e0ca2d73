package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what ggml prints under llama.cpp, ollama and others, with the buffers that the log tells of before. */
final class GgmlMessages {

    private static final Pattern REFUSED = Pattern
            .compile("allocating ([\\d.]+) MiB on device (\\d+): (?:cuda|hip)Malloc failed:"
                    + " out of memory(?: (\\w+): failed to allocate \\w+ buffer of size (\\d+))?");
    private static final Pattern FREE = Pattern
            .compile("using device (?:CUDA|ROCm)(\\d+) \\(.{1,120}?\\) (?:\\([\\w:.]+\\) )?- (\\d+) MiB free");
    private static final Pattern BUFFER = Pattern
            .compile("(?:CUDA|ROCm)(\\d+) (?:(model|KV|compute|RS) )?buffer size = +([\\d.]+) MiB");
    private static final Map<String, String> MEANINGS = Map.of("model", "the weights that this device got", "KV",
            "keys and values of the whole context", "compute", "what a batch is computed in", "RS", "recurrent states");

    private GgmlMessages() {
    }

    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        Matcher refused = REFUSED.matcher(text);
        while (refused.find()) {
            found.add(message(text, refused));
        }
        return found;
    }

    private static Message message(String text, Matcher refused) {
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure(Role.TRIED, "tried to allocate", refused.group(4) == null
                ? Amount.parse(refused.group(1) + " MiB").orElseThrow()
                : Amount.exactly(Long.parseLong(refused.group(4))), "one buffer"));
        String before = text.substring(0, refused.start());
        Matcher free = FREE.matcher(before);
        while (free.find()) {
            if (free.group(1).equals(refused.group(2))) {
                figures.removeIf(figure -> figure.role() == Role.FREE);
                figures.add(
                        new Figure(Role.FREE, "free at the start", Amount.parse(free.group(2) + " MiB").orElseThrow(),
                                "what the driver had left before the model was loaded"));
            }
        }
        figures.addAll(buffers(before, refused.group(2)));
        return new Message(Message.Source.GGML, refused.group(3) == null ? "cudaMalloc failed" : refused.group(3),
                "llama.cpp of 2024 and later", Integer.parseInt(refused.group(2)), figures, refused.start(),
                refused.group());
    }

    /** The last of each kind: a program that tries again tells them again. */
    private static List<Figure> buffers(String text, String device) {
        Map<String, Figure> last = new LinkedHashMap<>();
        Matcher buffer = BUFFER.matcher(text);
        while (buffer.find()) {
            if (buffer.group(1).equals(device)) {
                String kind = buffer.group(2) == null ? "model" : buffer.group(2);
                last.put(kind,
                        new Figure(Role.PART, kind + " buffer", Amount.parse(buffer.group(3) + " MiB").orElseThrow(),
                                MEANINGS.get(kind)));
            }
        }
        return List.copyOf(last.values());
    }
}

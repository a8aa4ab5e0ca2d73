package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds XLA's messages, as JAX, and TensorFlow with XLA, print them. */
final class XlaMessages {

    private static final Pattern TRIED = Pattern.compile("(?:RESOURCE_EXHAUSTED|Resource exhausted|INTERNAL): "
            + "(?:Out of memory (?:while trying to allocate|allocating)|Failed to allocate(?: request for)?) ("
            + Amount.PATTERN + ")(?: \\((\\d+)B\\))?(?: on device ordinal (\\d+))?");
    private static final Pattern PART = Pattern.compile(
            "(parameter|constant|maybe_live_out|preallocated temp|total) allocation: (" + Amount.PATTERN + ")");
    private static final Pattern FRAGMENTATION = Pattern.compile("total fragmentation: (" + Amount.PATTERN + ")");
    private static final int NEAR = 4000;

    private XlaMessages() {
    }

    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        Matcher tried = TRIED.matcher(text);
        while (tried.find()) {
            found.add(message(text, tried));
        }
        return found;
    }

    private static Message message(String text, Matcher tried) {
        List<Figure> figures = new ArrayList<>();
        Amount amount = tried.group(2) == null
                ? Amount.parse(tried.group(1)).orElseThrow()
                : Amount.exactly(Long.parseLong(tried.group(2)));
        figures.add(new Figure(Role.TRIED, "tried to allocate", amount,
                "one buffer: of a compiled program's temporaries or results, or of an array"));
        int end = Math.min(text.length(), tried.end() + NEAR);
        Matcher again = TRIED.matcher(text).region(tried.end(), end);
        if (again.find()) {
            end = again.start();
        }
        boolean parts = parts(text.substring(tried.end(), end), figures);
        figures.addAll(BfcStatistics.near(text, tried.start(), end));
        boolean request = tried.group().contains("Failed to allocate");
        String form = parts
                ? "with BufferAssignment stats"
                : request ? "Failed to allocate request" : "Out of memory while trying to allocate";
        return new Message(Message.Source.XLA, form, parts ? "jaxlib 0.3 and later" : "every one",
                tried.group(3) == null ? -1 : Integer.parseInt(tried.group(3)), figures, tried.start(),
                tried.group());
    }

    private static boolean parts(String text, List<Figure> figures) {
        Matcher part = PART.matcher(text);
        boolean any = false;
        while (part.find()) {
            any = true;
            figures.add(new Figure(part.group(1).equals("total") ? Role.TOLD : Role.PART, part.group(1),
                    Amount.parse(part.group(2)).orElseThrow(), meaning(part.group(1))));
        }
        Matcher fragmentation = FRAGMENTATION.matcher(text);
        if (any && fragmentation.find()) {
            figures.add(new Figure(Role.TOLD, "fragmentation", Amount.parse(fragmentation.group(1)).orElseThrow(),
                    "room that the compiled program's buffers leave between each other"));
        }
        return any;
    }

    private static String meaning(String part) {
        return switch (part) {
            case "parameter" -> "the arguments of the compiled program: they are there before it runs";
            case "constant" -> "constants that were compiled into it";
            case "maybe_live_out" -> "its results: they stay when it ends";
            case "preallocated temp" -> "its temporaries, one buffer: activations are in here";
            default -> "all of that program's memory";
        };
    }
}

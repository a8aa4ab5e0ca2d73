package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds XLA's messages for TPUs, which count high-bandwidth memory. */
final class TpuMessages {

    static final String PROGRAM = "compiled program too large";

    private static final String A = "(" + Amount.PATTERN + ")";
    private static final Pattern TRIED = Pattern.compile("Attempting to (?:allocate|reserve) " + A
            + "(?: at the bottom of memory)?\\. That was not possible\\. There are " + A + " free");
    private static final Pattern USED = Pattern
            .compile("Ran out of memory in memory space hbm\\. Used " + A + " of " + A + " hbm");

    private TpuMessages() {
    }

    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        Matcher tried = TRIED.matcher(text);
        while (tried.find()) {
            found.add(message("buffer", tried, List.of(
                    figure(Role.TRIED, "tried to allocate", tried.group(1),
                            "one buffer, or a compiled program's memory"),
                    figure(Role.FREE, "free", tried.group(2), "what the TPU's core had left"))));
        }
        Matcher used = USED.matcher(text);
        while (used.find()) {
            found.add(message(PROGRAM, used, List.of(
                    figure(Role.TRIED, "used", used.group(1), "what the compiled program would need"),
                    figure(Role.CAPACITY, "capacity", used.group(2), "what the TPU's core has for programs"))));
        }
        return found;
    }

    private static Message message(String form, Matcher found, List<Figure> figures) {
        return new Message(Message.Source.TPU, form, "every one", -1, figures, found.start(), found.group());
    }

    private static Figure figure(Role role, String name, String text, String meaning) {
        return new Figure(role, name, Amount.parse(text).orElseThrow(), meaning);
    }
}

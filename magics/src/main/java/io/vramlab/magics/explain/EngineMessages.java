package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what vLLM says when its share of the GPU does not do: it counts before anything fails. */
final class EngineMessages {

    static final String STARTUP = "less free than wanted";
    static final String CACHE = "KV cache too small";
    static final String TOKENS = "KV cache too small, in tokens";
    static final String NONE = "no room for a KV cache";

    private static final Pattern FREE = Pattern
            .compile("Free memory on device (?:cuda:(\\d+) )?\\(([\\d.]+)/([\\d.]+) GiB\\) on"
                    + " startup is less than desired GPU memory utilization \\(([\\d.]+), ([\\d.]+) GiB\\)");
    private static final Pattern NEEDED = Pattern
            .compile("max seq len \\((\\d+)\\), \\(([\\d.]+) GiB KV cach ?e is needed,"
                    + " which is larger than the available KV cache memory \\((-?[\\d.]+) GiB\\)");
    private static final Pattern LONGER = Pattern
            .compile("max seq len \\((\\d+)\\) is larger than the maximum number of"
                    + " tokens that can be stored in KV cache \\((\\d+)\\)");
    private static final Pattern NO_ROOM = Pattern.compile("No available memory for the cache blocks");

    private EngineMessages() {
    }

    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        Matcher free = FREE.matcher(text);
        while (free.find()) {
            found.add(message(STARTUP, free, free.group(1), List.of(
                    gib(Role.TRIED, "wanted", free.group(5), free.group(4) + " of the device: gpu_memory_utilization"),
                    gib(Role.FREE, "free", free.group(2), "what the driver had left when vLLM started"),
                    gib(Role.CAPACITY, "capacity", free.group(3), "the device's memory"))));
        }
        Matcher needed = NEEDED.matcher(text);
        while (needed.find()) {
            String left = needed.group(3).startsWith("-") ? "0" : needed.group(3);
            found.add(message(CACHE, needed, null, List.of(
                    gib(Role.TRIED, "needed", needed.group(2),
                            "keys and values of one request of " + needed.group(1) + " tokens"),
                    gib(Role.FREE, "available", left, "what the weights and a trial run left of vLLM's share"))));
        }
        Matcher longer = LONGER.matcher(text);
        while (longer.find()) {
            found.add(message(TOKENS, longer, null, List.of()));
        }
        Matcher none = NO_ROOM.matcher(text);
        while (none.find()) {
            found.add(message(NONE, none, null, List.of()));
        }
        return found;
    }

    private static Message message(String form, Matcher found, String device, List<Figure> figures) {
        return new Message(Message.Source.VLLM, form, "any that prints so",
                device == null ? -1 : Integer.parseInt(device),
                figures, found.start(), found.group());
    }

    private static Figure gib(Role role, String name, String number, String meaning) {
        return new Figure(role, name, Amount.parse(number + " GiB").orElseThrow(), meaning);
    }
}

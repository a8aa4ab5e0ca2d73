package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the messages of PyTorch's other allocator, CUDA's own pool: {@code backend:cudaMallocAsync}. */
final class AsyncPoolMessages {

    private static final String A = "(" + Amount.PATTERN + ")";
    private static final Pattern REFUSED = Pattern
            .compile("Allocation on device (\\d*)(?: would exceed allowed memory\\."
                    + " \\(out of memory\\) Currently allocated ?: " + A + " Requested ?: " + A + " Device limit ?: "
                    + A
                    + "(?: Free \\(according to CUDA\\): " + A
                    + ")?(?: PyTorch limit \\(set by user-supplied memory fraction\\) ?: " + A + ")?)?");

    private AsyncPoolMessages() {
    }

    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        Matcher refused = REFUSED.matcher(text);
        while (refused.find()) {
            found.add(message(refused));
        }
        return found;
    }

    private static Message message(Matcher refused) {
        boolean told = refused.group(2) != null;
        List<Figure> figures = new ArrayList<>();
        if (told) {
            figures.add(
                    new Figure(Role.TRIED, "requested", amount(refused.group(3)), "the block itself, not a segment"));
            figures.add(new Figure(Role.CAPACITY, "device limit", amount(refused.group(4)), "the device's memory"));
            figures.add(new Figure(Role.ALLOCATED, "currently allocated", amount(refused.group(2)),
                    "in blocks that this program uses"));
        }
        if (refused.group(5) != null) {
            figures.add(
                    new Figure(Role.FREE, "free", amount(refused.group(5)), "what the driver had left for everybody"));
        }
        if (refused.group(6) != null && amount(refused.group(6)).bytes() < Amount.MOST) {
            figures.add(new Figure(Role.ALLOWED, "PyTorch limit", amount(refused.group(6)),
                    "the most that the program may use: set_per_process_memory_fraction"));
        }
        return new Message(Message.Source.PYTORCH_ASYNC, told ? "cudaMallocAsync" : "cudaMallocAsync, without figures",
                "1.13 and later, with backend:cudaMallocAsync, which ComfyUI sets",
                refused.group(1).isEmpty() ? -1 : Integer.parseInt(refused.group(1)), figures, refused.start(),
                refused.group());
    }

    private static Amount amount(String text) {
        return Amount.parse(text).orElseThrow();
    }
}

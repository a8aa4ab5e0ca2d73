package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the messages of other libraries with a pool of their own: ONNX Runtime's arena and CuPy's pool. */
final class ArenaMessages {

    private static final Pattern ONNX = Pattern.compile(
            "BFCArena::AllocateRawInternal(?:\\([^)]*\\))? ?Failed to allocate memory for requested buffer of size (\\d+)");
    private static final Pattern CUPY = Pattern
            .compile("[Oo]ut of memory (?:allocating|to allocate) ([\\d,]+) bytes \\((?:allocated so"
                    + " far:|total) ([\\d,]+) bytes(?:, limit set to: ([\\d,]+) bytes)?\\)");

    private ArenaMessages() {
    }

    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        Matcher onnx = ONNX.matcher(text);
        while (onnx.find()) {
            if (onnx.group(1).length() < 19) { // more digits are a length that overflowed
                found.add(new Message(Message.Source.ONNX, "BFCArena", "every one", -1, List.of(tried(onnx.group(1))),
                        onnx.start(), onnx.group()));
            }
        }
        Matcher cupy = CUPY.matcher(text);
        while (cupy.find()) {
            List<Figure> figures = new ArrayList<>();
            figures.add(tried(cupy.group(1)));
            figures.add(new Figure(Role.RESERVED, "allocated so far", bytes(cupy.group(2)),
                    "held by CuPy's pool: in use by arrays, or cached"));
            if (cupy.group(3) != null) {
                figures.add(new Figure(Role.ALLOWED, "limit", bytes(cupy.group(3)),
                        "set for the pool: CUPY_GPU_MEMORY_LIMIT"));
            }
            found.add(new Message(Message.Source.CUPY, "memory pool", "every one", -1, figures, cupy.start(),
                    cupy.group()));
        }
        return found;
    }

    private static Figure tried(String digits) {
        return new Figure(Role.TRIED, "tried to allocate", bytes(digits), "one buffer");
    }

    private static Amount bytes(String digits) {
        return Amount.exactly(Long.parseLong(digits.replace(",", "")));
    }
}

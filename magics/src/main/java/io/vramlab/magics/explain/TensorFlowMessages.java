package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds TensorFlow's messages. */
final class TensorFlowMessages {

    private static final Pattern TENSOR = Pattern.compile(
            "OOM when allocating tensor with shape ?\\[([0-9, ]*)\\](?: and type (\\w+))?(?: on (\\S+))?(?: by allocator (\\w+))?");
    private static final Pattern ALLOCATOR = Pattern
            .compile("Allocator \\((\\w+)\\) ran out of memory trying to allocate ("
                    + Amount.PATTERN + ")(?: \\(rounded to (\\d+)\\))?");
    private static final Pattern DRIVER = Pattern.compile("failed to allocate (" + Amount.PATTERN
            + ") \\((\\d+) bytes\\) from device: CUDA_ERROR_OUT_OF_MEMORY");
    private static final Pattern GPU = Pattern.compile("GPU[_:](\\d+)");
    private static final Map<String, Integer> WIDTHS = Map.ofEntries(Map.entry("float", 4), Map.entry("double", 8),
            Map.entry("half", 2), Map.entry("bfloat16", 2), Map.entry("int8", 1), Map.entry("uint8", 1),
            Map.entry("int16", 2), Map.entry("uint16", 2), Map.entry("int32", 4), Map.entry("uint32", 4),
            Map.entry("int64", 8), Map.entry("uint64", 8), Map.entry("bool", 1), Map.entry("complex64", 8),
            Map.entry("complex128", 16), Map.entry("qint8", 1), Map.entry("quint8", 1), Map.entry("qint32", 4));

    private TensorFlowMessages() {
    }

    static List<Message> in(String text) {
        List<Message> found = new ArrayList<>();
        Matcher tensor = TENSOR.matcher(text);
        while (tensor.find()) {
            found.add(tensor(text, tensor));
        }
        Matcher allocator = ALLOCATOR.matcher(text);
        while (allocator.find()) {
            List<Figure> figures = new ArrayList<>();
            Amount amount = allocator.group(3) == null
                    ? Amount.parse(allocator.group(2)).orElseThrow()
                    : Amount.exactly(Long.parseLong(allocator.group(3)));
            figures.add(new Figure(Role.TRIED, "tried to allocate", amount, "one tensor or scratch buffer"));
            figures.addAll(BfcStatistics.near(text, allocator.start(), allocator.end()));
            found.add(new Message(Message.Source.TENSORFLOW, "Allocator ran out of memory", "every one",
                    device(allocator.group(1)), figures, allocator.start(), allocator.group()));
        }
        Matcher driver = DRIVER.matcher(text);
        while (driver.find()) {
            found.add(new Message(Message.Source.TENSORFLOW, "failed to allocate from device", "every one", -1,
                    List.of(new Figure(Role.TRIED, "tried to allocate",
                            Amount.exactly(Long.parseLong(driver.group(2))),
                            "what the allocator wanted from the driver for its pool, which grows by as much as it can")),
                    driver.start(), driver.group()));
        }
        return found;
    }

    private static Message tensor(String text, Matcher tensor) {
        List<Figure> figures = new ArrayList<>();
        long bytes = bytes(tensor.group(1), tensor.group(2));
        if (bytes >= 0) {
            figures.add(new Figure(Role.TRIED, "tried to allocate", Amount.exactly(bytes),
                    "[" + tensor.group(1) + "] elements of " + tensor.group(2) + ", " + WIDTHS.get(tensor.group(2))
                            + (WIDTHS.get(tensor.group(2)) == 1 ? " byte each" : " bytes each")));
        }
        figures.addAll(BfcStatistics.near(text, tensor.start(), tensor.end()));
        return new Message(Message.Source.TENSORFLOW, "OOM when allocating tensor",
                tensor.group(2) == null ? "1.0 to 1.6" : "1.7 and later", device(tensor.group()), figures,
                tensor.start(), tensor.group());
    }

    /** -1 where the type is not told or not known, or the product leaves the range of a long. */
    private static long bytes(String shape, String type) {
        Integer width = type == null ? null : WIDTHS.get(type);
        if (width == null) {
            return -1;
        }
        try {
            long bytes = width;
            for (String extent : shape.split(",")) {
                bytes = extent.isBlank() ? bytes : Math.multiplyExact(bytes, Long.parseLong(extent.strip()));
            }
            return bytes;
        } catch (ArithmeticException tooLarge) {
            return -1;
        }
    }

    private static int device(String text) {
        Matcher gpu = GPU.matcher(text);
        return gpu.find() ? Integer.parseInt(gpu.group(1)) : -1;
    }
}

package io.vramlab.conformance.trace;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.vramlab.memory.TraceAction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads recorded runs: JSON, gzip-compressed or not. */
final class TraceReader {

    private static final long MOST_BYTES = 128L << 20;
    private static final int MOST_DEPTH = 32;
    private static final int MOST_STREAMS = 64;

    private TraceReader() {
    }

    /**
     * Reads one recording.
     *
     * @throws TraceFileException
     *             if it is not one, in one line
     * @throws IOException
     *             if the file cannot be read
     */
    static AllocatorTrace read(final Path file) throws IOException {
        final byte[] bytes = BoundedInput.read(file, MOST_BYTES);
        try {
            checkDepth(bytes);
            return trace(JsonParser.parseString(new String(bytes, StandardCharsets.UTF_8)).getAsJsonObject());
        } catch (final JsonParseException | IllegalStateException | UnsupportedOperationException
                | NumberFormatException | NullPointerException | IndexOutOfBoundsException | ClassCastException e) {
            throw new TraceFileException(file, e);
        }
    }

    /** The parser recurses: nesting is bounded before it starts. */
    private static void checkDepth(final byte[] json) {
        int depth = 0;
        boolean quoted = false;
        for (int i = 0; i < json.length; i++) {
            final byte c = json[i];
            if (quoted) {
                i += c == '\\' ? 1 : 0;
                quoted = c != '"';
            } else if (c == '"') {
                quoted = true;
            } else if (c == '[' || c == '{') {
                depth++;
            } else if (c == ']' || c == '}') {
                depth--;
            }
            if (depth > MOST_DEPTH) {
                throw new JsonParseException("nested more than " + MOST_DEPTH + " deep at byte " + i);
            }
        }
    }

    private static AllocatorTrace trace(final JsonObject root) {
        final JsonObject meta = root.getAsJsonObject("meta");
        final List<String> columns = strings(meta.getAsJsonArray("columns"));
        final List<AllocatorTrace.Operation> operations = new ArrayList<>();
        for (final JsonElement operation : root.getAsJsonArray("ops")) {
            operations.add(operation(operation.getAsJsonArray()));
        }
        checkIds(operations);
        final JsonArray stats = root.getAsJsonArray("stats");
        if (stats.size() != operations.size()) {
            throw new JsonParseException(operations.size() + " operations but statistics after " + stats.size());
        }
        final long[][] expected = new long[stats.size()][];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = longs(stats.get(i).getAsJsonArray());
            if (expected[i].length != columns.size()) {
                throw new JsonParseException("statistics " + i + " have " + expected[i].length + " columns, not "
                        + columns.size());
            }
        }
        final List<AllocatorTrace.Entry> entries = new ArrayList<>();
        for (final JsonElement entry : root.getAsJsonArray("trace")) {
            entries.add(entry(entry.getAsJsonArray()));
        }
        final Map<String, Long> finalStats = new TreeMap<>();
        root.getAsJsonObject("final_stats").asMap().forEach((key, value) -> finalStats.put(key, exact(value)));
        final List<AllocatorTrace.Layout> segments = new ArrayList<>();
        for (final JsonElement segment : root.getAsJsonArray("segments")) {
            segments.add(layout(segment.getAsJsonObject()));
        }
        final long total = exact(meta.get("device_total"));
        return new AllocatorTrace(text(meta, "name"), text(meta, "conf"), limit(meta, total), total, columns,
                operations, expected, entries, finalStats, segments);
    }

    private static String text(final JsonObject object, final String key) {
        return object.get(key) == null || object.get(key).isJsonNull() ? "" : object.get(key).getAsString();
    }

    /** The limit as PyTorch computed it: the fraction of the device, truncated. */
    private static long limit(final JsonObject meta, final long total) {
        final JsonElement fraction = meta.get("fraction");
        return fraction == null || fraction.isJsonNull() ? 0 : (long) (fraction.getAsDouble() * total);
    }

    private static AllocatorTrace.Operation operation(final JsonArray a) {
        final String letter = a.get(0).getAsString();
        for (final AllocatorTrace.Kind kind : AllocatorTrace.Kind.values()) {
            if (kind.letter.equals(letter)) {
                return switch (kind) {
                    case ALLOCATE, RUN_OUT -> new AllocatorTrace.Operation(kind, integer(a.get(1)), exact(a.get(2)),
                            stream(a.get(3)));
                    case FREE -> new AllocatorTrace.Operation(kind, integer(a.get(1)), 0, 0);
                    case RECORD_STREAM ->
                        new AllocatorTrace.Operation(kind, integer(a.get(1)), 0, stream(a.get(2)));
                    case EMPTY_CACHE, RESET_PEAKS -> new AllocatorTrace.Operation(kind, -1, 0, 0);
                };
            }
        }
        throw new JsonParseException("unknown operation " + letter);
    }

    /** Every id must be allocated before it is used and freed at most once. */
    private static void checkIds(final List<AllocatorTrace.Operation> operations) {
        final Set<Integer> live = new HashSet<>();
        for (final AllocatorTrace.Operation operation : operations) {
            final boolean known = switch (operation.kind()) {
                case ALLOCATE -> operation.bytes() >= 0 && live.add(operation.id());
                case FREE -> live.remove(operation.id());
                case RECORD_STREAM -> live.contains(operation.id());
                case RUN_OUT, EMPTY_CACHE, RESET_PEAKS -> true;
            };
            if (!known) {
                throw new JsonParseException("operation on allocation " + operation.id()
                        + ", which does not exist then or exists already");
            }
        }
    }

    private static AllocatorTrace.Entry entry(final JsonArray a) {
        final TraceAction action = TraceAction.of(a.get(0).getAsString());
        if (action == null) {
            throw new JsonParseException("unknown history action " + a.get(0));
        }
        return new AllocatorTrace.Entry(action, exact(a.get(1)), exact(a.get(2)), integer(a.get(3)));
    }

    private static AllocatorTrace.Layout layout(final JsonObject s) {
        final List<AllocatorTrace.BlockLayout> blocks = new ArrayList<>();
        for (final JsonElement block : s.getAsJsonArray("blocks")) {
            final JsonArray b = block.getAsJsonArray();
            blocks.add(new AllocatorTrace.BlockLayout(exact(b.get(0)), exact(b.get(1)), b.get(2).getAsString(),
                    exact(b.get(3))));
        }
        return new AllocatorTrace.Layout(exact(s.get("address")), exact(s.get("total_size")),
                integer(s.get("stream")), s.get("segment_type").getAsString(), exact(s.get("allocated_size")),
                exact(s.get("active_size")), exact(s.get("requested_size")), s.get("is_expandable").getAsBoolean(),
                blocks);
    }

    private static List<String> strings(final JsonArray array) {
        final List<String> list = new ArrayList<>();
        array.forEach(element -> list.add(element.getAsString()));
        return list;
    }

    private static long[] longs(final JsonArray array) {
        final long[] values = new long[array.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = exact(array.get(i));
        }
        return values;
    }

    private static long exact(final JsonElement number) {
        return Long.parseLong(number.getAsString());
    }

    private static int integer(final JsonElement number) {
        return Integer.parseInt(number.getAsString());
    }

    private static int stream(final JsonElement number) {
        final int stream = integer(number);
        if (stream < 0 || stream >= MOST_STREAMS) {
            throw new JsonParseException("stream " + stream + " is not between 0 and " + (MOST_STREAMS - 1));
        }
        return stream;
    }
}

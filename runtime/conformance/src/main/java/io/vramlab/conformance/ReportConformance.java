package io.vramlab.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.device.Device;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.MemorySummary;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.memory.StreamEvents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Does what the recorder reports.py did to an allocator, and compares all statistics after each part; the summaries, each
 * also as the text of the recorded statistics; what is said when memory runs out; and what settings are refused with.
 */
public final class ReportConformance {

    /** Figure: statistics. */
    public static final String STATISTICS = "statistics";
    /** Figure: summaries and messages. */
    public static final String TEXTS = "texts";

    private static final long MIB = 1L << 20;
    private static final long LIMIT = 1024 * MIB;
    private static final long FIRST_REQUEST = 4_000_000;
    private static final long[] TOO_MUCH = {900 * MIB, 2048 * MIB, 10L << 40};

    private final ComparisonReport report = new ComparisonReport("reports");
    private final JsonObject recorded;
    private final CachingAllocator allocator;

    private ReportConformance(JsonObject recorded, Device device, long total) {
        this.recorded = recorded;
        allocator = new CachingAllocator(0, device.driver(), StreamEvents.IMMEDIATE, AllocatorSettings.DEFAULT,
                List::of);
        allocator.setMemoryFraction((double) LIMIT / total);
    }

    /**
     * Replays a recording on a shapes-only device of the recorded one's size.
     *
     * @throws IOException
     *             if the file cannot be read or is no such recording; the message is one line
     */
    public static ComparisonReport check(Path file) throws IOException {
        return Recordings.with(file, recording -> {
            long total = Recordings.need(recording, "total").getAsLong();
            Device device = Device.shapesOnly(total + "B");
            try {
                ReportConformance run = new ReportConformance(recording, device, total);
                if (asked(recording) == FIRST_REQUEST) {
                    run.program();
                } else {
                    run.summaries();
                }
                run.settings();
                return run.report;
            } finally {
                device.close();
            }
        });
    }

    /** What the recorder had asked for after its first request: tells its program from another. */
    private static long asked(JsonObject recording) {
        JsonObject one = Recordings.need(recording, "one").getAsJsonObject();
        return Recordings.need(Recordings.need(one, "flat").getAsJsonObject(), "requested_bytes.all.current")
                .getAsLong();
    }

    /** Of a program that is not reports.py's, only the texts of its statistics can be judged. */
    private void summaries() {
        report.note("this is another program than reports.py's, which the recording does not tell: its summaries are"
                + " compared with those of its statistics, the statistics and messages with nothing");
        recorded.entrySet().stream().filter(e -> e.getValue().isJsonObject())
                .filter(e -> e.getValue().getAsJsonObject().has("flat"))
                .forEach(e -> texts(e.getKey(), e.getValue().getAsJsonObject(), statistics(e.getValue())));
    }

    private static Map<String, Long> statistics(JsonElement state) {
        Map<String, Long> statistics = new TreeMap<>();
        Recordings.need(state.getAsJsonObject(), "flat").getAsJsonObject().asMap()
                .forEach((key, value) -> statistics.put(key, value.getAsLong()));
        return statistics;
    }

    private void texts(String what, JsonObject then, Map<String, Long> statistics) {
        text(what + " summary", MemorySummary.text(statistics, "0", false),
                Recordings.need(then, "summary").getAsString());
        text(what + " abbreviated", MemorySummary.text(statistics, "0", true),
                Recordings.need(then, "abbreviated").getAsString());
    }

    private void program() {
        state("empty");
        allocator.allocate(FIRST_REQUEST, 0);
        state("one");
        List<Long> kept = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            kept.add(allocator.allocate(3 * MIB + i * 1000, 0));
        }
        for (int i = 0; i < 300; i++) {
            kept.add(allocator.allocate(1000 + i, 0));
        }
        for (int i = 0; i < kept.size(); i += 2) {
            allocator.free(kept.get(i));
        }
        state("holes");
        allocator.emptyCache();
        state("after_empty_cache");
        allocator.allocate(600 * MIB, 0);
        JsonArray messages = Recordings.array(recorded, "oom_messages");
        for (int i = 0; i < TOO_MUCH.length; i++) {
            String then = Recordings.need(Recordings.need(messages, i).getAsJsonArray(), 2).getAsString();
            text("out of memory " + i, withoutMachine(refusal(TOO_MUCH[i])), withoutMachine(then));
        }
        state("after_oom");
        text("an exabyte", refusal(1L << 60),
                Recordings.need(Recordings.array(recorded, "huge"), 1).getAsString());
    }

    private String refusal(long bytes) {
        try {
            allocator.allocate(bytes, 0);
            return "no error";
        } catch (OutOfMemoryException e) {
            return e.getMessage();
        }
    }

    /** Free memory and what each process uses are the machine's. */
    private static String withoutMachine(String message) {
        return message.replaceAll("of which .* is free\\. (.* memory in use\\. )?", "");
    }

    private void state(String name) {
        JsonObject then = Recordings.need(recorded, name).getAsJsonObject();
        Map<String, Long> statistics = statistics(then);
        Map<String, Long> now = allocator.stats().asMap();
        report.count();
        if (!report.compare(STATISTICS, statistics.equals(now))) {
            now.forEach((key, value) -> {
                if (!value.equals(statistics.get(key))) {
                    report.differ(name + ": " + key + " is " + value + ", recorded " + statistics.get(key));
                }
            });
        }
        texts(name, then, now);
        texts(name + " as recorded:", then, statistics);
    }

    private void text(String what, String now, String then) {
        report.count();
        if (!report.compare(TEXTS, now.equals(then))) {
            report.differ(what + " is \"" + now + "\", recorded \"" + then + "\"");
        }
    }

    private void settings() {
        JsonElement conf = recorded.get("conf");
        if (conf != null && conf.isJsonObject()) {
            conf.getAsJsonObject().asMap().forEach((text, then) -> text("settings " + text,
                    outcome(() -> AllocatorSettings.DEFAULT.with(text)), then.getAsString()));
        }
    }

    private static String outcome(Supplier<AllocatorSettings> reading) {
        try {
            reading.get();
            return "ok";
        } catch (IllegalArgumentException e) {
            return "ValueError: " + e.getMessage();
        } catch (IllegalStateException e) {
            return "RuntimeError: " + e.getMessage();
        }
    }
}

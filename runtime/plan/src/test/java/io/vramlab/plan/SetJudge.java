package io.vramlab.plan;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Judges a set of scripts as docs/plan-judged.md tables it; a program, no test. {@code estimate TRACES} writes a line for each
 * recording in a folder, as {@code estimates-before-the-runs.jsonl} has it; {@code judge ESTIMATES recorded.json} compares;
 * {@code verdicts TRACES HISTORIES} asks at five limits around each peak whether it fits, and whether the recorded requests do;
 * {@code limits TRACES recorded.json limits.json} whether it fits under limits, and whether it ended under them on a GPU.
 */
final class SetJudge {

    private static final long PAGE = 2L << 20;
    private static final List<String> SETTINGS = List.of("default", "expandable");

    private SetJudge() {
    }

    /** One of the two. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("estimate")) {
            try (Stream<Path> files = Files.list(Path.of(arguments[1]))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".trace")).sorted().toList()) {
                    System.out.println(estimate(file));
                }
            }
        } else if (arguments[0].equals("limits")) {
            limits(Path.of(arguments[1]), Path.of(arguments[2]), Path.of(arguments[3]));
        } else if (arguments[0].equals("verdicts")) {
            verdicts(Path.of(arguments[1]), Path.of(arguments[2]));
        } else {
            judge(Path.of(arguments[1]), Path.of(arguments[2]));
        }
    }

    /** What is told of recordings under limits, beside which of the scripts ended under them on a GPU (limits.py). */
    private static void limits(Path traces, Path recorded, Path ran) throws Exception {
        JsonObject peaks = JsonParser.parseString(Files.readString(recorded)).getAsJsonObject();
        int right = 0;
        int open = 0;
        int wrong = 0;
        for (Map.Entry<String, JsonElement> each : JsonParser.parseString(Files.readString(ran)).getAsJsonObject()
                .entrySet()) {
            String name = each.getKey().substring(0, each.getKey().indexOf(' '));
            double part = Double.parseDouble(each.getKey().substring(name.length() + 1));
            long peak = peaks.getAsJsonObject(name).getAsJsonArray("default").get(1).getAsLong();
            long limit = part == 1 ? peak : (long) (peak * part) / PAGE * PAGE;
            ProgramTrace trace = ProgramTrace.read(traces.resolve(name + ".trace"));
            DeviceProperties device = DeviceProfile.find(trace.device()).orElseThrow();
            DeviceProperties small = DeviceProfile.of(trace.device() + ":" + (limit + Outside.context(device)));
            FitVerdict told = Plan.of(trace, small, "").verdict();
            boolean ended = each.getValue().getAsJsonObject().get("said").getAsString().equals("ended");
            if (told == FitVerdict.DEPENDS || told == FitVerdict.INCOMPLETE) {
                open++;
            } else if ((told != FitVerdict.DOES_NOT_FIT) == ended) {
                right++;
            } else {
                wrong++;
                System.out.println(each.getKey() + ": " + told + " was told, it " + each.getValue());
            }
        }
        System.out.printf("%d right, %d open, %d wrong%n", right, open, wrong);
    }

    private static void verdicts(Path traces, Path histories) throws Exception {
        double[] parts = {0.9, 0.97, 1, 1.03, 1.1};
        int right = 0;
        int within = 0;
        int wrong = 0;
        try (Stream<Path> files = Files.list(traces)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".trace")).sorted().toList()) {
                String name = file.getFileName().toString().replace(".trace", "");
                Path history = histories.resolve(name + ".history.gz");
                if (!Files.exists(history)) {
                    continue;
                }
                ProgramTrace trace = ProgramTrace.read(file);
                ProgramTrace requests = requests(history);
                DeviceProperties device = DeviceProfile.find(trace.device()).orElseThrow();
                long peak = Plan.brief(requests, device).reserved();
                for (double part : parts) {
                    long limit = part == 1 ? peak : (long) (peak * part) / PAGE * PAGE;
                    DeviceProperties small = DeviceProfile.of(trace.device() + ":" + (limit + Outside.context(device)));
                    FitVerdict told = Plan.of(trace, small, "").verdict();
                    FitVerdict is = Plan.of(requests, small, "").verdict();
                    boolean open = told == FitVerdict.DEPENDS || told == FitVerdict.INCOMPLETE;
                    if (open || is == FitVerdict.DEPENDS) {
                        within++;
                    } else if ((told == FitVerdict.DOES_NOT_FIT) == (is == FitVerdict.DOES_NOT_FIT)) {
                        right++;
                    } else {
                        wrong++;
                        System.out.println(name + " at " + part + ": " + told + " was told, it is " + is);
                    }
                }
            }
        }
        System.out.printf("%d right, %d within the stated range, %d wrong%n", right, within, wrong);
    }

    /** The requests of a history that record_on_gpu.py wrote, as a recording of storages that come and go. */
    private static ProgramTrace requests(Path history) throws IOException {
        StringBuilder lines = new StringBuilder(
                "{\"vramlab_trace\":1,\"torch\":\"2.11.0\",\"device\":\"H200\",\"name\":"
                        + "\"NVIDIA H200\",\"capability\":[9,0],\"multiprocessors\":132,\"memory\":150109880320,\"script\":\"requests\"}\n");
        int taken = 0;
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(history))))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("+")) {
                    lines.append("[\"b\",").append(++taken).append(',').append(line.substring(1)).append("]\n");
                } else if (line.startsWith("-") && !line.equals("--1")) {
                    lines.append("[\"f\",").append(Integer.parseInt(line.substring(1)) + 1).append("]\n");
                }
            }
        }
        lines.append("[\"z\",true]\n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        }
        return ProgramTrace.read(new ByteArrayInputStream(bytes.toByteArray()));
    }

    private static JsonObject estimate(Path file) throws Exception {
        ProgramTrace trace = ProgramTrace.read(file);
        List<Plan> plans = Plan.of(trace, DeviceProfile.find(trace.device()).orElseThrow(),
                List.of("", "expandable_segments:True"));
        JsonObject row = new JsonObject();
        row.addProperty("script", file.getFileName().toString().replace(".trace", ""));
        row.addProperty("complete", trace.isComplete());
        for (int i = 0; i < 2; i++) {
            Plan plan = plans.get(i);
            String name = SETTINGS.get(i);
            row.add(name, pair(plan.allocated(), plan.reserved()));
            row.add(i == 0 ? "range" : "expandable_range", pair(plan.leastReserved(), plan.mostReserved()));
        }
        row.add("allocated_range", pair(plans.getFirst().leastAllocated(), plans.getFirst().mostAllocated()));
        row.addProperty("order", order(plans.getFirst().sizes()));
        row.addProperty("allocations", plans.getFirst().sizes().size());
        row.addProperty("without_an_entry", plans.getFirst().withoutAnEntry().toString());
        return row;
    }

    private static JsonArray pair(long first, long second) {
        JsonArray pair = new JsonArray();
        pair.add(first);
        pair.add(second);
        return pair;
    }

    /** As record_on_gpu.py has it. */
    private static String order(List<Long> sizes) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(
                sizes.stream().map(String::valueOf).collect(Collectors.joining(",")).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest).substring(0, 16);
    }

    private static void judge(Path estimates, Path recorded) throws IOException {
        JsonObject real = JsonParser.parseString(Files.readString(recorded)).getAsJsonObject();
        List<JsonObject> rows = Files.readAllLines(estimates).stream().filter(l -> !l.isBlank())
                .map(l -> JsonParser.parseString(l).getAsJsonObject())
                .filter(row -> real.has(row.get("script").getAsString())
                        && real.getAsJsonObject(row.get("script").getAsString()).has("order"))
                .toList();
        for (JsonObject row : rows) {
            JsonObject run = real.getAsJsonObject(row.get("script").getAsString());
            System.out.printf(Locale.ROOT, "%-40s %6.2f %6.2f %6.2f %6.2f %s%s%s%n", row.get("script").getAsString(),
                    error(row, run, 0, 0), error(row, run, 0, 1), error(row, run, 1, 0), error(row, run, 1, 1),
                    ordered(row, run) ? "order" : "     ", outside(row, run, 0) ? " outside" : "",
                    outside(row, run, 1) ? " expandable outside" : "");
        }
        for (int i = 0; i < 4; i++) {
            int setting = i / 2;
            int figure = i % 2;
            double[] errors = rows.stream().mapToDouble(
                    row -> error(row, real.getAsJsonObject(row.get("script").getAsString()), setting, figure)).sorted()
                    .toArray();
            System.out.printf(Locale.ROOT, "%s %s: median %.3f, worst %.2f%n", SETTINGS.get(setting),
                    figure == 0 ? "allocated" : "reserved",
                    (errors[(errors.length - 1) / 2] + errors[errors.length / 2]) / 2, errors[errors.length - 1]);
        }
        System.out.printf("orders equal: %d of %d; outside of the range: %d, %d%n",
                rows.stream().filter(r -> ordered(r, real.getAsJsonObject(r.get("script").getAsString()))).count(),
                rows.size(),
                rows.stream().filter(r -> outside(r, real.getAsJsonObject(r.get("script").getAsString()), 0)).count(),
                rows.stream().filter(r -> outside(r, real.getAsJsonObject(r.get("script").getAsString()), 1)).count());
    }

    private static double error(JsonObject row, JsonObject run, int setting, int figure) {
        String name = SETTINGS.get(setting);
        double was = run.getAsJsonArray(name).get(figure).getAsDouble();
        return Math.abs(row.getAsJsonArray(name).get(figure).getAsDouble() - was) / was * 100;
    }

    private static boolean ordered(JsonObject row, JsonObject run) {
        return row.get("order").equals(run.get("order"));
    }

    private static boolean outside(JsonObject row, JsonObject run, int setting) {
        JsonArray range = row.getAsJsonArray(setting == 0 ? "range" : "expandable_range");
        long was = run.getAsJsonArray(SETTINGS.get(setting)).get(1).getAsLong();
        return was < range.get(0).getAsLong() || was > range.get(1).getAsLong();
    }
}

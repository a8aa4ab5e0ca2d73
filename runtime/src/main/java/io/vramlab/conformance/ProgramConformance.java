package io.vramlab.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** Replays recorded tensor programs and compares memory after and during every statement, and values at the end. */
public final class ProgramConformance {

    /** Figure: bytes allocated after a statement. */
    public static final String ALLOCATED = "allocated";
    /** Figure: most bytes allocated during a statement. */
    public static final String PEAK = "peak";
    /** Figure: peaks that are at most 8 KiB off. */
    public static final String PEAK_NEAR = "peak within 8 KiB";
    /** Figure: bytes asked for by what is alive. */
    public static final String REQUESTED = "requested";
    /** Figure: number of live allocations. */
    public static final String ALLOCATIONS = "allocations";
    /** Figure: programs that end, or fail, as recorded. */
    public static final String ERRORS = "errors";
    /** Figure: variables and gradients at the end. */
    public static final String VALUES = "values";

    private static final long NEAR = 8192;
    private static final double TOLERANCE = 1e-3;

    private final Report report = new Report("statements");
    private final Device device;

    private ProgramConformance(Device device) {
        this.device = device;
    }

    /**
     * Replays a recording on a simulated H200, the GPU of the recordings.
     *
     * @throws IOException
     *             if the file cannot be read or is no such recording; the message is one line
     */
    public static Report check(Path file) throws IOException {
        return Recordings.with(file, recording -> {
            Device before = Device.current();
            Device device = Device.simulated("H200");
            try {
                Device.set(device);
                ProgramConformance run = new ProgramConformance(device);
                for (JsonElement p : Recordings.need(recording, "programs").getAsJsonArray()) {
                    run.program(p.getAsJsonObject());
                }
                return run.report;
            } finally {
                Device.set(before);
                device.close();
            }
        });
    }

    private void program(JsonObject p) {
        String id = Recordings.need(p, "id").getAsString();
        JsonArray statements = Recordings.need(p, "statements").getAsJsonArray();
        JsonArray recorded = Recordings.need(p, "recorded").getAsJsonArray();
        String expectedError = p.has("error") && !p.get("error").isJsonNull() ? p.get("error").getAsString() : null;
        Meter meter = new Meter(device);
        try (Program program = new Program(device)) {
            String error = null;
            for (int i = 0; i < recorded.size() && error == null; i++) {
                meter.resetPeak();
                error = attempt(program, statements.get(i).getAsJsonObject());
                compare(id + " statement " + i + " " + statements.get(i), meter.read(),
                        Recordings.longs(recorded.get(i).getAsJsonArray()));
            }
            boolean same = error == null
                    ? expectedError == null
                    : expectedError != null && error.startsWith(expectedError);
            if (!report.compare(ERRORS, same)) {
                report.differ(id + ": error " + error + ", recorded " + expectedError);
            }
            if (p.has("values")) {
                p.getAsJsonObject("values").entrySet().forEach(v -> value(id, program, v));
            }
        }
        meter.emptyCache();
    }

    private static String attempt(Program program, JsonObject statement) {
        try {
            program.run(statement);
            return null;
        } catch (TensorException e) {
            return e.getMessage();
        }
    }

    private void compare(String where, long[] now, long[] then) {
        report.count();
        boolean same = report.compare(ALLOCATED, now[0] == then[0]);
        same &= report.compare(PEAK, now[1] == then[1]);
        report.compare(PEAK_NEAR, Math.abs(now[1] - then[1]) <= NEAR);
        same &= report.compare(REQUESTED, now[2] == then[2]);
        same &= report.compare(ALLOCATIONS, now[3] == then[3]);
        if (!same) {
            report.differ(where + ": [allocated, peak, requested, allocations] " + Arrays.toString(now) + ", recorded "
                    + Arrays.toString(then));
        }
    }

    private void value(String id, Program program, Map.Entry<String, JsonElement> recorded) {
        String name = recorded.getKey();
        boolean gradient = name.endsWith(".grad");
        Tensor variable = program.names().get(gradient ? name.substring(0, name.length() - 5) : name);
        JsonArray then = recorded.getValue().getAsJsonArray();
        try (Tensor grad = gradient && variable != null ? variable.grad() : null) {
            Tensor t = gradient ? grad : variable;
            String difference = t == null ? "does not exist" : difference(t, then);
            if (!report.compare(VALUES, difference == null)) {
                report.differ(id + " value of " + name + " " + difference + ", recorded " + then);
            }
        }
    }

    /** Sums within 1e-3 of the absolute sum, elements within 1e-3 of the mean magnitude. */
    private static String difference(Tensor t, JsonArray then) {
        if (t.dtype() != DType.FLOAT32 || !Arrays.equals(t.shape(), Recordings.longs(then.get(0).getAsJsonArray()))) {
            return "has the form " + t.describe();
        }
        double[] values = t.toDoubleArray();
        double sum = Arrays.stream(values).sum();
        double magnitude = Arrays.stream(values).map(Math::abs).sum();
        double scale = then.get(2).getAsDouble();
        boolean same = close(sum, then.get(1).getAsDouble(), TOLERANCE * scale)
                && close(magnitude, scale, TOLERANCE * scale);
        JsonArray first = then.get(3).getAsJsonArray();
        for (int i = 0; i < first.size(); i++) {
            same &= close(values[i], first.get(i).getAsDouble(), TOLERANCE * scale / values.length);
        }
        return same
                ? null
                : "has sum " + sum + ", absolute sum " + magnitude + ", first "
                        + Arrays.toString(Arrays.copyOf(values, first.size()));
    }

    private static boolean close(double a, double b, double tolerance) {
        return Double.isNaN(a) && Double.isNaN(b) || Math.abs(a - b) <= tolerance + 1e-12;
    }
}

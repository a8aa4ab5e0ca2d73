package io.vramlab.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.type.TensorException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
    /**
     * Figure: variables and gradients at the end. One that differs is run again with its inputs rounded differently at the
     * 20th bit, about what summing in another order does, and in float64; if that alone moves it beyond the tolerance, the value is
     * ill-conditioned (a gradient that is zero but for rounding, Adam's division by a tiny second moment, a saturated
     * recurrence) and noted instead of counted as a difference.
     */
    public static final String VALUES = "values";

    private static final long NEAR = 8192;
    private static final int NUDGES = 4;

    private final ComparisonReport report = new ComparisonReport("statements",
            "equal only with their segments in another order, which the recording does not tell and which decides "
                    + "between free blocks of one size; they are in no count but that of errors and values");
    private final List<String> illConditioned = new ArrayList<>();
    private int notRun;
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
    public static ComparisonReport check(Path file) throws IOException {
        return Recordings.with(file, recording -> {
            Device device = Device.simulated("H200");
            try {
                return run(recording, device);
            } finally {
                device.close();
            }
        });
    }

    /**
     * Replays a recording on a given GPU, which should hold nothing.
     *
     * @throws IOException
     *             if the file cannot be read or is no such recording; the message is one line
     */
    public static ComparisonReport check(Path file, Device device) throws IOException {
        return Recordings.with(file, recording -> run(recording, device));
    }

    private static ComparisonReport run(JsonObject recording, Device device) {
        Device before = Device.current();
        try {
            Device.set(device);
            ProgramConformance run = new ProgramConformance(device);
            for (JsonElement p : Recordings.need(recording, "programs").getAsJsonArray()) {
                run.program(p.getAsJsonObject());
            }
            run.remark();
            return run.report;
        } finally {
            Device.set(before);
        }
    }

    private void remark() {
        if (notRun > 0) {
            report.note(notRun + " statements stand after PyTorch's own error and were not run by it");
        }
        if (!illConditioned.isEmpty()) {
            report.note(
                    illConditioned.size()
                            + " values are ill-conditioned, rounding their inputs at the 20th bit or float64 moves "
                            + "them beyond the tolerance: " + String.join(", ", illConditioned));
        }
    }

    private void program(JsonObject p) {
        String id = Recordings.need(p, "id").getAsString();
        JsonArray statements = Recordings.need(p, "statements").getAsJsonArray();
        JsonArray recorded = Recordings.need(p, "recorded").getAsJsonArray();
        if (recorded.size() > statements.size()) {
            throw new MalformedRecordingException(id + " has more recorded rows than statements");
        }
        String expectedError = p.has("error") && !p.get("error").isJsonNull() ? p.get("error").getAsString() : null;
        long[][] then = new long[recorded.size()][];
        for (int i = 0; i < then.length; i++) {
            then[i] = Recordings.longs(recorded.get(i).getAsJsonArray());
        }
        List<long[]> figures = new ArrayList<>();
        SegmentOrders.Sizes segments = new SegmentOrders.Sizes();
        Allocator allocator = Allocators.of(device);
        allocator.addListener(segments);
        Meter meter = new Meter(device);
        EndValues now;
        try (Program program = new Program(device, 0)) {
            String error = null;
            for (int i = 0; i < then.length && error == null; i++) {
                meter.resetPeak();
                error = attempt(program, statements.get(i).getAsJsonObject());
                figures.add(meter.read());
            }
            boolean same = error == null
                    ? expectedError == null
                    : expectedError != null && error.startsWith(expectedError);
            if (!report.compare(ERRORS, same)) {
                report.differ(id + ": error " + error + ", recorded " + expectedError);
            }
            notRun += statements.size() - then.length;
            now = EndValues.of(program);
        } finally {
            allocator.removeListener(segments);
        }
        compare(id, statements, figures, then, segments);
        if (p.has("values")) {
            values(id, now, EndValues.recorded(p.getAsJsonObject("values")), statements, recorded.size());
        }
        meter.emptyCache();
    }

    /** A value that differs counts as a difference only if it is determined: see {@link #VALUES}. */
    private void values(String id, EndValues now, EndValues then, JsonArray statements, int ran) {
        List<String> different = now.differing(then);
        then.names().forEach(n -> report.compare(VALUES, !different.contains(n)));
        if (different.isEmpty()) {
            return;
        }
        Set<String> unstable = new HashSet<>();
        for (int nudge = 1; nudge <= NUDGES; nudge++) {
            try (Program nudged = new Program(device, nudge)) {
                for (int i = 0; i < ran; i++) {
                    attempt(nudged, statements.get(i).getAsJsonObject());
                }
                unstable.addAll(EndValues.of(nudged).differingAnywhere(now));
            }
        }
        try (Program exact = Program.doubled(device)) {
            for (int i = 0; i < ran; i++) {
                attempt(exact, statements.get(i).getAsJsonObject());
            }
            unstable.addAll(EndValues.of(exact).differingAnywhere(now));
        }
        for (String name : different) {
            if (unstable.contains(name) || now.isNothing(name) && then.isNothing(name)) {
                illConditioned.add(id + " " + name);
            } else {
                report.differ(id + " value of " + name + " " + now.text(name) + ", recorded " + then.text(name));
            }
        }
    }

    private static String attempt(Program program, JsonObject statement) {
        try {
            program.run(statement);
            return null;
        } catch (TensorException e) {
            return e.getMessage();
        }
    }

    private void compare(String id, JsonArray statements, List<long[]> figures, long[][] then,
            SegmentOrders.Sizes segments) {
        boolean same = figures.size() == then.length;
        for (int i = 0; same && i < then.length; i++) {
            same = Arrays.equals(figures.get(i), then[i]);
        }
        if (!same && new SegmentOrders(statements, then).explain(segments)) {
            report.setApart(id + " (" + figures.size() + " statements)");
            return;
        }
        for (int i = 0; i < figures.size(); i++) {
            compare(id + " statement " + i + " " + statements.get(i), figures.get(i), then[i]);
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
}

package io.vramlab.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryListener;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Replays recorded reductions on a shapes-only device with the recorded GPU's processor figures and compares what each
 * requests from the allocator, in order: result, staging buffer, semaphores.
 */
public final class ReductionConformance {

    /** Figure: sizes requested by one reduction. */
    public static final String REQUESTS = "requests";

    private ReductionConformance() {
    }

    /**
     * Replays a recording.
     *
     * @throws IOException
     *             if the file cannot be read or is no such recording; the message is one line
     */
    public static ComparisonReport check(Path file) throws IOException {
        return Recordings.with(file, recording -> {
            Device device = Device.shapesOnly(profile(Recordings.need(recording, "meta").getAsJsonObject()));
            try {
                return run(recording, device);
            } finally {
                device.close();
            }
        });
    }

    /**
     * Replays a recording on a given GPU, which should be of the recorded kind.
     *
     * @throws IOException
     *             if the file cannot be read or is no such recording; the message is one line
     */
    public static ComparisonReport check(Path file, Device device) throws IOException {
        return Recordings.with(file, recording -> run(recording, device));
    }

    private static ComparisonReport run(JsonObject recording, Device device) {
        Device before = Device.current();
        ComparisonReport report = new ComparisonReport("reductions");
        try {
            Device.set(device);
            for (JsonElement row : Recordings.need(recording, "rows").getAsJsonArray()) {
                check(row.getAsJsonArray(), device, report);
            }
        } finally {
            Device.set(before);
        }
        return report;
    }

    /** "NVIDIA H200" is the profile H200. */
    private static String profile(JsonObject meta) {
        String name = meta.has("device") ? meta.get("device").getAsString() : "NVIDIA H200";
        return name.replaceFirst("^NVIDIA ", "");
    }

    private static void check(JsonArray row, Device device, ComparisonReport report) {
        String op = Recordings.need(row, 0).getAsString();
        long[] shape = Recordings.longs(Recordings.need(row, 1).getAsJsonArray());
        int[] dims = dims(Recordings.need(row, 2));
        DType dtype = Recordings.dtype(Recordings.need(row, 3).getAsString());
        List<Long> requests = new ArrayList<>();
        MemoryListener listener = new MemoryListener() {
            @Override
            public void allocated(long address, long bytes, long requested, long stream, int site) {
                requests.add(requested);
            }
        };
        Allocator allocator = Allocators.of(device);
        try (Tensor made = Tensor.empty(TensorOptions.on(device).dtype(dtype), shape);
                Tensor x = row.size() > 5 ? made.permute(dims(row.get(5))) : made.detach()) {
            allocator.addListener(listener);
            try (Tensor y = reduce(op, x, dims)) {
                long[] then = Recordings.longs(Recordings.need(row, 4).getAsJsonArray());
                long[] now = requests.stream().mapToLong(Long::longValue).toArray();
                report.count();
                if (!report.compare(REQUESTS, Arrays.equals(now, then))) {
                    report.differ(row + ": requested " + Arrays.toString(now) + " for " + y.describe());
                }
            } finally {
                allocator.removeListener(listener);
            }
        }
        allocator.emptyCache();
    }

    /** None for everything, one, or a list. */
    private static int[] dims(JsonElement e) {
        if (e.isJsonNull()) {
            return new int[0];
        }
        return e.isJsonArray()
                ? Arrays.stream(Recordings.longs(e.getAsJsonArray())).mapToInt(Math::toIntExact).toArray()
                : new int[]{e.getAsInt()};
    }

    private static Tensor reduce(String op, Tensor x, int... dims) {
        return switch (op) {
            case "sum" -> dims.length == 0 ? x.sum() : x.sum(dims);
            case "mean" -> dims.length == 0 ? x.mean() : x.mean(dims);
            case "max" -> x.max();
            case "min" -> x.min();
            case "amax" -> x.amax(dims);
            case "amin" -> x.amin(dims);
            case "var" -> x.var(dims);
            case "norm" -> x.norm();
            case "argmax" -> dims.length == 0 ? x.argmax() : x.argmax(dims[0]);
            case "argmin" -> x.argmin(dims[0]);
            case "max_dim" -> OperationTable.first(Functional.max(x, dims[0], false));
            case "min_dim" -> OperationTable.first(Functional.min(x, dims[0], false));
            case "any" -> x.any();
            case "all" -> x.all();
            default -> throw new MalformedRecordingException("the reduction " + op + " is unknown");
        };
    }
}

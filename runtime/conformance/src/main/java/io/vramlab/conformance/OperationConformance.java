package io.vramlab.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryListener;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.TensorException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Replays recorded single operations, with and without gradients, and compares what each allocates, keeps and peaks at,
 * forward and backward, and the sequence of allocations and frees.
 */
public final class OperationConformance {

    /** Figure: bytes, forward and backward. */
    public static final String BYTES = "bytes";
    /** Figure: sequences of allocations and frees. */
    public static final String SEQUENCE = "allocation sequence";

    /** Figure: rows in which either side fails. */
    public static final String ERRORS = "errors";

    /** Rows in which cuDNN chooses a workspace that its users cannot know. */
    private static final List<String> UNKNOWABLE = List.of("conv2d|grad");

    private final Device device;
    private final Map<String, RecordedOperation> table;
    private final Tensor classes;
    private final ComparisonReport report = new ComparisonReport("operations");

    private OperationConformance(Device device, OperationTable.Sizes sizes, Tensor classes) {
        this.device = device;
        this.classes = classes;
        this.table = RecordedOperation.table(sizes);
    }

    /**
     * Replays a recording on a GPU with an H200's processor figures. Values do not matter to the rows, so none are
     * computed, unless one brings them to the host.
     *
     * @throws IOException
     *             if the file cannot be read or is no such recording; the message is one line
     */
    public static ComparisonReport check(Path file) throws IOException {
        return Recordings.with(file, recording -> {
            boolean values = recording.keySet().stream().anyMatch(row -> row.startsWith("cpu"));
            Device device = values ? Device.simulated("H200") : Device.shapesOnly("H200");
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
            OperationTable.Sizes sizes = sizes(recording);
            // the recorder made its classes and its rows once
            try (Tensor classes = classes(sizes); Tensor rows = classes(sizes)) {
                OperationConformance run = new OperationConformance(device, sizes, classes);
                recording.entrySet().stream().filter(e -> !e.getKey().startsWith("_")).forEach(run::row);
                return run.report;
            }
        } finally {
            Device.set(before);
        }
    }

    private static Tensor classes(OperationTable.Sizes sizes) {
        return Tensor.randint(0, 10, sizes.n());
    }

    private static OperationTable.Sizes sizes(JsonObject recording) {
        JsonElement meta = recording.get("_meta");
        if (meta == null || !meta.isJsonObject() || !meta.getAsJsonObject().has("N")) {
            return OperationTable.Sizes.USUAL;
        }
        JsonObject named = meta.getAsJsonObject();
        return new OperationTable.Sizes(Recordings.need(named, "N").getAsLong(),
                Recordings.need(named, "K").getAsLong(), Recordings.need(named, "M").getAsLong(),
                named.has("dtype") ? Recordings.dtype(named.get("dtype").getAsString()) : DType.FLOAT32);
    }

    private void row(Map.Entry<String, JsonElement> row) {
        String[] name = row.getKey().split("\\|");
        RecordedOperation operation = table.get(name[0]);
        if (name.length != 2) {
            throw new MalformedRecordingException("the row " + row.getKey() + " does not say \"|grad\" or \"|nograd\"");
        }
        if (operation == null) {
            report.note(row.getKey() + " is not compared, there is no such operation here");
            return;
        }
        JsonObject then = row.getValue().getAsJsonObject();
        boolean gradients = name[1].equals("grad");
        if (UNKNOWABLE.contains(row.getKey()) && then.has("trace")) {
            follow(operation, gradients, Recordings.array(then, "trace"));
        }
        boolean backward = gradients && (then.has("bwd_alloc") || then.has("error"));
        String failure = null;
        Map<String, Long> now = new LinkedHashMap<>();
        List<String> sequence = new ArrayList<>();
        try {
            // the recorder's first pass warmed up; what it left in the cache is where the second finds its memory
            run(operation, gradients, backward, new LinkedHashMap<>(), new ArrayList<>());
            run(operation, gradients, backward, now, sequence);
        } catch (TensorException error) {
            failure = error.getMessage();
        }
        if (failure != null || then.has("error")) {
            judge(row.getKey(), then, failure);
        } else {
            judge(row.getKey(), then, now, sequence);
        }
    }

    /**
     * What the vendor library took, taken and given back as the recorder's two passes did: it stays in the cache, where
     * later rows find their memory.
     */
    private void follow(RecordedOperation operation, boolean gradients, JsonArray trace) {
        Allocator allocator = Allocators.of(device);
        for (int pass = 0; pass < 2; pass++) {
            Tensor[] arguments = operation.make(gradients, classes);
            Map<Long, Deque<Long>> held = new LinkedHashMap<>();
            for (JsonElement e : trace) {
                JsonArray entry = e.getAsJsonArray();
                long bytes = Recordings.need(entry, 1).getAsLong();
                Deque<Long> same = held.computeIfAbsent(bytes, b -> new ArrayDeque<>());
                if (Recordings.need(entry, 0).getAsString().equals("alloc")) {
                    same.push(allocator.allocate(bytes, 0));
                } else if (!same.isEmpty()) {
                    allocator.free(same.pop());
                }
            }
            held.values().forEach(addresses -> addresses.forEach(allocator::free));
            for (Tensor a : arguments) {
                a.close();
            }
        }
    }

    private void run(RecordedOperation operation, boolean gradients, boolean backward, Map<String, Long> now,
            List<String> sequence) {
        Tensor[] arguments = operation.make(gradients, classes);
        try {
            run(operation, arguments, now, sequence, backward);
        } finally {
            for (Tensor a : arguments) {
                a.close();
            }
        }
    }

    private void run(RecordedOperation operation, Tensor[] arguments, Map<String, Long> now, List<String> sequence,
            boolean backwardToo) {
        Allocator allocator = Allocators.of(device);
        MemoryListener listener = new MemoryListener() {
            @Override
            public void allocated(long address, long bytes, long requested, long stream, int site) {
                sequence.add("+" + requested);
            }

            @Override
            public void freed(long address, long bytes, long requested, long stream, int site) {
                sequence.add("-" + requested);
            }
        };
        allocator.addListener(listener);
        Meter meter = new Meter(device);
        try {
            try (Tensor y = operation.function().apply(arguments)) {
                long[] forward = meter.read();
                now.put("fwd_alloc", forward[0]);
                now.put("fwd_peak", forward[1]);
                now.put("fwd_requested", forward[2]);
                if (backwardToo) {
                    try (Tensor gradient = y.onesLike()) {
                        Meter backward = new Meter(device);
                        y.backward(gradient, false);
                        long[] figures = backward.read();
                        now.put("bwd_alloc", figures[0]);
                        now.put("bwd_peak", figures[1]);
                    }
                }
                allocator.removeListener(listener);
            }
            now.put("after_del_out", meter.read()[0]);
        } finally {
            allocator.removeListener(listener);
        }
    }

    private void judge(String name, JsonObject then, String failure) {
        report.count();
        boolean same = failure != null && then.has("error");
        report.compare(ERRORS, same);
        if (!same) {
            report.differ(name + ": " + (failure == null ? "no error" : "error: " + failure) + ", recorded "
                    + (then.has("error") ? then.get("error").getAsString() : "no error"));
        }
    }

    private void judge(String name, JsonObject then, Map<String, Long> now, List<String> sequence) {
        report.count();
        List<String> differences = new ArrayList<>();
        now.forEach((figure, bytes) -> {
            long recorded = Recordings.need(then, figure).getAsLong();
            if (recorded != bytes) {
                differences.add(figure + " " + bytes + ", recorded " + recorded);
            }
        });
        String recorded = sequence(Recordings.array(then, "trace"));
        boolean sameSequence = recorded.equals(String.join(" ", sequence));
        if (UNKNOWABLE.contains(name)) {
            report.note(name + " is not compared, its workspace is the vendor library's choice: " + differences);
            return;
        }
        report.compare(BYTES, differences.isEmpty());
        report.compare(SEQUENCE, sameSequence);
        if (!differences.isEmpty() || !sameSequence) {
            report.differ(name + ": " + differences + " sequence " + String.join(" ", sequence) + ", recorded "
                    + recorded);
        }
    }

    private static String sequence(JsonArray trace) {
        List<String> out = new ArrayList<>();
        for (JsonElement e : trace) {
            JsonArray entry = e.getAsJsonArray();
            out.add((Recordings.need(entry, 0).getAsString().equals("alloc") ? "+" : "-")
                    + Recordings.need(entry, 1).getAsLong());
        }
        return String.join(" ", out);
    }
}

package io.vramlab.conformance.models;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryListener;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.MemoryFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** The recordings of oracle/models: their rows, and the inputs that measured.py made, made again. */
final class Recorded {

    private static final double TOLERANCE = 1e-4;

    private Recorded() {
    }

    /** The rows of a recording, without the one that describes it. */
    static List<JsonObject> rows(String name) {
        List<JsonObject> rows = new ArrayList<>();
        try (InputStream in = Recorded.class.getResourceAsStream("/oracle/models/" + name + ".jsonl.gz");
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonObject row = JsonParser.parseString(line).getAsJsonObject();
                if (!row.has("_meta")) {
                    rows.add(row);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    /** value(i) of programs.py. */
    static float[] value(long count, long seed) {
        float[] out = new float[Math.toIntExact(count)];
        for (int i = 0; i < out.length; i++) {
            out[i] = (float) ((i * 2654435761L + seed * 40503 & 0xFFFFFFFFL) / 4294967296.0 - 0.5);
        }
        return out;
    }

    static long count(long... shape) {
        return Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    /** A tensor on a device from values on the host: one allocation there. */
    static Tensor on(Device device, DType dtype, float[] values, long... shape) {
        try (Tensor host = Tensor.of(TensorOptions.on(Device.cpu()), values, shape);
                Tensor converted = dtype == DType.FLOAT32 ? host : host.to(dtype)) {
            return converted.to(device);
        }
    }

    /** What measured.make makes of a text, or null for a kind that is not made here. */
    static Tensor input(Device device, String text, int seed, boolean gradients, DType dtype) {
        String[] parts = text.split(" ");
        long[] shape = Arrays.stream(parts).skip(1).mapToLong(Long::parseLong).toArray();
        long n = count(shape);
        String kind = parts[0];
        if (kind.matches("i\\d+")) {
            long modulus = Long.parseLong(kind.substring(1));
            long[] values = new long[Math.toIntExact(n)];
            Arrays.setAll(values, i -> (i * 7L + seed) % modulus);
            try (Tensor host = Tensor.of(TensorOptions.of(DType.INT64).device(Device.cpu()), values, shape)) {
                return host.to(device);
            }
        }
        if (kind.matches("j|[kcn]\\d+")) {
            return whole(device, kind, seed, shape);
        }
        float[] v = value(n, seed);
        if (kind.equals("b")) {
            change(v, x -> x > 0 ? 1 : 0);
            return on(device, DType.BOOL, v, shape);
        }
        if (kind.equals("l*")) {
            change(v, x -> 4 * x);
            try (Tensor host = Tensor.of(TensorOptions.on(Device.cpu()), v, shape);
                    Tensor made = host.logSoftmax(-1)) {
                Tensor t = made.to(device);
                return gradients ? t.requiresGrad_(true) : t;
            }
        }
        switch (kind) {
            case "f", "c", "S", "N", "fC" -> {
            }
            case "p" -> change(v, x -> x + 1);
            case "u", "q" -> change(v, x -> (x + .5f) * .98f + .01f);
            case "s" -> change(v, x -> x >= 0 ? 1 : -1);
            case "l", "d" -> {
                return ofSoftmax(device, kind, v, gradients, shape);
            }
            default -> {
                return null;
            }
        }
        if (kind.equals("fC")) {
            // laid out on the host, as measured.make does it
            try (Tensor host = on(Device.cpu(), dtype, v, shape);
                    Tensor last = host
                            .to(shape.length == 4 ? MemoryFormat.CHANNELS_LAST : MemoryFormat.CHANNELS_LAST_3D)) {
                Tensor made = last.to(device);
                return gradients ? made.requiresGrad_(true) : made;
            }
        }
        Tensor t = on(device, dtype, v, shape);
        return gradients && "fpuSN".contains(kind) ? t.requiresGrad_(true) : t;
    }

    /** modules.py's own kinds: offsets of bags, class lists ended by -1, classes from 1, lengths. */
    private static Tensor whole(Device device, String kind, int seed, long... sizes) {
        long number = kind.length() > 1 ? Long.parseLong(kind.substring(1)) : 0;
        long[] shape = switch (kind.charAt(0)) {
            case 'j' -> new long[]{sizes[0]};
            case 'k' -> new long[]{sizes[0], number};
            default -> sizes;
        };
        long[] values = new long[Math.toIntExact(count(shape))];
        Arrays.setAll(values, i -> switch (kind.charAt(0)) {
            case 'j' -> i * sizes[1];
            case 'k' -> i % number < 4 ? (i / number * 7 + i % number * 3) % number : -1;
            case 'c' -> (i * 7L + seed) % number + 1;
            default -> number;
        });
        try (Tensor host = Tensor.of(TensorOptions.of(DType.INT64).device(Device.cpu()), values, shape)) {
            return host.to(device);
        }
    }

    private interface Change {
        float of(float x);
    }

    private static void change(float[] values, Change change) {
        for (int i = 0; i < values.length; i++) {
            values[i] = change.of(values[i]);
        }
    }

    private static Tensor ofSoftmax(Device device, String kind, float[] v, boolean gradients, long... shape) {
        change(v, x -> 4 * x);
        try (Tensor host = Tensor.of(TensorOptions.on(Device.cpu()), v, shape);
                Tensor made = kind.equals("l")
                        ? io.vramlab.tensor.Functional.logSoftmax(host, 1)
                        : io.vramlab.tensor.Functional.softmax(host, 1)) {
            Tensor t = made.to(device);
            return gradients && kind.equals("l") ? t.requiresGrad_(true) : t;
        }
    }

    /** Requested sizes as they are taken (positive) and given back (negative). */
    static List<Long> listen(Device device, Runnable action) {
        List<Long> sequence = new ArrayList<>();
        MemoryListener listener = new MemoryListener() {
            @Override
            public void allocated(long address, long bytes, long requested, long stream, int site) {
                sequence.add(requested);
            }

            @Override
            public void freed(long address, long bytes, long requested, long stream, int site) {
                sequence.add(-requested);
            }
        };
        Allocator allocator = Allocators.of(device);
        allocator.addListener(listener);
        try {
            action.run();
        } finally {
            allocator.removeListener(listener);
        }
        return sequence;
    }

    static List<Long> trace(JsonObject row, String name) {
        return row.has(name)
                ? row.getAsJsonArray(name).asList().stream().map(JsonElement::getAsLong).toList()
                : List.of();
    }

    /**
     * The same with what is given back last, after everything was taken, in the order of size: autocast lets its copies go in
     * the order of their addresses, which changes from run to run.
     */
    static List<Long> endInAnyOrder(List<Long> sequence) {
        int end = sequence.size();
        while (end > 0 && sequence.get(end - 1) < 0) {
            end--;
        }
        List<Long> sorted = new ArrayList<>(sequence.subList(0, end));
        sequence.subList(end, sequence.size()).stream().sorted().forEach(sorted::add);
        return sorted;
    }

    /** Whether a tensor is what was recorded of it: shape, sums and first values; null if so, else what differs. */
    static String difference(Tensor t, JsonArray then, double tolerance) {
        long[] shape = then.get(0).getAsJsonArray().asList().stream().mapToLong(JsonElement::getAsLong).toArray();
        if (!Arrays.equals(shape, t.shape())) {
            return "shape " + Arrays.toString(t.shape()) + ", recorded " + Arrays.toString(shape);
        }
        double[] values;
        try (Tensor dense = t.toDense(); Tensor wide = dense.to(DType.FLOAT64)) {
            values = wide.toDoubleArray();
        }
        double sum = Arrays.stream(values).sum();
        double size = Arrays.stream(values).map(Math::abs).sum();
        double thenSize = then.get(3).getAsDouble();
        double allowed = tolerance * Math.max(1e-3, thenSize);
        if (!near(sum, then.get(2).getAsDouble(), allowed) || !near(size, thenSize, allowed)) {
            return "sum " + sum + ", of magnitudes " + size + ", recorded " + then.get(2) + ", " + then.get(3);
        }
        double mean = thenSize / Math.max(1, values.length);
        JsonArray first = then.get(4).getAsJsonArray();
        for (int i = 0; i < first.size(); i++) {
            double wanted = first.get(i).getAsDouble();
            if (!near(values[i], wanted, tolerance * Math.max(Double.isFinite(mean) ? mean : 0, Math.abs(wanted)))) {
                return "value " + i + " is " + values[i] + ", recorded " + wanted;
            }
        }
        return null;
    }

    private static boolean near(double value, double wanted, double allowed) {
        return Double.compare(value, wanted) == 0 || Math.abs(value - wanted) <= allowed
                || Double.isNaN(value) && Double.isNaN(wanted);
    }

    static double tolerance(String mode) {
        return mode.contains("16") || mode.equals("autocast") ? 100 * TOLERANCE : TOLERANCE;
    }
}

package io.vramlab.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.device.DType;
import io.vramlab.tensor.Tensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The float32 variables and gradients of a program at its end, by name ({@code x1}, {@code x1.grad}). */
final class EndValues {

    private static final double TOLERANCE = 1e-3;
    /** Below float32's resolution of a gradient of one that is spread over a hundred thousand elements. */
    private static final double NOTHING = 1e-12;

    /** All elements are known of our own runs only. */
    private record Value(long[] shape, double sum, double magnitude, double[] first, double[] elements) {

        /** Sums within 1e-3 of the absolute sum, elements within 1e-3 of the mean magnitude, both of {@code other}. */
        boolean near(Value other) {
            if (!Arrays.equals(shape, other.shape) || first.length != other.first.length) {
                return false;
            }
            double scale = TOLERANCE * other.magnitude;
            double count = Arrays.stream(shape).asDoubleStream().reduce(1, (a, b) -> a * b);
            boolean near = close(sum, other.sum, scale) && close(magnitude, other.magnitude, scale);
            for (int i = 0; i < first.length; i++) {
                near &= close(first[i], other.first[i], scale / count);
            }
            return near;
        }

        /** The same for all elements of two of our own runs, four times as narrow: two roundings differ more than one. */
        boolean nearEverywhere(Value other) {
            double scale = TOLERANCE / 4 * other.magnitude;
            if (!Arrays.equals(shape, other.shape) || !close(sum, other.sum, scale)
                    || !close(magnitude, other.magnitude, scale)) {
                return false;
            }
            double tolerance = scale / elements.length;
            for (int i = 0; i < elements.length; i++) {
                if (!close(elements[i], other.elements[i], tolerance)) {
                    return false;
                }
            }
            return true;
        }

        private static boolean close(double a, double b, double tolerance) {
            return Double.isNaN(a) && Double.isNaN(b) || a == b || Math.abs(a - b) <= tolerance;
        }
    }

    private final Map<String, Value> all = new LinkedHashMap<>();

    private EndValues() {
    }

    static EndValues recorded(JsonObject values) {
        EndValues v = new EndValues();
        for (Map.Entry<String, JsonElement> e : values.entrySet()) {
            JsonArray a = e.getValue().getAsJsonArray();
            double[] first = Recordings.need(a, 3).getAsJsonArray().asList().stream()
                    .mapToDouble(JsonElement::getAsDouble)
                    .toArray();
            v.all.put(e.getKey(),
                    new Value(Recordings.longs(Recordings.need(a, 0).getAsJsonArray()),
                            Recordings.need(a, 1).getAsDouble(),
                            Recordings.need(a, 2).getAsDouble(), first, null));
        }
        return v;
    }

    static EndValues of(Program program) {
        EndValues v = new EndValues();
        program.names().forEach((name, t) -> {
            v.put(name, t);
            try (Tensor grad = t.isLeaf() && t.requiresGrad() ? t.grad() : null) {
                v.put(name + ".grad", grad);
            }
        });
        return v;
    }

    private void put(String name, Tensor t) {
        if (t != null && (t.dtype() == DType.FLOAT32 || t.dtype() == DType.FLOAT64)) {
            double[] values = t.toDoubleArray();
            all.put(name, new Value(t.shape(), Arrays.stream(values).sum(), Arrays.stream(values).map(Math::abs).sum(),
                    Arrays.copyOf(values, Math.min(values.length, 3)), values));
        }
    }

    /** Whether a value is zero but for rounding: its mean magnitude is below 1e-12. */
    boolean isNothing(String name) {
        Value v = all.get(name);
        return v != null && v.magnitude <= NOTHING * Arrays.stream(v.shape).asDoubleStream().reduce(1, (a, b) -> a * b);
    }

    Set<String> names() {
        return all.keySet();
    }

    /** Which of the others' values are missing here or not near. */
    List<String> differing(EndValues other) {
        return other.all.entrySet().stream()
                .filter(e -> !all.containsKey(e.getKey()) || !all.get(e.getKey()).near(e.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Which values of another of our own runs are missing here or not near in some element. */
    List<String> differingAnywhere(EndValues other) {
        return other.all.entrySet().stream()
                .filter(e -> !all.containsKey(e.getKey()) || !all.get(e.getKey()).nearEverywhere(e.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    String text(String name) {
        Value v = all.get(name);
        return v == null
                ? "does not exist"
                : Arrays.toString(v.shape) + " with sum " + v.sum + ", absolute sum "
                        + v.magnitude + ", first " + Arrays.toString(v.first);
    }
}

package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.nn.Parameter;
import io.vramlab.optim.*;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Optimizers as recorded on an H200, and schedules as recorded on its host (oracle/models/optimizers.py). */
class OptimizerRecordingsTest {

    private static final long[][] SHAPES = {{256, 384}, {256}, {10, 256}, {10}, {700, 600}};
    private static final long[][] MATRICES = {{256, 384}, {128, 256}};
    /** Of what is computed in bfloat16. */
    private static final double ROUGH = 1e-3;
    private static final double TOLERANCE = 1e-5;

    private Device device;

    @BeforeEach
    void anH200() {
        device = Device.simulated("H200");
        Device.set(device);
    }

    @AfterEach
    void close() {
        Device.set(Device.cpu());
        device.close();
    }

    /** An optimizer of PyTorch's name with its settings; null if there is none. */
    private static Optimizer make(String name, List<Parameter> params, boolean foreach) {
        return switch (name) {
            case "RMSprop" -> new RMSprop(params).foreach(foreach);
            case "Adagrad" -> new Adagrad(params).foreach(foreach);
            case "Adadelta" -> new Adadelta(params).foreach(foreach);
            case "Adamax" -> new Adamax(params).foreach(foreach);
            case "NAdam" -> new NAdam(params).foreach(foreach);
            case "RAdam" -> new RAdam(params).foreach(foreach);
            case "ASGD" -> new ASGD(params).foreach(foreach);
            case "Rprop" -> new Rprop(params).foreach(foreach);
            case "Adafactor" -> new Adafactor(params).foreach(foreach);
            case "Muon" -> new Muon(params);
            default -> null;
        };
    }

    private static void set(Optimizer optimizer, String name, JsonElement value) {
        double number = value.getAsJsonPrimitive().isBoolean()
                ? value.getAsBoolean() ? 1 : 0
                : value.getAsDouble();
        if (name.equals("initial_accumulator_value")) {
            ((Adagrad) optimizer).initialAccumulatorValue(number);
        } else {
            optimizer.paramGroups().forEach(g -> g.set(name, number));
        }
    }

    @Test
    @Tag("long")
    void stepsTakeWhatPyTorchTakesAndGiveItsValues() {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (JsonObject row : Recorded.rows("optimizers")) {
            if (row.has("optimizer") && row.has("steps") && !row.get("form").getAsString().equals("fused")) {
                List<Parameter> params = parameters(shapes(row));
                boolean foreach = row.get("form").getAsString().equals("foreach");
                try (Optimizer optimizer = make(row.get("optimizer").getAsString(), params, foreach)) {
                    if (optimizer != null) {
                        row.getAsJsonObject("options").entrySet()
                                .forEach(e -> set(optimizer, e.getKey(), e.getValue()));
                        compared++;
                        String difference = steps(row, optimizer, params);
                        if (difference != null) {
                            differences.add(row.get("key").getAsString() + " :: " + difference);
                        }
                    }
                } finally {
                    params.forEach(Tensor::close);
                }
            }
        }
        assertTrue(compared > 40, "compared: " + compared);
        assertEquals(List.of(), differences);
    }

    private static long[][] shapes(JsonObject row) {
        return row.get("optimizer").getAsString().equals("Muon") ? MATRICES : SHAPES;
    }

    private List<Parameter> parameters() {
        return parameters(SHAPES);
    }

    private List<Parameter> parameters(long[]... shapes) {
        List<Parameter> params = new ArrayList<>();
        for (int k = 0; k < shapes.length; k++) {
            float[] values = Recorded.value(Recorded.count(shapes[k]), 10 + k);
            params.add(new Parameter(Recorded.on(device, DType.FLOAT32, values, shapes[k])));
        }
        return params;
    }

    private String steps(JsonObject row, Optimizer optimizer, List<Parameter> params) {
        JsonArray steps = row.getAsJsonArray("steps");
        double tolerance = shapes(row) == MATRICES ? ROUGH : TOLERANCE;
        for (int s = 0; s < steps.size(); s++) {
            for (int k = 0; k < params.size(); k++) {
                float[] values = Recorded.value(params.get(k).numel(), 100L * s + k);
                try (Tensor gradient = Recorded.on(device, DType.FLOAT32, values, shapes(row)[k])) {
                    params.get(k).grad(gradient);
                }
            }
            JsonObject then = steps.get(s).getAsJsonObject();
            List<Long> taken = Recorded.listen(device, optimizer::step);
            if (!taken.equals(Recorded.trace(then, "trace"))) {
                return "step " + s + " took " + taken + ", recorded " + Recorded.trace(then, "trace");
            }
            for (int k = 0; k < params.size(); k++) {
                String difference = Recorded.difference(params.get(k), then.getAsJsonArray("values").get(k)
                        .getAsJsonArray(), tolerance);
                if (difference != null) {
                    return "step " + s + ", parameter " + k + ": " + difference;
                }
            }
            params.forEach(p -> p.grad(null));
        }
        return null;
    }

    private static Map<String, Function<Optimizer, Object>> schedules() {
        Map<String, Function<Optimizer, Object>> all = new HashMap<>();
        all.put("LambdaLR", o -> new LambdaLR(o, e -> Math.pow(.9, e)));
        all.put("MultiplicativeLR", o -> new MultiplicativeLR(o, e -> .95));
        all.put("StepLR", o -> new StepLR(o, 3));
        all.put("StepLR .5", o -> new StepLR(o, 2, .5));
        all.put("MultiStepLR", o -> new MultiStepLR(o, new long[]{3, 7, 7}, .3));
        all.put("ConstantLR", o -> new ConstantLR(o));
        all.put("ConstantLR .5 4", o -> new ConstantLR(o, .5, 4));
        all.put("LinearLR", o -> new LinearLR(o));
        all.put("LinearLR .1 .8 7", o -> new LinearLR(o, .1, .8, 7));
        all.put("ExponentialLR", o -> new ExponentialLR(o, .9));
        all.put("CosineAnnealingLR", o -> new CosineAnnealingLR(o, 10));
        all.put("CosineAnnealingLR 5 .01", o -> new CosineAnnealingLR(o, 5, .01));
        all.put("PolynomialLR", o -> new PolynomialLR(o));
        all.put("PolynomialLR 8 2", o -> new PolynomialLR(o, 8, 2));
        all.put("CyclicLR", o -> new CyclicLR(o, .01, .1, 4));
        all.put("CyclicLR triangular2", o -> new CyclicLR(o, .01, .1, 3, 5, CyclicLR.Mode.TRIANGULAR2, 1));
        all.put("CyclicLR exp_range", o -> new CyclicLR(o, .01, .1, 3, 3, CyclicLR.Mode.EXP_RANGE, .9));
        all.put("CosineAnnealingWarmRestarts", o -> new CosineAnnealingWarmRestarts(o, 5));
        all.put("CosineAnnealingWarmRestarts 3 2", o -> new CosineAnnealingWarmRestarts(o, 3, 2, .01));
        all.put("OneCycleLR", o -> new OneCycleLR(o, .5, 25));
        all.put("OneCycleLR linear three", o -> new OneCycleLR(o, .5, 25, true, true));
        all.put("SequentialLR",
                o -> new SequentialLR(o, List.of(new LinearLR(o, .1, 1, 5), new ExponentialLR(o, .9)), 5));
        all.put("SequentialLR three", o -> new SequentialLR(o,
                List.of(new ConstantLR(o, .1, 3), new LinearLR(o, .5, 1, 4), new CosineAnnealingLR(o, 10)), 4, 9));
        all.put("ChainedScheduler",
                o -> new ChainedScheduler(o, List.of(new ConstantLR(o, .1, 4), new ExponentialLR(o, .9))));
        all.put("ReduceLROnPlateau",
                o -> new ReduceLROnPlateau(o, ReduceLROnPlateau.Mode.MIN, .1, 2, 1e-4, true, 0, 0));
        all.put("ReduceLROnPlateau max abs",
                o -> new ReduceLROnPlateau(o, ReduceLROnPlateau.Mode.MAX, .5, 1, .05, false, 1, .001));
        return all;
    }

    private static final double[] FIGURES = {1, .9, .9, .91, .9, .95, .8, .8, .8, .8, .79999, .8, .8, .7, .7, .7, .7,
            .7,
            .7, .7, .7, .7, .7, .7, .7};

    @Test
    void schedulesGiveTheRatesOfPyTorch() {
        List<String> differences = new ArrayList<>();
        int compared = 0;
        for (JsonObject row : Recorded.rows("optimizers")) {
            Function<Optimizer, Object> factory = row.has("scheduler")
                    ? schedules().get(row.get("scheduler").getAsString())
                    : null;
            if (factory == null) {
                continue;
            }
            compared++;
            List<Parameter> params = parameters();
            try (SGD sgd = new SGD(params.subList(0, 2), .1).momentum(.9)) {
                sgd.addParamGroup(new ParamGroup(params.subList(2, 5)).lr(.3));
                Object schedule = factory.apply(sgd);
                JsonArray rates = row.getAsJsonArray("rates");
                for (int e = 0; e < rates.size(); e++) {
                    JsonArray then = rates.get(e).getAsJsonArray();
                    double[] now = {sgd.paramGroups().get(0).get("lr"), sgd.paramGroups().get(1).get("lr"),
                            sgd.paramGroups().get(0).get("momentum")};
                    for (int i = 0; i < now.length; i++) {
                        if (Math.abs(now[i] - then.get(i).getAsDouble()) > 1e-12) {
                            differences.add(row.get("key").getAsString() + " step " + e + " number " + i + ": " + now[i]
                                    + ", recorded " + then.get(i));
                        }
                    }
                    if (schedule instanceof ReduceLROnPlateau plateau) {
                        plateau.step(FIGURES[e]);
                    } else {
                        ((Scheduler) schedule).step();
                    }
                }
            } finally {
                params.forEach(Tensor::close);
            }
        }
        assertTrue(compared >= 26, "compared: " + compared);
        assertEquals(List.of(), differences);
    }
}

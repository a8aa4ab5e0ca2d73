package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.internal.cuda.Twins.Twin;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that work on whole vectors of 16 bytes give what those for any order in memory give. */
@Tag("gpu")
class VectorKernelsTest {

    private static final double[] NONE = {};

    private final Twins twins = new Twins();

    @AfterEach
    void close() {
        twins.close();
    }

    private static double tolerance(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> 2e-5;
            case FLOAT16 -> 4e-3;
            default -> 2e-2;
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 96, 768, 1024, 1032, 2048})
    void layerNormOfRowsOfWholeVectors(int length) {
        for (DType dtype : new DType[]{DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16}) {
            for (DType of : new DType[]{DType.FLOAT32, dtype}) {
                for (boolean centred : new boolean[]{true, false}) {
                    layerNorm(length, dtype, of, centred);
                }
            }
        }
    }

    private void layerNorm(int length, DType dtype, DType of, boolean centred) {
        Twin in = twins.random(dtype, 203, length);
        Twin weight = twins.random(of, length);
        Twin bias = twins.random(of, length);
        Twin gradOut = twins.random(dtype, 203, length);
        Twin mean = twins.zeros(DType.FLOAT32, 203);
        Twin rstd = twins.zeros(DType.FLOAT32, 203);
        Twin out = twins.zeros(dtype, 203, length);
        Twin gradIn = twins.zeros(dtype, 203, length);
        Twin gradWeight = twins.zeros(of, length);
        Twin gradBias = twins.zeros(of, length);
        twins.run((k, op) -> {
            Operand centre = centred ? op.apply(mean) : null;
            k.layerNorm(op.apply(out), centre, op.apply(rstd), op.apply(in), op.apply(weight),
                    centred ? op.apply(bias) : null, 1e-5, 0);
            k.layerNormBackward(op.apply(gradIn), op.apply(gradWeight), centred ? op.apply(gradBias) : null,
                    op.apply(gradOut), op.apply(in), centre, op.apply(rstd), op.apply(weight), 0);
        });
        String what = length + " " + of + " " + centred;
        twins.same(what, 2e-5, mean, rstd);
        twins.same(what, tolerance(dtype), out, gradIn);
        // 203 terms
        twins.same(what, 10 * tolerance(of), gradWeight, gradBias);
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, names = {"FLOAT16", "BFLOAT16"})
    void sumsOfColumns(DType dtype) {
        for (long[] shape : new long[][]{{1, 64}, {7, 64}, {1000, 40}, {5000, 264}, {3, 100, 2304}}) {
            long columns = shape[shape.length - 1];
            Twin in = twins.random(dtype, shape);
            long[] kept = shape.clone();
            for (int d = 0; d < kept.length - 1; d++) {
                kept[d] = 1;
            }
            for (ReduceOp op : new ReduceOp[]{ReduceOp.SUM, ReduceOp.MEAN}) {
                Twin out = twins.zeros(DType.FLOAT32, kept);
                Twin narrow = twins.zeros(dtype, kept);
                twins.run((k, of) -> {
                    k.reduce(op, of.apply(out), of.apply(in), 0);
                    k.reduce(op, of.apply(narrow), of.apply(in), 0);
                });
                twins.same(op + " " + columns, 1e-3, out);
                twins.same(op + " " + columns, tolerance(dtype), narrow);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, names = {"FLOAT16", "BFLOAT16"})
    void softmaxOfLongRows(DType dtype) {
        for (int length : new int[]{512, 1000, 5000, 50_304}) {
            for (boolean log : new boolean[]{true, false}) {
                Twin in = twins.random(dtype, 5, length);
                Twin gradOut = twins.random(dtype, 5, length);
                Twin out = twins.zeros(dtype, 5, length);
                Twin gradIn = twins.zeros(dtype, 5, length);
                twins.run((k, of) -> {
                    k.softmax(of.apply(out), of.apply(in), 1, log, 0);
                    k.softmaxBackward(of.apply(gradIn), of.apply(gradOut), of.apply(out), 1, log, 0);
                });
                twins.same(length + " " + log, tolerance(dtype), out, gradIn);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, names = {"FLOAT64", "FLOAT32", "FLOAT16", "BFLOAT16", "INT64", "UINT8"})
    void copiesBetweenOrders(DType dtype) {
        long[] shape = {3, 5, 4, 32};
        long[] turned = {5 * 4 * 32, 32, 5 * 32, 1};
        Twin from = twins.random(dtype, shape);
        Twin to = twins.zeros(dtype, shape);
        Twin part = twins.zeros(dtype, 3, 5, 4, 96);
        Twin row = twins.random(dtype, 1, 1, 1, 32);
        Twin repeated = twins.zeros(dtype, shape);
        twins.run((k, of) -> {
            copy(k, of.apply(to), of.apply(from.view(shape, turned)));
            Operand p = of.apply(part);
            copy(k, new Operand(p.address() + 32L * dtype.bytes(), dtype, shape, p.strides()), of.apply(from));
            copy(k, of.apply(repeated), of.apply(row.view(shape, new long[]{0, 0, 0, 1})));
        });
        twins.same("copies", 0, to, part, repeated);
    }

    private static void copy(io.vramlab.device.Kernels k, Operand to, Operand from) {
        k.elementwise(ElementOp.COPY, NONE, to, new Operand[]{from}, 0);
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, names = {"FLOAT16", "BFLOAT16"})
    void sumsOfWideAndNarrow(DType dtype) {
        Twin wide = twins.random(DType.FLOAT32, 40, 24);
        Twin narrow = twins.random(dtype, 40, 24);
        Twin one = twins.zeros(DType.FLOAT32, 40, 24);
        Twin other = twins.zeros(DType.FLOAT32, 40, 24);
        twins.run((k, of) -> {
            k.elementwise(ElementOp.ADD, new double[]{-0.5}, of.apply(one),
                    new Operand[]{of.apply(wide), of.apply(narrow)}, 0);
            k.elementwise(ElementOp.ADD, new double[]{3}, of.apply(other),
                    new Operand[]{of.apply(narrow), of.apply(wide)}, 0);
        });
        twins.same("sums", 1e-6, one, other);
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, names = {"FLOAT32", "FLOAT16", "BFLOAT16"})
    void adamOfWholeVectorsAndWhatIsLeft(DType dtype) {
        int[] sizes = {5, 8, 1003, 4096, 70_001};
        Twin[][] t = new Twin[5][sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            for (int kind = 0; kind < 4; kind++) {
                double[] values = new double[sizes[i]];
                for (int k = 0; k < values.length; k++) {
                    values[k] = kind == 3 ? (k * 37 % 101) / 50.0 : (k * 53 % 199 - 99) / 50.0;
                }
                t[kind][i] = twins.of(dtype, values, sizes[i]);
            }
            t[4][i] = twins.of(DType.FLOAT32, new double[]{3 + i}, 1);
        }
        Twin scale = twins.of(DType.FLOAT32, new double[]{4}, 1);
        Twin clean = twins.of(DType.FLOAT32, new double[]{0}, 1);
        for (boolean scaled : new boolean[]{true, false}) {
            twins.run((k, of) -> k.fusedAdam(all(of, t[0]), all(of, t[1]), all(of, t[2]), all(of, t[3]), null,
                    all(of, t[4]), 1e-2, 0.9, 0.999, 1e-8, 0.1, scaled, !scaled, scaled ? of.apply(scale) : null,
                    scaled ? of.apply(clean) : null, 0));
        }
        for (int kind = 0; kind < 4; kind++) {
            twins.same("adam " + kind, tolerance(dtype), t[kind]);
        }
    }

    private static Operand[] all(Function<Twin, Operand> of, Twin[] twins) {
        return Stream.of(twins).map(of).toArray(Operand[]::new);
    }
}

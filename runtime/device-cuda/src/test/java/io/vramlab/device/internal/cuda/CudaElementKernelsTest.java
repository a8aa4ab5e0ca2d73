package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cuda.Twins.Twin;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real GPU's operations on each element give what the simulated one's give. */
@Tag("gpu")
class CudaElementKernelsTest extends TwinsCase {

    private static boolean answersBool(ElementOp op) {
        return op.compareTo(ElementOp.EQ) >= 0 && op.compareTo(ElementOp.NOT_FINITE) <= 0;
    }

    @ParameterizedTest
    @EnumSource(ElementOp.class)
    void everyElementOperationOnEveryFloatType(ElementOp op) {
        for (DType dtype : FLOATS) {
            for (int n : new int[]{1, 1000, 4099}) {
                Twin[] in = inputs(op, dtype, n);
                Twin out = twins.zeros(answersBool(op) ? DType.BOOL : dtype, n);
                double[] scalars = {0.75, 1.25};
                twins.run((k, of) -> k.elementwise(op, scalars, of.apply(out), all(of, in), 0));
                twins.same(op + "", 4 * tolerance(dtype), out);
            }
        }
    }

    private Twin[] inputs(ElementOp op, DType dtype, int n) {
        Twin[] in = new Twin[op.inputs()];
        for (int k = 0; k < in.length; k++) {
            boolean mask = op == ElementOp.WHERE && k == 0 || op == ElementOp.MASKED_FILL && k == 1;
            in[k] = mask ? twins.random(DType.BOOL, n) : twins.random(dtype, n);
        }
        return in;
    }

    @ParameterizedTest
    @EnumSource(value = ElementOp.class, names = {"ADD", "SUB", "MUL", "DIV", "ADD_SCALAR", "MAXIMUM", "NEG", "CLAMP",
            "EQ", "LT_SCALAR", "WHERE", "MASKED_FILL", "RELU", "POW_SCALAR", "COPY", "FILL", "AND", "NOT"})
    void integerOperations(ElementOp op) {
        for (DType dtype : List.of(DType.INT64, DType.INT32, DType.UINT8)) {
            Twin[] in = inputs(op, dtype, 777);
            Twin out = twins.zeros(answersBool(op) ? DType.BOOL : dtype, 777);
            for (double s : new double[]{2, 2.5}) {
                twins.run((k, of) -> k.elementwise(op, new double[]{s, 9}, of.apply(out), all(of, in), 0));
                twins.same(op + "", 0, out);
            }
        }
    }

    @Test
    void castsBetweenAllTypes() {
        for (DType from : DType.values()) {
            for (DType to : DType.values()) {
                if (from.isFloatingPoint() && !to.isFloatingPoint() && to != DType.INT64) {
                    continue; // negative to unsigned is undefined in C
                }
                Twin in = twins.random(from, 300);
                Twin out = twins.zeros(to, 300);
                twins.run((k, of) -> k.elementwise(ElementOp.COPY, new double[0], of.apply(out), all(of, in), 0));
                twins.same(from + " to " + to, tolerance(to), out);
            }
        }
    }

    @Test
    void stridedAndBroadcastOperands() {
        Twin a = twins.random(DType.FLOAT32, 6, 5, 4, 3);
        Twin transposed = a.view(new long[]{3, 4, 5, 6}, new long[]{1, 3, 12, 60});
        Twin row = twins.random(DType.FLOAT32, 6).view(new long[]{3, 4, 5, 6}, new long[]{0, 0, 0, 1});
        Twin one = twins.random(DType.FLOAT32, 1).view(new long[]{3, 4, 5, 6}, new long[4]);
        Twin out = twins.zeros(DType.FLOAT32, 3, 4, 5, 6);
        twins.run((k, of) -> k.elementwise(ElementOp.ADDCMUL, new double[]{0.5}, of.apply(out),
                all(of, transposed, row, one), 0));
        twins.same("addcmul", 1e-6, out);
    }

    @Test
    void aRowAddedToEveryRow() {
        for (ElementOp op : List.of(ElementOp.ADD, ElementOp.SUB, ElementOp.MUL, ElementOp.DIV)) {
            Twin a = twins.random(DType.FLOAT32, 37, 128);
            Twin row = twins.random(DType.FLOAT32, 128).view(new long[]{37, 128}, new long[]{0, 1});
            Twin out = twins.zeros(DType.FLOAT32, 37, 128);
            twins.run((k, of) -> k.elementwise(op, new double[]{0.5}, of.apply(out), all(of, a, row), 0));
            twins.same(op + " row", 1e-6, out);
        }
    }

    @Test
    void manyTensorsAtOnce() {
        Twin[] a = new Twin[70];
        Twin[] b = new Twin[70];
        for (int t = 0; t < 70; t++) {
            a[t] = twins.random(DType.FLOAT32, 1 + 37 * t);
            b[t] = twins.random(DType.FLOAT32, 1 + 37 * t);
        }
        twins.run((k, of) -> k.foreach(ElementOp.ADD, new double[][]{{0.25}}, all(of, a),
                IntStream.range(0, 70).mapToObj(t -> all(of, a[t], b[t])).toArray(Operand[][]::new), 0));
        twins.same("foreach", 1e-6, a);
    }
}

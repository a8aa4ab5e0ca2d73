package io.vramlab.device.internal.cuda;

import io.vramlab.device.internal.cuda.CudnnCalls.Descriptor;
import io.vramlab.device.internal.cuda.CudnnCalls.Refused;
import java.util.ArrayList;
import java.util.List;

/** Operations that cuDNN is to compute as one, over tensors of four dimensions; the numbers are those of {@code cudnn_graph.h}. */
final class CudnnGraph implements AutoCloseable {

    /** cuDNN's dtypes. */
    static final int FLOAT = 0;
    static final int INT32 = 4;
    static final int BOOLEAN = 11;

    /** What is done to each element. */
    static final int ADD = 0;
    static final int MULTIPLY = 1;
    static final int DIVIDE = 6;
    static final int SUBTRACT = 9;
    static final int EXPONENTIAL = 13;
    static final int LOGARITHM = 15;
    static final int IDENTITY = 21;
    private static final int NOT_LESS = 303;
    private static final int INDEX = 501;
    private static final int SELECT = 601;

    /** How elements of the last dimension become one. */
    static final int SUM = 0;
    static final int LARGEST = 3;

    private static final int DATA_TYPE = 1;
    private static final int POINTWISE_MODE = 14;
    private static final int REDUCTION = 18;
    private static final long ALIGNED = 16;
    /** Numbers of tensors that are in no memory begin here. */
    private static final long VIRTUAL = 100;

    private final CudnnCalls calls;
    private final List<Descriptor> kept = new ArrayList<>();
    private final List<Descriptor> operations = new ArrayList<>();
    private long next = VIRTUAL;

    CudnnGraph(CudnnCalls calls) {
        this.calls = calls;
    }

    private Descriptor kept(int kind) throws Refused {
        Descriptor made = calls.descriptor(kind);
        kept.add(made);
        return made;
    }

    private Descriptor described(long number, int type, long[] shape, long[] strides) throws Refused {
        return kept(17).choice(901, DATA_TYPE, type).longs(902, shape).longs(903, strides).longs(906, number).longs(900,
                ALIGNED);
    }

    /** What lies in memory, by the number under which its address is given. */
    Descriptor tensor(long number, int type, long[] shape, long[] strides) throws Refused {
        return described(number, type, shape, strides).done();
    }

    /** One number, whose address is one of the host's. */
    Descriptor number(long number) throws Refused {
        return described(number, FLOAT, new long[]{1, 1, 1, 1}, new long[]{1, 1, 1, 1}).flag(908, true).done();
    }

    /** What is in no memory. */
    Descriptor between(int type, long[] shape, long[] strides) throws Refused {
        return described(next++, type, shape, strides).flag(907, true).done();
    }

    void product(Descriptor a, Descriptor b, Descriptor c) throws Refused {
        Descriptor how = kept(18).choice(1500, DATA_TYPE, FLOAT).done();
        operations.add(kept(19).of(1520, a).of(1521, b).of(1522, c).of(1523, how).done());
    }

    private void pointwise(Descriptor how, Descriptor x, Descriptor second, Descriptor chosen, Descriptor y)
            throws Refused {
        Descriptor made = kept(13).of(750, how.done()).of(751, x).of(753, y);
        if (second != null) {
            made.of(752, second);
        }
        if (chosen != null) {
            made.of(758, chosen);
        }
        operations.add(made.factor(754, false, 1).factor(755, false, 1).done());
    }

    private Descriptor mode(int mode, int type) throws Refused {
        return kept(0).choice(0, POINTWISE_MODE, mode).choice(1, DATA_TYPE, type);
    }

    /** y from x, and from {@code second} unless it is null. */
    void each(int mode, Descriptor x, Descriptor second, Descriptor y) throws Refused {
        pointwise(mode(mode, FLOAT), x, second, null, y);
    }

    /** Keeps x where the place in dimension 2 is not below that in dimension 3; elsewhere it becomes {@code other}. */
    void lowerTriangle(Descriptor x, Descriptor other, Descriptor y, long[] shape, long[] strides) throws Refused {
        Descriptor row = between(INT32, shape, strides);
        pointwise(mode(INDEX, FLOAT).longs(9, 2), x, null, null, row);
        Descriptor column = between(INT32, shape, strides);
        pointwise(mode(INDEX, FLOAT).longs(9, 3), x, null, null, column);
        Descriptor keeps = between(BOOLEAN, shape, strides);
        pointwise(mode(NOT_LESS, BOOLEAN), row, column, null, keeps);
        pointwise(mode(SELECT, FLOAT), x, other, keeps, y);
    }

    void reduce(int operator, Descriptor x, Descriptor y) throws Refused {
        Descriptor how = kept(21).choice(1601, DATA_TYPE, FLOAT).choice(1600, REDUCTION, operator).flag(1602, false)
                .done();
        operations.add(kept(22).of(1612, how).of(1610, x).of(1611, y).done());
    }

    /** The same elements in another order. */
    void reshape(Descriptor x, Descriptor y) throws Refused {
        operations.add(kept(31).of(2200, x).of(2201, y).done());
    }

    /** All of it, for that handle. */
    Descriptor done(long handle) throws Refused {
        return kept(15).of(801, operations.toArray(Descriptor[]::new)).handle(800, handle).done();
    }

    /** The first of cuDNN's ways to compute it that can be made, in the order of its better heuristics; null if there is none. */
    Descriptor plan(Descriptor graph, long handle) throws Refused {
        final int modeA = 3;
        Descriptor heuristics = kept(4).of(201, graph).choice(200, 8, modeA).done();
        List<Descriptor> room = new ArrayList<>();
        for (int left = heuristics.count(202); left > 0; left--) {
            room.add(kept(3));
        }
        for (Descriptor configuration : room.subList(0, heuristics.fill(202, room))) {
            Descriptor plan = calls.descriptor(5);
            try {
                return plan.of(401, configuration).handle(400, handle).done();
            } catch (Refused e) {
                // the next one
                plan.close();
            }
        }
        return null;
    }

    @Override
    public void close() {
        for (Descriptor each : kept.reversed()) {
            each.close();
        }
        kept.clear();
    }
}

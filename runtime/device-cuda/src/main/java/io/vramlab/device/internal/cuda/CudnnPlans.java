package io.vramlab.device.internal.cuda;

import io.vramlab.device.ConvolutionCall;
import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cuda.CudnnCalls.Descriptor;
import io.vramlab.device.internal.cuda.CudnnCalls.Refused;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * Ways to compute one convolution, in the order in which PyTorch tries them (its {@code Conv_v8.cpp}): what cuDNN's instant
 * heuristics propose, then what always works; without those that convert float32 down, without tensor cores where TF32 is not
 * allowed, and without sums in any order where they shall be the same every time. Each is made when it is asked for.
 */
final class CudnnPlans implements Iterator<Descriptor>, AutoCloseable {

    private static final int INSTANT = 0;
    private static final int FALLBACK = 2;
    private static final int TENSOR_CORE = 0;
    private static final int DOWN_CONVERT = 1;
    private static final int NONDETERMINISTIC = 4;
    private static final int TENSOR = 17;
    private static final int CONVOLUTION = 1;
    private static final int ENGINE = 2;
    private static final int CONFIG = 3;
    private static final int HEURISTICS = 4;
    private static final int PLAN = 5;
    private static final int GRAPH = 15;
    private static final int DATA_TYPE = 1;
    private static final int MODE = 7;
    private static final int HEURISTIC = 8;
    private static final int NOTE = 11;
    private static final int NOTES = 16;
    private static final int CROSS_CORRELATION = 1;
    private static final int MOST_ALIGNED = 32;

    /** The numbers of one product: its descriptor's kind, then the attributes. */
    private record Product(int kind, int convolution, int weight, int x, int y, int alpha, int beta) {

        static Product of(ConvolutionCall.Pass pass) {
            return switch (pass) {
                case OUTPUT -> new Product(10, 702, 703, 704, 705, 700, 701);
                case INPUT -> new Product(12, 708, 709, 710, 711, 706, 707);
                case WEIGHT -> new Product(11, 714, 715, 716, 717, 712, 713);
            };
        }
    }

    private final CudnnCalls calls;
    private final CudnnTarget target;
    private final Set<Integer> refused = new HashSet<>(Set.of(DOWN_CONVERT));
    private final List<Descriptor> kept = new ArrayList<>();
    private final Descriptor graph;
    private final List<Integer> modes = new ArrayList<>(List.of(INSTANT, FALLBACK));
    private final List<Descriptor> configurations = new ArrayList<>();
    private Descriptor next;
    private Descriptor nextConfiguration;

    CudnnPlans(CudnnCalls calls, CudnnTarget target, ConvolutionCall call, CudnnSettings settings) throws Refused {
        this.calls = calls;
        this.target = target;
        if (!settings.tf32() && call.x().dtype() == DType.FLOAT32) {
            refused.add(TENSOR_CORE);
        }
        if (settings.deterministic()) {
            refused.add(NONDETERMINISTIC);
        }
        try {
            graph = graph(call);
        } catch (Refused | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Descriptor kept(int kind) throws Refused {
        Descriptor made = calls.descriptor(kind);
        kept.add(made);
        return made;
    }

    private Descriptor graph(ConvolutionCall call) throws Refused {
        boolean wide = call.x().dtype() == DType.FLOAT64;
        Descriptor convolution = kept(CONVOLUTION).choice(100, DATA_TYPE, wide ? 1 : 0)
                .choice(101, MODE, CROSS_CORRELATION).longs(106, call.stride().length).longs(102, call.dilation())
                .longs(103, call.stride()).longs(104, call.padding()).longs(105, call.padding()).done();
        Product p = Product.of(call.pass());
        Descriptor product = kept(p.kind).of(p.convolution, convolution).of(p.weight, tensor(call.weight(), 'w'))
                .of(p.x, tensor(call.x(), 'x')).of(p.y, tensor(call.y(), 'y')).factor(p.alpha, wide, 1)
                .factor(p.beta, wide, 0).done();
        return target.graph(kept(GRAPH).of(801, product)).done();
    }

    private Descriptor tensor(Operand o, char name) throws Refused {
        int type = switch (o.dtype()) {
            case FLOAT32 -> 0;
            case FLOAT64 -> 1;
            case FLOAT16 -> 2;
            case BFLOAT16 -> 9;
            default -> throw new IllegalArgumentException("no cuDNN type for " + o.dtype());
        };
        return kept(TENSOR).choice(901, DATA_TYPE, type).longs(902, o.shape()).longs(903, o.strides())
                .longs(906, name).longs(900, alignment(o.address())).done();
    }

    /** Bytes: the largest power of two, up to 32, that the address is a multiple of. */
    static int alignment(long address) {
        return (int) Math.min(Long.lowestOneBit(address | MOST_ALIGNED), MOST_ALIGNED);
    }

    @Override
    public boolean hasNext() {
        try {
            while (next == null) {
                if (!configurations.isEmpty()) {
                    next = plan(configurations.removeFirst());
                } else if (!modes.isEmpty()) {
                    propose(modes.removeFirst());
                } else {
                    return false;
                }
            }
            return true;
        } catch (Refused e) {
            return hasNext();
        }
    }

    private void propose(int mode) throws Refused {
        Descriptor heuristics = target.heuristics(kept(HEURISTICS).of(201, graph).choice(200, HEURISTIC, mode))
                .done();
        List<Descriptor> room = new ArrayList<>();
        for (int left = heuristics.count(202); left > 0; left--) {
            room.add(kept(CONFIG));
        }
        configurations.addAll(room.subList(0, heuristics.fill(202, room)));
    }

    /** Null where PyTorch would not take it. */
    private Descriptor plan(Descriptor configuration) throws Refused {
        nextConfiguration = configuration;
        try (Descriptor engine = calls.descriptor(ENGINE)) {
            configuration.fill(300, List.of(engine));
            if (engine.choices(1303, NOTE, NOTES).stream().anyMatch(refused::contains)) {
                return null;
            }
        }
        Descriptor plan = calls.descriptor(PLAN);
        try {
            return target.plan(plan.of(401, configuration)).done();
        } catch (Refused e) {
            plan.close();
            throw e;
        }
    }

    /** A plan; it is the caller's to close. */
    @Override
    public Descriptor next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Descriptor given = next;
        next = null;
        return given;
    }

    /** How the plan is computed that {@link #next} gave. */
    Descriptor configuration() {
        return nextConfiguration;
    }

    @Override
    public void close() {
        if (next != null) {
            next.close();
            next = null;
        }
        for (Descriptor each : kept.reversed()) {
            each.close();
        }
        kept.clear();
    }
}

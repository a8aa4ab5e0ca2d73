package io.vramlab.lifetime;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryListener;
import io.vramlab.memory.MemoryStats;
import io.vramlab.tensor.Tensor;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Programs in the form of sparse.py: phases, each with the allocator's figures and what was taken and given back, and values. */
public final class Phases {

    private static final List<Phase> PHASES = new ArrayList<>();
    private static final List<Object> VALUES = new ArrayList<>();
    private static Class<?> programs;
    private static Device gpu;
    private static String name;
    private static MemoryStats base;
    private static MemoryListener listener;

    private Phases() {
    }

    /**
     * What a phase took.
     *
     * @param figures
     *            allocated, requested, both at the peak, and live allocations, from the phase's beginning
     */
    public record Phase(String name, List<Long> figures, List<Long> trace) {
    }

    /**
     * A tensor that was seen.
     *
     * @param entries
     *            of a sparse one, else -1
     * @param dense
     *            a copy on the host
     */
    public record Seen(long entries, boolean coalesced, Tensor dense) {
    }

    /**
     * What a program told.
     *
     * @param error
     *            what ended it, or null
     */
    public record Run(List<Phase> phases, List<Object> values, Throwable error) {
    }

    /** Compiles the programs of a file, counted as a cell is. */
    public static void compile(String file) throws Exception {
        try (InputStream in = Phases.class.getResourceAsStream("/models/" + file + ".java.txt")) {
            String source = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Map<String, byte[]> classes = new HashMap<>();
            Woven.compiled(Map.of("woven/" + file, source)).forEach((n, c) -> classes.put(n.replace('/', '.'), c));
            programs = new Woven.Classes(classes).loadClass("woven." + file);
        }
    }

    /** Runs one of the compiled programs on a device. */
    public static Run run(Device device, String program) throws Exception {
        gpu = device;
        PHASES.clear();
        VALUES.clear();
        listener = null;
        Throwable error = null;
        try {
            programs.getMethod("run", String.class).invoke(null, program);
        } catch (InvocationTargetException e) {
            error = e.getCause();
        } finally {
            if (listener != null) {
                Allocators.of(gpu).removeListener(listener);
            }
        }
        return new Run(List.copyOf(PHASES), List.copyOf(VALUES), error);
    }

    /** A phase begins. */
    public static void begin(String phase) {
        name = phase;
        List<Long> trace = new ArrayList<>();
        Allocator allocator = Allocators.of(gpu);
        listener = new MemoryListener() {
            @Override
            public void allocated(long address, long bytes, long requested, long stream, int site) {
                trace.add(requested);
            }

            @Override
            public void freed(long address, long bytes, long requested, long stream, int site) {
                trace.add(-requested);
            }
        };
        PHASES.add(new Phase(phase, null, trace));
        allocator.addListener(listener);
        allocator.resetPeakMemoryStats();
        base = allocator.stats();
    }

    /** It ends. */
    public static void end() {
        Allocator allocator = Allocators.of(gpu);
        allocator.removeListener(listener);
        listener = null;
        MemoryStats now = allocator.stats();
        List<Long> figures = new ArrayList<>();
        for (String key : List.of("allocated_bytes.all.current", "requested_bytes.all.current")) {
            figures.add(now.get(key) - base.get(key));
        }
        for (String key : List.of("allocated_bytes.all", "requested_bytes.all")) {
            figures.add(now.get(key + ".peak") - base.get(key + ".current"));
        }
        figures.add(now.get("allocation.all.current") - base.get("allocation.all.current"));
        Phase open = PHASES.removeLast();
        PHASES.add(new Phase(name, figures, List.copyOf(open.trace())));
    }

    /** A tensor's values, now; null stands for none. */
    public static void seen(Tensor t) {
        if (t == null) {
            VALUES.add("none");
            return;
        }
        try (Tensor bare = t.detach(); Tensor host = bare.cpu(); Tensor dense = host.toDense()) {
            VALUES.add(new Seen(t.isSparse() ? t.nnz() : -1, t.isSparse() && t.isCoalesced(), dense.clone()));
        }
    }

    /** Numbers. */
    public static void told(double... numbers) {
        VALUES.add(Arrays.stream(numbers).boxed().toList());
    }

    /** {@return the device} */
    public static Device gpu() {
        return gpu;
    }

    /** value(i) of measured.py. */
    public static float[] values(long seed, long count) {
        float[] values = new float[(int) count];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) ((i * 2654435761L + seed * 40503L & 0xffffffffL) / 4294967296.0 - 0.5);
        }
        return values;
    }
}

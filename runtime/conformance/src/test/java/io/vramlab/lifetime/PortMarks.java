package io.vramlab.lifetime;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the ports tell: the allocator's figures at their marks. */
public final class PortMarks {

    private static final List<Mark> MARKS = new ArrayList<>();
    private static Device gpu;
    private static boolean hasValues;

    private PortMarks() {
    }

    /** The figures at a mark, in the order of life_ports.py. */
    record Mark(String name, List<Long> figures) {
    }

    static List<Mark> of(Device device, boolean values, ThrowingRunnable port) throws Exception {
        gpu = device;
        hasValues = values;
        MARKS.clear();
        onGpu();
        port.run();
        return List.copyOf(MARKS);
    }

    /** A port. */
    interface ThrowingRunnable {

        void run() throws Exception;
    }

    /** What is made from now on is made on the CPU, as PyTorch makes modules. */
    public static void onCpu() {
        Device.set(Device.cpu());
    }

    /** What is made from now on is made on the GPU. */
    public static void onGpu() {
        Device.set(gpu);
    }

    /** {@code item()}, where the device has values. */
    public static double read(Tensor scalar) {
        return hasValues ? scalar.item() : 0;
    }

    /** Records the figures. */
    public static void mark(String name) {
        Allocator allocator = Allocators.of(gpu);
        Map<String, Long> stats = allocator.stats().asMap();
        List<Long> figures = new ArrayList<>();
        Stream.of("current", "peak").forEach(when -> Stream.of("allocated", "requested", "reserved")
                .forEach(what -> figures.add(stats.get(what + "_bytes.all." + when))));
        figures.add(stats.get("allocation.all.allocated"));
        figures.add(stats.get("segment.all.allocated"));
        MARKS.add(new Mark(name, figures));
        allocator.resetPeakMemoryStats();
    }
}

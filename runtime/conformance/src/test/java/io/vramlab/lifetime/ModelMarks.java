package io.vramlab.lifetime;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.nn.Module;
import io.vramlab.optim.AdamW;
import io.vramlab.optim.Optimizer;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What ports of models.py need, and what they tell: the allocator's figures at their marks. */
public final class ModelMarks {

    /** The columns of models.py. */
    static final List<String> COLUMNS = List.of("allocated", "requested", "peak allocated", "peak requested",
            "reserved",
            "inactive", "live allocations", "segments", "allocations so far");

    private static final List<Mark> MARKS = new ArrayList<>();
    private static final List<Double> TOLD = new ArrayList<>();
    private static Device gpu;

    private ModelMarks() {
    }

    /** The figures at a mark, in the order of {@link #COLUMNS}. */
    record Mark(String name, List<Long> figures) {
    }

    /** A port. */
    interface Port {
        void run() throws Exception;
    }

    static List<Mark> of(Device device, Port port) throws Exception {
        gpu = device;
        MARKS.clear();
        TOLD.clear();
        onGpu();
        port.run();
        return List.copyOf(MARKS);
    }

    /** The device that is compared. */
    public static Device gpu() {
        return gpu;
    }

    /** What is made from now on is made on the CPU, as PyTorch makes modules. */
    public static void onCpu() {
        Device.set(Device.cpu());
    }

    /** What is made from now on is made on the GPU. */
    public static void onGpu() {
        Device.set(gpu);
    }

    /** {@code item()}, which takes nothing; the device has no values. */
    public static void item(Tensor scalar) {
        if (scalar.numel() != 1) {
            throw new IllegalArgumentException("a loss is one number");
        }
    }

    /** As models.py makes it. */
    public static Optimizer adamW(Module net, double lr, double decay, boolean fused) {
        AdamW optimizer = new AdamW(net.parameters(), lr).weightDecay(decay);
        return fused ? optimizer.fused(true) : optimizer;
    }

    /** Records numbers, where there are any. */
    public static void told(double... numbers) {
        for (double each : numbers) {
            TOLD.add(each);
        }
    }

    /** Records a tensor's numbers' sum, that of their magnitudes, and the first three, as measured.py sums up. */
    public static void told(Tensor tensor) {
        double[] all;
        try (Tensor host = tensor.detach().cpu()) {
            all = host.toDoubleArray();
        }
        told(Arrays.stream(all).sum(), Arrays.stream(all).map(Math::abs).sum());
        told(Arrays.copyOf(all, Math.min(3, all.length)));
    }

    /** {@return what the last port told} */
    static List<Double> numbers() {
        return List.copyOf(TOLD);
    }

    /** Records the figures. */
    public static void mark(String name) {
        Allocator allocator = Allocators.of(gpu);
        Map<String, Long> s = allocator.stats().asMap();
        MARKS.add(new Mark(name,
                List.of(s.get("allocated_bytes.all.current"), s.get("requested_bytes.all.current"),
                        s.get("allocated_bytes.all.peak"), s.get("requested_bytes.all.peak"),
                        s.get("reserved_bytes.all.current"), s.get("inactive_split_bytes.all.current"),
                        s.get("allocation.all.current"), s.get("segment.all.current"),
                        s.get("allocation.all.allocated"))));
        allocator.resetPeakMemoryStats();
    }
}

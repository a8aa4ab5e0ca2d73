package io.vramlab.conformance.articles;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryStats;
import io.vramlab.nn.Linear;
import io.vramlab.nn.Module;
import io.vramlab.nn.ReLU;
import io.vramlab.nn.Sequential;
import io.vramlab.optim.Optimizer;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Ref;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.ArrayList;
import java.util.List;

/** What a scenario works with: a device, the marks it sets, and a few Python idioms. */
public final class Lab {

    /** The columns of a mark, as statistics keys. Bytes, or counts for the last two. */
    public static final List<String> COLUMNS = List.of("allocated_bytes.all.current", "allocated_bytes.all.peak",
            "reserved_bytes.all.current", "requested_bytes.all.current", "active_bytes.all.current",
            "inactive_split_bytes.all.current", "allocation.all.current", "segment.all.current");

    /** What the allocator held at a moment; figures in the order of {@link #COLUMNS}. */
    public record Mark(String label, long[] figures) {
    }

    private final Device device;
    private final Allocator allocator;
    private final List<Mark> marks = new ArrayList<>();
    private final List<AutoCloseable> owned = new ArrayList<>();

    /** Measures on that device, which should be empty. */
    public Lab(Device device) {
        this.device = device;
        this.allocator = Allocators.of(device);
    }

    /** Where tensors are made. */
    public Device device() {
        return device;
    }

    /** The marks so far. */
    public List<Mark> marks() {
        return List.copyOf(marks);
    }

    /** Sets a mark. */
    public void mark(String label) {
        MemoryStats stats = allocator.stats();
        marks.add(new Mark(label, COLUMNS.stream().mapToLong(stats::get).toArray()));
    }

    /** Empties the cache, resets the peaks and sets the mark "start". */
    public void start() {
        allocator.emptyCache();
        allocator.resetPeakMemoryStats();
        mark("start");
    }

    void resetPeak() {
        allocator.resetPeakMemoryStats();
    }

    void emptyCache() {
        allocator.emptyCache();
    }

    /** Has an optimizer or the like closed when the scenario ends. */
    <T extends AutoCloseable> T own(T resource) {
        owned.add(resource);
        return resource;
    }

    /** Closes what {@link #own} was told of. */
    public void close() {
        for (AutoCloseable resource : owned.reversed()) {
            try {
                resource.close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("A scenario's resource could not be closed: " + e.getMessage(), e);
            }
        }
        owned.clear();
    }

    // ---- idioms ----

    TensorOptions here() {
        return TensorOptions.on(device);
    }

    TensorOptions host() {
        return TensorOptions.on(Device.cpu());
    }

    Tensor randn(long... shape) {
        return Tensor.randn(here(), shape);
    }

    /** Ten classes. */
    Tensor classes(long n) {
        return Tensor.randint(here().dtype(DType.INT64), 0, 10, n);
    }

    /** A value moved to the device; the host's copy goes. */
    Tensor moved(Tensor fromHost) {
        try (fromHost) {
            return fromHost.to(device);
        }
    }

    /** A value moved to the device by way of page-locked memory, without waiting; the host's copies go. */
    Tensor pinnedAndMoved(Tensor fromHost) {
        try (fromHost; Tensor pinned = fromHost.pinMemory()) {
            return pinned.to(device, true);
        }
    }

    /** Layers of those widths with relu between them. */
    Sequential mlp(long... widths) {
        List<Module> layers = new ArrayList<>();
        for (int i = 0; i + 1 < widths.length; i++) {
            layers.add(new Linear(widths[i], widths[i + 1]));
            if (i + 2 < widths.length) {
                layers.add(new ReLU());
            }
        }
        return new Sequential(layers);
    }

    /** {@code name = function(value)} where value is a temporary: it goes once the result exists. */
    static Tensor after(Tensor temporary, java.util.function.UnaryOperator<Tensor> function) {
        try (temporary) {
            return function.apply(temporary);
        }
    }

    static Tensor crossEntropy(Ref<Tensor> output, Ref<Tensor> target) {
        return Functional.crossEntropy(output.get(), target.get());
    }

    /** A training step's end as most examples write it, without marks. */
    static void stepAndZero(Optimizer optimizer) {
        optimizer.step();
        optimizer.zeroGrad();
    }
}

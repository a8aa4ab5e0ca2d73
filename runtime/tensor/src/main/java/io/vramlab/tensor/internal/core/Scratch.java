package io.vramlab.tensor.internal.core;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.Footprint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Memory that PyTorch takes inside an operation and our kernels do without: taken from the allocator and given back in
 * the order that a {@link Footprint} tells, so that peaks and sequences are PyTorch's. On the CPU there is none.
 *
 * <p>
 * Closing gives back what is left, the last taken first.
 */
public final class Scratch implements AutoCloseable {

    private final Device device;
    private final List<Storage> held = new ArrayList<>(4);

    private Scratch(Device device) {
        this.device = device;
    }

    /** With nothing taken. */
    public static Scratch on(Device device) {
        return new Scratch(device);
    }

    /** Takes it and gives all of it back. */
    public static void pass(TensorImpl on, Function<DeviceProperties, Footprint> rule) {
        if (on.device().isCuda()) {
            try (Scratch scratch = new Scratch(on.device())) {
                scratch.take(rule.apply(on.driver().properties()));
            }
        }
    }

    /** Takes it, runs the kernel, and gives it back. */
    public static void during(TensorImpl on, Function<DeviceProperties, Footprint> rule, Runnable kernel) {
        Footprint footprint = on.device().isCuda() ? rule.apply(on.driver().properties()) : Footprint.NOTHING;
        if (footprint.steps().isEmpty()) {
            kernel.run();
            return;
        }
        try (Scratch scratch = new Scratch(on.device())) {
            scratch.take(footprint);
            kernel.run();
        }
    }

    /** A kernel that works in memory. */
    public interface Within {

        /** With the address and the size of what was taken first, both 0 if nothing was. */
        void run(long address, long bytes);
    }

    /** Takes it, runs the kernel once all is taken, and gives it back. */
    public static void within(TensorImpl on, Function<DeviceProperties, Footprint> rule, Within kernel) {
        List<Footprint.Step> steps = rule.apply(on.driver().properties()).steps();
        int taken = 0;
        for (int i = 0; i < steps.size(); i++) {
            taken = steps.get(i) instanceof Footprint.Taken ? i + 1 : taken;
        }
        try (Scratch scratch = new Scratch(on.device())) {
            scratch.take(new Footprint(steps.subList(0, taken)));
            Storage first = scratch.held.isEmpty() ? null : scratch.held.getFirst();
            kernel.run(first == null ? 0 : first.address(), first == null ? 0 : first.bytes());
            for (Footprint.Step step : steps.subList(taken, steps.size())) {
                scratch.held.set(((Footprint.GivenBack) step).taking(), null).release();
            }
        }
    }

    /**
     * Takes so many bytes, hands out their address, and gives them back.
     *
     * @param bytes
     *            0 for none; then the address is 0
     */
    public static void during(Device device, long bytes, LongConsumer use) {
        if (bytes == 0) {
            use.accept(0);
            return;
        }
        try (Scratch scratch = new Scratch(device)) {
            Storage taken = Storage.allocate(device, bytes);
            scratch.held.add(taken);
            use.accept(taken.address());
        }
    }

    /** Does the steps; what they leave stays taken until this is closed, also when one of them fails. */
    public void take(Footprint footprint) {
        int first = held.size();
        for (Footprint.Step step : footprint.steps()) {
            switch (step) {
                case Footprint.Taken(long bytes) -> held.add(Storage.allocate(device, bytes));
                case Footprint.GivenBack(int taking) -> held.set(first + taking, null).release();
            }
        }
    }

    @Override
    public void close() {
        for (int i = held.size() - 1; i >= 0; i--) {
            if (held.get(i) != null) {
                held.get(i).release();
            }
        }
        held.clear();
    }
}

package io.vramlab.conformance;

import com.google.gson.JsonArray;
import io.vramlab.conformance.PlacedMemory.Placement;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryListener;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One thing a recorded program leaves open: where the driver put its segments. Between two free blocks of one size the
 * allocator takes the one at the lower address, so the order of segments can decide which block is used up whole. When a
 * program's memory differs, its large segments are tried in other orders, on a shapes-only device. Whether one fits is
 * judged by the recorded figures, so such a program is never counted among the equal ones: {@link ComparisonReport#setApart}.
 */
final class SegmentOrders {

    private static final int MOST_PERMUTED = 5;
    private static final long SMALL_SEGMENT = 2L << 20;
    private static final long FIRST_ADDRESS = 1L << 44;
    private static final long STEP = 1L << 40;

    private final JsonArray statements;
    private final long[][] recorded;

    SegmentOrders(JsonArray statements, long[][] recorded) {
        this.statements = statements;
        this.recorded = recorded;
    }

    /** Sizes of the segments that an allocator takes while it is followed, in order. */
    static final class Sizes implements MemoryListener {

        private final List<Long> sizes = new ArrayList<>();

        @Override
        public void segmentAllocated(long address, long bytes, long stream) {
            sizes.add(bytes);
        }
    }

    /** Whether some order of the segments gives the recorded figures after every statement. */
    boolean explain(Sizes taken) {
        int large = (int) taken.sizes.stream().filter(s -> s > SMALL_SEGMENT).count();
        if (large < 2) {
            return false;
        }
        Device before = Device.current();
        Device device = PlacedMemory.device("H200");
        try {
            Device.set(device);
            return device.driver() instanceof PlacedMemory driver && orders(large).stream()
                    .anyMatch(order -> fits(device, driver, placements(taken.sizes, order)));
        } finally {
            Device.set(before);
            device.close();
        }
    }

    private static List<int[]> orders(int n) {
        int[] ascending = new int[n];
        Arrays.setAll(ascending, i -> i);
        int[] descending = new int[n];
        Arrays.setAll(descending, i -> n - 1 - i);
        List<int[]> orders = new ArrayList<>(List.of(ascending, descending));
        if (n <= MOST_PERMUTED) {
            permute(ascending.clone(), 0, orders);
        }
        return orders;
    }

    private static void permute(int[] order, int from, List<int[]> orders) {
        if (from == order.length) {
            orders.add(order.clone());
        }
        for (int i = from; i < order.length; i++) {
            swap(order, from, i);
            permute(order, from + 1, orders);
            swap(order, from, i);
        }
    }

    private static void swap(int[] a, int i, int j) {
        int value = a[i];
        a[i] = a[j];
        a[j] = value;
    }

    private static List<Placement> placements(List<Long> sizes, int[] order) {
        List<Placement> script = new ArrayList<>();
        int large = 0;
        int small = 0;
        for (long size : sizes) {
            long place = size > SMALL_SEGMENT ? order[large++] : order.length + small++;
            script.add(new Placement(FIRST_ADDRESS + place * STEP, size));
        }
        return script;
    }

    private boolean fits(Device device, PlacedMemory driver, List<Placement> script) {
        Allocator allocator = Allocators.of(device);
        allocator.emptyCache();
        driver.follow(script);
        Meter meter = new Meter(device);
        try (Program program = new Program(device, 0)) {
            for (int i = 0; i < recorded.length; i++) {
                meter.resetPeak();
                try {
                    program.run(statements.get(i).getAsJsonObject());
                } catch (TensorException e) {
                    return i == recorded.length - 1 && Arrays.equals(meter.read(), recorded[i]);
                }
                if (!Arrays.equals(meter.read(), recorded[i])) {
                    return false;
                }
            }
            return true;
        }
    }
}

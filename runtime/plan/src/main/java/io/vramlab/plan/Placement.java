package io.vramlab.plan;

import io.vramlab.device.DriverStep;
import io.vramlab.device.internal.model.Backing;
import io.vramlab.device.internal.model.ModelMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

/**
 * In which order a driver places segments. Nobody promises one, and where two free blocks have one size PyTorch takes the
 * lower, so the order can decide how much is reserved, and how much of a block is given away whole. Nothing else does: given
 * the addresses that an H200 gave, 46 recorded programs come out to the byte. Expandable segments do not depend on it.
 */
final class Placement {

    /** As an H100's driver does, by the rule of docs/plan.md, "Where segments lie". */
    static final Placement SEEN = new Placement(null);
    /** Each segment above the one before. */
    static final Placement RISING = new Placement(new Climb(true));
    /** Each segment below the one before. */
    static final Placement FALLING = new Placement(new Climb(false));

    private static final int MIXED = 12;
    private static final long TOP = 0x7f40_0000_0000L;
    private static final long BOTTOM = 0x7000_0000_0000L;
    private static final long PAGE = 2L << 20;

    private final Order order;

    private Placement(Order order) {
        this.order = order;
    }

    /** These three. */
    static List<Placement> few() {
        return List.of(SEEN, RISING, FALLING);
    }

    /** The same and twelve in which segments lie anyhow, the same twelve each time; the first is what was seen. */
    static List<Placement> many() {
        List<Placement> all = new ArrayList<>(few());
        for (int seed = 1; seed <= MIXED; seed++) {
            all.add(new Placement(new Mixture(seed)));
        }
        return all;
    }

    /**
     * Memory whose segments lie in this order.
     *
     * @param bytes
     *            for the allocator and what the driver takes on the way
     * @param outside
     *            bytes of the device that are in use before, and are of its total
     */
    SegmentMemory memory(String device, long bytes, long outside) {
        return new Ordered(new ModelMemory(device, bytes, TOP, Backing.NONE), order == null ? null : order.begin(),
                outside);
    }

    /** Where segments lie, one after another. */
    private interface Order {

        /** From the first segment on: bytes to its address. */
        LongUnaryOperator begin();
    }

    private record Climb(boolean rising) implements Order {

        @Override
        public LongUnaryOperator begin() {
            long[] next = {BOTTOM};
            return bytes -> {
                next[0] += rising ? 0 : -bytes;
                long address = next[0];
                next[0] += rising ? bytes : 0;
                return address;
            };
        }
    }

    /** Each in a window of its own, wide enough for any. */
    private record Mixture(int seed) implements Order {

        private static final int WINDOW = 40;
        private static final int WINDOWS = 1 << 14;

        @Override
        public LongUnaryOperator begin() {
            SplittableRandom random = new SplittableRandom(seed);
            Set<Integer> taken = new HashSet<>();
            return bytes -> {
                int window = 1 + random.nextInt(WINDOWS);
                while (!taken.add(window)) {
                    window = 1 + random.nextInt(WINDOWS);
                }
                return (long) window << WINDOW;
            };
        }
    }

    private static final class Ordered implements SegmentMemory {

        private final ModelMemory accounts;
        /** Null for where the driver was seen to place them. */
        private final LongUnaryOperator order;
        private final Map<Long, Long> real = new HashMap<>();
        private final long outside;

        Ordered(ModelMemory accounts, LongUnaryOperator order, long outside) {
            this.accounts = accounts;
            this.order = order;
            this.outside = outside;
        }

        @Override
        public long allocate(long bytes) {
            long address = accounts.allocate(bytes);
            if (address == OUT_OF_MEMORY) {
                return OUT_OF_MEMORY;
            }
            long shown = order == null ? address : order.applyAsLong((bytes + PAGE - 1) / PAGE * PAGE);
            real.put(shown, address);
            return shown;
        }

        @Override
        public void free(long address) {
            accounts.free(real.remove(address));
        }

        @Override
        public void step(DriverStep step) {
            accounts.step(step);
        }

        @Override
        public long granularity() {
            return accounts.granularity();
        }

        @Override
        public long reserve(long bytes) {
            return accounts.reserve(bytes);
        }

        @Override
        public boolean map(long address, long bytes) {
            return accounts.map(address, bytes);
        }

        @Override
        public void unmap(long address, long bytes) {
            accounts.unmap(address, bytes);
        }

        @Override
        public void release(long address, long bytes) {
            accounts.release(address, bytes);
        }

        @Override
        public long freeBytes() {
            return accounts.freeBytes();
        }

        @Override
        public long totalBytes() {
            return accounts.totalBytes() + outside;
        }
    }
}

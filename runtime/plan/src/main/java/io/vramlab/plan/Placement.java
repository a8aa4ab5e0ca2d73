package io.vramlab.plan;

import io.vramlab.device.DeviceMemory;
import io.vramlab.device.model.Backing;
import io.vramlab.device.model.ModelMemory;
import java.util.HashMap;
import java.util.Map;

/**
 * In which order a driver places segments. Nobody promises one, and where two free blocks have one size PyTorch takes the
 * lower, so the order can decide how much is reserved. Expandable segments do not depend on it.
 */
enum Placement {
    /** As an H200's driver was seen to. */
    SEEN,
    /** Each segment above the one before. */
    RISING,
    /** Each segment below the one before. */
    FALLING;

    private static final long TOP = 0x7f40_0000_0000L;
    private static final long BOTTOM = 0x7000_0000_0000L;
    private static final long PAGE = 2L << 20;

    DeviceMemory memory(String device, long bytes) {
        ModelMemory seen = new ModelMemory(device, bytes, TOP, Backing.NONE);
        return this == SEEN ? seen : new Ordered(seen, this == RISING);
    }

    private static final class Ordered implements DeviceMemory {

        private final ModelMemory accounts;
        private final boolean rising;
        private final Map<Long, Long> real = new HashMap<>();
        private long next = BOTTOM;

        Ordered(ModelMemory accounts, boolean rising) {
            this.accounts = accounts;
            this.rising = rising;
        }

        @Override
        public long allocate(long bytes) {
            long address = accounts.allocate(bytes);
            if (address == OUT_OF_MEMORY) {
                return OUT_OF_MEMORY;
            }
            long room = (bytes + PAGE - 1) / PAGE * PAGE;
            next += rising ? 0 : -room;
            long shown = next;
            next += rising ? room : 0;
            real.put(shown, address);
            return shown;
        }

        @Override
        public void free(long address) {
            accounts.free(real.remove(address));
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
            return accounts.totalBytes();
        }
    }
}

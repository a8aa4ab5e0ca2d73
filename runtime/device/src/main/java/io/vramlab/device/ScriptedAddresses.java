package io.vramlab.device;

import java.util.List;

/**
 * A device that can be told where its next allocations go, for comparisons with a recorded run: where a real driver puts
 * memory depends on all that the process did before, and between two free blocks of one size PyTorch's allocator takes
 * the one at the lower address.
 */
public interface ScriptedAddresses {

    /** One allocation of a recorded run. Bytes. */
    record Placement(long address, long bytes) {
    }

    /**
     * Gives the next allocations those addresses, in order. A request of another size than the script's next one ends the
     * script: from then on the device chooses. What a former script placed stays where it is until it is freed.
     */
    void follow(List<Placement> script);
}

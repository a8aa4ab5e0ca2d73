package io.vramlab.device;

/**
 * Transient device memory that the tensor layer took from the allocator for one kernel, as PyTorch does for reductions
 * over several thread blocks. Simulated kernels ignore it.
 *
 * @param staging
 *            address of the staging buffer, 0 for none
 * @param stagingBytes
 *            its size
 * @param semaphores
 *            address of the semaphores, 0 for none
 * @param semaphoreBytes
 *            their size
 */
public record Scratch(long staging, long stagingBytes, long semaphores, long semaphoreBytes) {

    /** No scratch. */
    public static final Scratch NONE = new Scratch(0, 0, 0, 0);
}

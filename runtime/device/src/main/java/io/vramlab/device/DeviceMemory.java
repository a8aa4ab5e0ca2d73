package io.vramlab.device;

/**
 * The memory of one device, as its driver hands it out: in whole segments, uncached. The caching allocator is the only
 * caller in ordinary use.
 *
 * <p>
 * Two families, both from the CUDA driver API: {@link #allocate}/{@link #free} (cuMemAlloc, cuMemFree), and
 * {@link #reserve}/{@link #map}/{@link #unmap}/{@link #release} (cuMemAddressReserve, cuMemCreate + cuMemMap +
 * cuMemSetAccess, cuMemUnmap + cuMemRelease, cuMemAddressFree), on which expandable segments are built.
 *
 * <p>
 * "Out of memory" is an answer, not an exception: it is the one failure the allocator recovers from. Everything else is
 * a {@link DeviceException}.
 */
public interface DeviceMemory {

    /** The address that {@link #allocate} and {@link #reserve} return when the device has no room. */
    long OUT_OF_MEMORY = 0;

    /**
     * Allocates a segment.
     *
     * @param bytes
     *            size in bytes, positive
     * @return its address, aligned to at least 512 bytes, or {@link #OUT_OF_MEMORY}
     */
    long allocate(long bytes);

    /**
     * Returns a segment to the device. Waits for work that still uses it, as cuMemFree does.
     *
     * @param address
     *            what {@link #allocate} returned
     * @throws DeviceException
     *             if no segment starts there
     */
    void free(long address);

    /** {@return the size in bytes of which mapped ranges are multiples (2 MiB on CUDA devices)} */
    long granularity();

    /**
     * Reserves a range of addresses with no memory behind it.
     *
     * @param bytes
     *            a positive multiple of {@link #granularity}
     * @return its first address, or {@link #OUT_OF_MEMORY} when the address space is exhausted
     */
    long reserve(long bytes);

    /**
     * Puts memory behind part of a reserved range.
     *
     * @param address
     *            start, a multiple of {@link #granularity} within a reserved range, not yet mapped
     * @param bytes
     *            a positive multiple of {@link #granularity}
     * @return false if the device has no room; then nothing was mapped
     */
    boolean map(long address, long bytes);

    /**
     * Takes the memory behind a range back; its contents are lost, the addresses stay reserved.
     *
     * @param address
     *            the start of a granule that was mapped
     * @param bytes
     *            a positive multiple of {@link #granularity}; the whole range must be mapped, by one or several calls of
     *            {@link #map} whose ranges it covers exactly or in part
     */
    void unmap(long address, long bytes);

    /**
     * Gives a reserved range of addresses up. Nothing in it may be mapped.
     *
     * @param address
     *            what {@link #reserve} returned
     * @param bytes
     *            what {@link #reserve} was asked for
     */
    void release(long address, long bytes);

    /** {@return bytes that are free on the device now, by its own account (cuMemGetInfo)} */
    long freeBytes();

    /** {@return bytes of memory that the device has} */
    long totalBytes();
}

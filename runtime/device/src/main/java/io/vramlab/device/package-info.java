/**
 * What any device must do.
 *
 * <p>
 * A device is four things behind one small interface, {@link io.vramlab.device.DeviceDriver}:
 * <ul>
 * <li>memory, {@link io.vramlab.device.DeviceMemory}: segments allocated whole, or address ranges reserved and then
 * mapped granule by granule;</li>
 * <li>order, {@link io.vramlab.device.DeviceStreams}: streams, events, and errors that may come late;</li>
 * <li>copies, {@link io.vramlab.device.DeviceCopies}: between the host and the device, and pinned memory;</li>
 * <li>kernels: the arithmetic.</li>
 * </ul>
 *
 * <p>
 * The caching allocator talks only to the memory part and to events, so the very same allocator code runs over the CUDA
 * driver, the simulated GPU, a recorded list of addresses (tests) and a shapes-only device (planning). One contract
 * test class runs over every implementation.
 *
 * <p>
 * Addresses are plain {@code long}s in the device's own address space; 0 is never a valid address. Streams and events
 * are {@code long} handles; stream 0 is the default stream, as in CUDA. Sizes are bytes.
 */
package io.vramlab.device;

/**
 * The simulated GPU: any capacity, real values, no hardware.
 *
 * <p>
 * Memory is one sparse mapping of the host ({@link io.vramlab.device.internal.sim.SparseBacking}): an 80 GiB device starts at once
 * and takes no memory until it is touched; freed segments go back to the host. Addresses and capacity follow
 * {@link io.vramlab.device.internal.model}. Kernels run on the calling thread, through whatever
 * {@link io.vramlab.device.KernelsProvider} is present.
 *
 * <p>
 * Order and errors are a GPU's: work of a stream runs in order, streams wait for one another through events, copies from
 * pinned memory can be made to run late ({@link io.vramlab.device.Simulation#deferPinnedCopies}), and a fault found by a
 * kernel is told of late and then for ever ({@link io.vramlab.device.internal.sim.FaultBox}), until
 * {@link io.vramlab.device.Simulation#reset}. Work whose thread is interrupted stops, and what waits in the streams behind
 * it is not run; PyTorch has no such thing, its kernels run to their end.
 */
package io.vramlab.device.internal.sim;

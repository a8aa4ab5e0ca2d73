/**
 * The Jupyter kernel: answers requests, runs cells.
 *
 * <p>
 * {@link io.vramlab.kernel.KernelMain} reads the connection file and starts a {@link io.vramlab.kernel.Kernel}. Two threads
 * answer requests: one the shell's, in order, cells among them; one the control channel's, so that interrupt, shutdown and
 * kernel_info are answered while a cell runs. JShell is made on a third thread while the first messages are already
 * answered; a cell that comes early waits for it.
 *
 * <p>
 * A cell goes through these steps: scan for magics ({@link io.vramlab.kernel.internal.magic}), compile and run its Java
 * ({@link io.vramlab.kernel.internal.eval}), publish output ({@link io.vramlab.kernel.internal.io}) and value
 * ({@link io.vramlab.kernel.internal.display}), let go of replaced variables, tell the listeners ({@link io.vramlab.kernel.spi}),
 * reply.
 */
package io.vramlab.kernel;

/**
 * The arithmetic of the simulated GPU and of the CPU device: {@link io.vramlab.device.Kernels} in plain Java.
 *
 * <h2>How a kernel works here</h2> An operand is looked at through a {@link io.vramlab.device.internal.cpu.kernels.cells.View}, which
 * hides dtype and strides: it copies any run of its elements, counted in row-major order, into a {@code float[]},
 * {@code double[]} or {@code long[]} of at most {@link io.vramlab.device.internal.cpu.kernels.cells.Tiles#TILE} elements, and back. A
 * kernel is then three steps over tiles that stay in the first-level cache: read, compute on arrays, write. Reading
 * rounds nothing, computing happens in the operation's own type, writing rounds once.
 *
 * <h2>In which type is computed</h2> As in PyTorch: float for float16, bfloat16 and float32; double for float64; long
 * for integers and bool, of which the low bits are stored. Sums of floats are gathered in double, which is at least as
 * exact as PyTorch's. Casts from floating types to integers cut towards zero; a cast to bool asks for not zero.
 *
 * <h2>The same bits every time</h2> Work is split over the cores so that each output is computed by one thread, and
 * long sums are cut into chunks whose size depends on the shape alone and which are added up in order. How many cores
 * there are, and when they run, changes nothing in the result.
 *
 * <h2>Interrupts</h2> Every few milliseconds a kernel looks whether the thread that called it was interrupted
 * ({@link io.vramlab.device.Interruptible}), and if so stops with an
 * {@link io.vramlab.device.InterruptedWorkException}, on all threads that share the work. What it was to write then has no
 * defined values.
 *
 * <h2>Faults</h2> What only the data shows, such as an index out of range, goes to the {@code faults} consumer that the
 * device gave; nothing outside the operands is read or written, and no exception leaves a kernel for it.
 */
package io.vramlab.device.internal.cpu.kernels;

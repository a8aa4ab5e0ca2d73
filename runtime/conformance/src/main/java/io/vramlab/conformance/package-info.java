/**
 * Judges tensors, autograd and optimizers against recordings of PyTorch: random programs, single operations, reductions.
 *
 * <p>
 * A recording says what PyTorch's allocator held after each statement and at most during it. The same statements are run
 * here on a simulated device with the recorded GPU's processor figures, and the differences counted. Nothing recorded
 * flows into a run: recorded numbers are only compared with.
 */
package io.vramlab.conformance;

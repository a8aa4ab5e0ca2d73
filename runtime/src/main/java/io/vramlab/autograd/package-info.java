/**
 * Backward: PyTorch's engine, and the regions that switch recording.
 *
 * <p>
 * Operations record {@link io.vramlab.tensor.Node}s as they run; {@link io.vramlab.autograd.Engine} walks them. Three
 * things about it decide how much memory a training step takes, and are PyTorch's to the byte: saved tensors are let go
 * right after their node has run, a gradient that nobody else holds becomes the leaf's gradient without a copy, and
 * gradients that meet are summed in place where nobody could notice.
 */
package io.vramlab.autograd;

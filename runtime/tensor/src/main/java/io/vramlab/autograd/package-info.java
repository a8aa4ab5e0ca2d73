/**
 * What torch.autograd offers around backward: gradients for some tensors alone, the regions that switch recording, and
 * checkpoints. The graph and the engine that walks it are {@link io.vramlab.tensor}'s.
 */
package io.vramlab.autograd;

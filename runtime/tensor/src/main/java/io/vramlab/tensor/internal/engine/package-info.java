/**
 * Backward: PyTorch's engine on one thread. Begin at {@link io.vramlab.tensor.internal.engine.BackwardEngine}; a
 * {@link io.vramlab.tensor.internal.engine.Backward} is one pass, {@link io.vramlab.tensor.internal.engine.ReadyQueue} decides which node is
 * next, {@link io.vramlab.tensor.internal.engine.GradientSum} how two gradients meet. The order of everything that allocates or frees
 * is PyTorch's (torch/csrc/autograd/engine.cpp), because peaks hang on it.
 */
package io.vramlab.tensor.internal.engine;

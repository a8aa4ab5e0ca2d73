/**
 * Optimizers: what turns gradients into new parameter values, with the memory of PyTorch's {@code torch.optim}.
 *
 * <p>
 * Each has up to three forms with equal results and different temporaries:
 * <ul>
 * <li><b>for-loop</b>: one parameter after the other; an Adam step needs two or three tensors the size of the largest
 * parameter on top;
 * <li><b>foreach</b> (the default on a GPU): one launch per operation for all parameters; an Adam step needs a list of
 * square roots the size of <em>all</em> parameters on top, which is why memory peaks in {@code step()};
 * <li><b>fused</b>: one launch in all, no temporaries.
 * </ul>
 * State (momentum buffers, Adam's moments) is made in the first step, not in the constructor: a training loop's second
 * step starts from a higher level than its first.
 */
package io.vramlab.optim;

/**
 * Distributions as {@code torch.distributions} has them: parameters are tensors, a draw is {@code sample} or, with gradients,
 * {@code rsample}, and {@code logProb}, {@code entropy}, {@code mean} and their like are computed by PyTorch's formulas, one temporary
 * for each of its. Parameters and values are checked unless that is switched off, which costs a mask and a moment of waiting each,
 * there as here.
 *
 * <pre>
 * var policy = new Categorical(null, net.call(state));
 * var action = policy.sample();
 * var loss = policy.logProb(action).mul(advantage).mean().neg();
 * </pre>
 *
 * <p>
 * A distribution holds its parameters, what it has computed of them once, and what its transforms remember; woven code lets go of it as
 * CPython does. Elsewhere close it, or leave it to the collector.
 */
package io.vramlab.distributions;

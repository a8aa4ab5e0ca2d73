/**
 * What folds many elements into one: sums, means, norms, extremes and where they are, variances. Which elements belong
 * together is {@link io.vramlab.device.internal.cpu.kernels.reduce.Axes}.
 */
package io.vramlab.device.internal.cpu.kernels.reduce;

/**
 * What folds many elements into one: sums, means, norms, extremes and where they are, variances. Which elements belong
 * together is {@link io.vramlab.device.cpu.kernels.reduce.Axes}.
 */
package io.vramlab.device.cpu.kernels.reduce;

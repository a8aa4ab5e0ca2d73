/**
 * What takes elements from where an index says, or puts them there, and what sorts.
 */
package io.vramlab.device.internal.cpu.kernels.index;

/**
 * Functions of one number and of a vector of them: exact copies in plain Java, and the same through the Vector API once it is
 * loaded. Both give the same bits; tests hold that.
 */
package io.vramlab.device.internal.cpu.kernels.math;

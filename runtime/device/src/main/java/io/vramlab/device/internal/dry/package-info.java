/**
 * The shapes-only device: addresses and accounts like any GPU's, and no values. A model far larger than this machine can
 * be planned on it in milliseconds: the allocator, its statistics and its failures are exact, because they never depend on
 * values. Reading a value back is an error that says so.
 */
package io.vramlab.device.internal.dry;

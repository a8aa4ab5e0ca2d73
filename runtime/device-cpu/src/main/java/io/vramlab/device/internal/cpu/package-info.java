/**
 * Host memory as a device: what a CPU tensor lives on. Addresses are the host's own, memory comes from the C library,
 * work runs at once on the calling thread, errors come at once, and there is one stream.
 */
package io.vramlab.device.internal.cpu;

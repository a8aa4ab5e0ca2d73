/**
 * Judges the allocator against traces of PyTorch's: thousands of operations, each with the statistics after it, at the end
 * every segment and block. {@link io.vramlab.conformance.trace.TraceConformance} is the door. The recorded driver's
 * addresses flow into the run ({@link io.vramlab.conformance.trace.RecordedMemory}), because between equal blocks the one
 * at the lower address is taken; on another device's own addresses what differs for that reason is counted apart.
 */
package io.vramlab.conformance.trace;

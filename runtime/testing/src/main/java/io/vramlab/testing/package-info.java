/**
 * A regression test of memory that needs no GPU: {@link io.vramlab.testing.GpuMemory} on a JUnit test promises how much the
 * program takes at most. What the allocator does on a GPU is known to the byte, so the promise may be as tight as one likes
 * and the test does not flicker. The program is the test's own Java, or a PyTorch program that {@code vramlab_trace.py} recorded.
 */
package io.vramlab.testing;

/**
 * The allocator's speed in short, without a benchmark harness: the same loops that the recorder measured PyTorch's C++
 * allocator with, under the same names.
 */
package io.vramlab.memory.internal.bench;

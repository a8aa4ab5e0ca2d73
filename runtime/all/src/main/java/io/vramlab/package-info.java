/**
 * The whole runtime under one name: whoever depends on {@code vramlab-runtime} has every device, the allocator, tensors
 * and what trains them. Start at {@code io.vramlab.tensor.Tensor} for what computes, at {@code io.vramlab.memory.Cuda}
 * for what is allocated, at {@code io.vramlab.device.Device} for where. The modules below it can be had one by one: a
 * program that only simulates an allocator needs {@code vramlab-allocator}, and one that only plans needs no
 * {@code vramlab-device-cuda}.
 */
package io.vramlab;

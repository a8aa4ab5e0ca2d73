/**
 * What the caching allocator keeps its books in: segments that the device gave, the blocks they are cut into, pools of free
 * ones in the order of PyTorch's std::set, and private pools. Nothing here decides: which block is taken, cut or merged is
 * for the classes of {@code io.vramlab.memory}. Internal; programs see {@code SegmentInfo} and {@code BlockInfo}.
 */
package io.vramlab.memory.internal.block;

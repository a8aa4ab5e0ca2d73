package io.vramlab.memory;

/**
 * One block of a segment as a snapshot shows it.
 *
 * @param address
 *            first byte
 * @param size
 *            bytes
 * @param requested
 *            bytes that its owner asked for; of an inactive block, what the last owner of PyTorch's block object asked for
 * @param state
 *            handed out, pending or cached
 * @param site
 *            call site of the allocation, 0 when unknown
 */
public record BlockInfo(long address, long size, long requested, BlockState state, int site) {
}

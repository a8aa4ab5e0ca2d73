package io.vramlab.plan;

/**
 * A part of the peak.
 *
 * @param holder
 *            what holds it, as {@code parameters} or {@code activations of GPT.blocks.0}
 * @param bytes
 *            as allocated, in blocks
 * @param count
 *            of blocks
 */
public record Share(String holder, long bytes, int count) {
}

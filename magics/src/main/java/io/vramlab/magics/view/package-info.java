/**
 * A page on which a history can be looked at: one file, no network, no library. Every block is a rectangle from its
 * allocation to its free, at its address; above it, what was allocated and reserved.
 *
 * <p>
 * {@link io.vramlab.magics.view.Blocks} reads a history into columns of numbers, {@link io.vramlab.magics.view.Page} packs
 * them beside the script that draws. The script draws into pixels of its own and moves what it has drawn when the picture
 * is panned, so that a frame costs the strip that appears, not the million blocks that there are.
 */
package io.vramlab.magics.view;

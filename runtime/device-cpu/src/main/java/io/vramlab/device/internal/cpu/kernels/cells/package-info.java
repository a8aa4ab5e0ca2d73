/**
 * Numbers in memory as arithmetic sees them: strided views of cells of each dtype, tiles of them that fit a cache, and the
 * threads that share the work. Half types are widened on the way in and rounded on the way out.
 */
package io.vramlab.device.internal.cpu.kernels.cells;

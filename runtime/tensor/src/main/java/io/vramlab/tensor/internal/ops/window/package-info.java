/**
 * Convolutions, pools, resizing: what moves a window over [n, channels, …]. Begin at
 * {@link io.vramlab.tensor.internal.ops.window.Convolutions}; the workspaces of cuDNN are rules of {@link io.vramlab.footprint}.
 */
package io.vramlab.tensor.internal.ops.window;

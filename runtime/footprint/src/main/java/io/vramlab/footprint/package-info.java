/**
 * What PyTorch 2.11 takes from its allocator inside an operation, besides the result: scratch of kernels and workspaces of
 * libraries. These are rules about PyTorch, not about this runtime, whose own kernels mostly need nothing of the kind; the
 * tensor layer takes what a rule says and gives it back, so that peaks and sequences are PyTorch's.
 *
 * <p>
 * Nothing is allocated here and no tensor is known: a rule is arithmetic over shapes and {@link
 * io.vramlab.device.DeviceProperties}, and its answer a {@link io.vramlab.footprint.Footprint}, an ordered list of what is
 * taken and given back. {@link io.vramlab.footprint.Rule} names each rule with its place in PyTorch's source, the version,
 * and whether it was derived from that source or fitted to recordings of one architecture. docs/footprint.md tells the
 * rules in words.
 */
package io.vramlab.footprint;

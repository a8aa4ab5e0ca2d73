/**
 * What a PyTorch program would need on a GPU, from a recording made on a machine without one.
 *
 * <p>
 * {@code install/vramlab_trace.py} records the program: each operation as it is dispatched, each storage from the operation
 * that makes it to its release. {@link io.vramlab.plan.ProgramTrace} reads that. {@link io.vramlab.plan.Footprints} says
 * what each operation takes besides its results (workspaces, scratch, temporaries), by the rules of docs/footprint.md;
 * {@link io.vramlab.plan.Script} is the sequence of allocations and frees that follows, and {@link io.vramlab.plan.Plan}
 * replays it in the caching allocator on a device of which only addresses exist. Operations that no rule names are counted
 * with their results alone, and told.
 */
package io.vramlab.plan;

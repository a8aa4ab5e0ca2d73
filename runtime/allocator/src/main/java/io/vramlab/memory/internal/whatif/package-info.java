/**
 * What if: a recorded history of allocations is replayed under other settings, on a GPU of another size, or without a
 * cache, and says how much would have been reserved and whether it would have fitted. {@link io.vramlab.memory.internal.whatif.WhatIf}
 * is the door; it reads a snapshot's trace, makes a {@link io.vramlab.memory.internal.whatif.ReplayScript} of it, and runs that.
 */
package io.vramlab.memory.internal.whatif;

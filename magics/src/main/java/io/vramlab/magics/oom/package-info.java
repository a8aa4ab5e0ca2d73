/**
 * Why an allocation failed, and what would have helped. A {@link io.vramlab.magics.oom.Failure} is what was true at that
 * moment. A {@link io.vramlab.magics.oom.StateCopy} is a second allocator in the same state, block by block, on memory
 * that does not exist: whatever is advised was first tried there, with the request that had failed.
 */
package io.vramlab.magics.oom;

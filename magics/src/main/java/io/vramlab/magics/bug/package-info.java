/**
 * Allocation histories kept in the notebook itself, so that a saved notebook can be replayed without being run.
 *
 * <p>
 * {@link io.vramlab.magics.bug.HistoryRecorder} follows the allocators while it is on; after each cell a
 * {@link io.vramlab.magics.bug.RecordedPart} per GPU is shown, whose form in the file is
 * {@code application/vnd.vramlab.history+json}. It holds sizes and the order of events: no addresses, times, stacks, values or
 * names of anything of the user's.
 */
package io.vramlab.magics.bug;

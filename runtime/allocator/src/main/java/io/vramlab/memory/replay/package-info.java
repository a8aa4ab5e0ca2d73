/**
 * Replays of recorded allocator histories: against the recording itself ({@link
 * io.vramlab.memory.replay.TraceConformance}), and under other settings.
 */
package io.vramlab.memory.replay;

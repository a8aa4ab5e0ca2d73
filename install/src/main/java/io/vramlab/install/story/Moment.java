package io.vramlab.install.story;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;

import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;

/** Blocks in use and memory held from the driver at one moment of a history. */
public final class Moment {

    /** Blocks begin at multiples of this many bytes, the allocator's smallest block. */
    private static final long GRAIN = 512;

    private final TreeMap<Long, Held> blocks;
    private final TreeMap<Long, Long> segments;
    /** The pieces of expandable segments among them: only these make one hole where they meet. */
    private final Set<Long> mapped = new HashSet<>();
    /** The stream that a segment serves, where the history tells. */
    private final Map<Long, Long> streams = new HashMap<>();
    /** Segments of private pools, by what the snapshot's end tells. */
    private final Set<Long> isPrivate;
    /** Those among them that no CUDA graph was captured in. */
    private final Set<Long> isUsers;
    /** Blocks that were freed and wait for other streams. */
    private final Set<Long> waiting = new HashSet<>();
    private long live;
    private long reserved;

    /**
     * A block in use.
     *
     * @param bytes what was requested
     * @param site its call site, 0 when unknown
     * @param event the event that allocated it, -1 when that was before the history
     */
    public record Held(long bytes, int site, int event) {
    }

    /**
     * Cached memory.
     *
     * @param bytes all of it
     * @param holes in how many pieces
     * @param largest bytes of the largest piece
     */
    public record Cached(long bytes, int holes, long largest) {
    }

    private int applied;

    Moment(Map<Long, Held> blocks, Map<Long, Long> segments, Set<Long> isPrivate, Set<Long> isUsers) {
        this.isPrivate = isPrivate;
        this.isUsers = isUsers;
        this.blocks = new TreeMap<>(blocks);
        this.segments = new TreeMap<>(segments);
        live = blocks.values().stream().mapToLong(Held::bytes).sum();
        reserved = segments.values().stream().mapToLong(Long::longValue).sum();
    }

    Moment copy() {
        Moment copy = new Moment(blocks, segments, isPrivate, isUsers);
        copy.mapped.addAll(mapped);
        copy.streams.putAll(streams);
        copy.waiting.addAll(waiting);
        return copy;
    }

    boolean holds(long address) {
        return blocks.containsKey(address);
    }

    boolean hasSegment(long address) {
        return segments.containsKey(address);
    }

    /** Requested bytes in use. */
    public long live() {
        return live;
    }

    /** Requested bytes, counted as in use, that were freed and wait until other streams have read them. */
    public long waiting() {
        return waiting.stream().map(blocks::get).filter(Objects::nonNull).mapToLong(Held::bytes).sum();
    }

    /** The events that allocated what was freed and waits, in order; -1 for what was there before the history. */
    public int[] waitingEvents() {
        return waiting.stream().map(blocks::get).filter(Objects::nonNull).mapToInt(Held::event).sorted().toArray();
    }

    /** Bytes held from the driver. */
    public long reserved() {
        return reserved;
    }

    /** The blocks in use, by address. */
    public Map<Long, Held> blocks() {
        return Map.copyOf(blocks);
    }

    /** Bytes of what is held from the driver, by address; of expandable segments in pieces as they were mapped. */
    public Map<Long, Long> segments() {
        return Map.copyOf(segments);
    }

    /** Whether an address lies in a private pool's segment. */
    public boolean isInPrivatePool(long address) {
        Map.Entry<Long, Long> segment = segments.floorEntry(address);
        return segment != null && isPrivate.contains(segment.getKey());
    }

    /** Whether an address lies in a segment of a {@code torch.cuda.MemPool} of the program's. */
    public boolean isInPoolOfItsOwn(long address) {
        return isUsers.contains(segmentOf(address));
    }

    /** The segment that holds an address; -1 where none does. */
    private long segmentOf(long address) {
        Map.Entry<Long, Long> segment = segments.floorEntry(address);
        return segment != null && address < segment.getKey() + segment.getValue() ? segment.getKey() : -1;
    }

    void apply(TraceEntry event) {
        switch (event.action()) {
            case ALLOC -> {
                Held before = blocks.put(event.address(), new Held(event.size(), event.site(), applied));
                live += event.size() - (before == null ? 0 : before.bytes());
            }
            case FREE_COMPLETED -> {
                Held gone = blocks.remove(event.address());
                waiting.remove(event.address());
                live -= gone == null ? 0 : gone.bytes();
            }
            case SEGMENT_ALLOC, SEGMENT_MAP -> {
                segments.put(event.address(), event.size());
                streams.put(event.address(), event.stream());
                reserved += event.size();
                if (event.action() == TraceAction.SEGMENT_MAP) {
                    mapped.add(event.address());
                } else {
                    mapped.remove(event.address());
                }
            }
            case SEGMENT_FREE, SEGMENT_UNMAP -> {
                unmap(event.address(), event.size());
                reserved -= event.size();
            }
            case FREE_REQUESTED -> waiting.add(event.address());
            case SNAPSHOT, OOM -> {
                // nothing is held or given back
            }
        }
        applied++;
    }

    /** Takes a range out of what is held; an expandable segment's range may span several that were mapped one by one. */
    private void unmap(long from, long bytes) {
        long to = from + bytes;
        Map.Entry<Long, Long> before = segments.lowerEntry(from);
        if (before != null && before.getKey() + before.getValue() > from) {
            long end = before.getKey() + before.getValue();
            segments.put(before.getKey(), from - before.getKey());
            if (end > to) {
                keep(to, end - to, before.getKey());
            }
        }
        for (Map.Entry<Long, Long> inside : Map.copyOf(segments.subMap(from, to)).entrySet()) {
            segments.remove(inside.getKey());
            long end = inside.getKey() + inside.getValue();
            if (end > to) {
                keep(to, end - to, inside.getKey());
            }
        }
    }

    /** What is left of a piece behind a range that was unmapped. */
    private void keep(long address, long bytes, long piece) {
        segments.put(address, bytes);
        mapped.add(address);
        if (streams.containsKey(piece)) {
            streams.put(address, streams.get(piece));
        }
    }

    /** What is held from the driver and in nobody's use; pieces that meet, as parts of an expandable segment do, are one. */
    public Cached cached() {
        return cached(segment -> true);
    }

    /** The streams that segments were made for, as far as the history tells. */
    public Set<Long> streams() {
        return Set.copyOf(streams.values());
    }

    /** The part of {@link #cached()} that may serve requests of a stream outside of private pools. */
    public Cached cachedFor(long stream) {
        return cached(segment -> !isPrivate.contains(segment) && streams.getOrDefault(segment, stream) == stream);
    }

    /** The part of {@link #cached()} that belongs to pools that CUDA graphs were captured in. */
    public Cached cachedInGraphsPools() {
        return cached(segment -> isPrivate.contains(segment) && !isUsers.contains(segment));
    }

    /** The part of {@link #cached()} that belongs to a {@code torch.cuda.MemPool} of the program's, which serves what is asked for within it. */
    public Cached cachedInPoolsOfItsOwn() {
        return cached(isUsers::contains);
    }

    /** The part of {@link #cached()} that lies outside of every {@code torch.cuda.MemPool} of the program's. */
    public Cached cachedOutsideOfPoolsOfItsOwn() {
        return cached(segment -> !isUsers.contains(segment));
    }

    private Cached cached(LongPredicate counts) {
        long total = 0;
        long largest = 0;
        int holes = 0;
        long hole = 0;
        long at = -1;
        for (Map.Entry<Long, Long> segment : segments.entrySet()) {
            long end = segment.getKey() + segment.getValue();
            if (at >= end) {
                continue; // a block reaches over this whole piece
            }
            if (!counts.test(segment.getKey())) {
                holes += hole > 0 ? 1 : 0;
                hole = 0;
                at = end;
                continue;
            }
            if (segment.getKey() > at || !mapped.contains(segment.getKey())) {
                holes += hole > 0 ? 1 : 0;
                hole = 0;
            }
            at = Math.max(at, segment.getKey());
            for (Map.Entry<Long, Held> block : blocks.subMap(at, end).entrySet()) {
                hole += block.getKey() - at;
                total += block.getKey() - at;
                largest = Math.max(largest, hole);
                holes += hole > 0 ? 1 : 0;
                hole = 0;
                at = block.getKey() + (block.getValue().bytes() + GRAIN - 1) / GRAIN * GRAIN;
            }
            hole += Math.max(0, end - at);
            total += Math.max(0, end - at);
            largest = Math.max(largest, hole);
            at = Math.max(at, end);
        }
        return new Cached(total, holes + (hole > 0 ? 1 : 0), largest);
    }
}

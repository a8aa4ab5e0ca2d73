package io.vramlab.install.story;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

import io.vramlab.memory.TraceEntry;

/**
 * When each block of a history came and went, in the order in which they came. Kept in columns, since histories have millions
 * of them.
 */
public final class Lives {

    /** The end of a block that is still there when the history ends. */
    public static final int NEVER = Integer.MAX_VALUE;

    private long[] bytes = new long[256];
    private long[] streams = new long[256];
    private int[] sites = new int[256];
    private int[] born = new int[256];
    private int[] died = new int[256];
    private int count;

    private Lives() {
    }

    /** Those of a story. */
    public static Lives of(Story story) {
        Lives lives = new Lives();
        Map<Long, Integer> now = new HashMap<>();
        story.before().entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(held -> now.put(held.getKey(),
                lives.add(held.getValue().bytes(), held.getValue().site(), 0, -1)));
        for (int i = 0; i < story.events().size(); i++) {
            TraceEntry event = story.events().get(i);
            switch (event.action()) {
                case ALLOC -> {
                    Integer over = now.put(event.address(), lives.add(event.size(), event.site(), event.stream(), i));
                    lives.end(over, i);
                }
                case FREE_COMPLETED -> lives.end(now.remove(event.address()), i);
                default -> {
                    // no block comes or goes
                }
            }
        }
        // recorded with context="state": events have no stacks, and the blocks that are left have
        now.forEach((address, block) -> {
            if (lives.sites[block] == 0) {
                lives.sites[block] = story.siteAtEnd(address);
            }
        });
        return lives;
    }

    private int add(long size, int site, long stream, int event) {
        if (count == bytes.length) {
            int more = count + count / 2;
            bytes = Arrays.copyOf(bytes, more);
            streams = Arrays.copyOf(streams, more);
            sites = Arrays.copyOf(sites, more);
            born = Arrays.copyOf(born, more);
            died = Arrays.copyOf(died, more);
        }
        bytes[count] = size;
        streams[count] = stream;
        sites[count] = site;
        born[count] = event;
        died[count] = NEVER;
        return count++;
    }

    private void end(Integer block, int event) {
        if (block != null) {
            died[block] = event;
        }
    }

    /** How many blocks there were. */
    public int count() {
        return count;
    }

    /** Requested bytes of a block. */
    public long bytes(int block) {
        return bytes[block];
    }

    /** The stream that a block was asked for on; 0 where that was before the history. */
    public long stream(int block) {
        return streams[block];
    }

    /** The call site of a block, 0 when unknown. */
    public int site(int block) {
        return sites[block];
    }

    /** The event that made a block; -1 when that was before the history. */
    public int born(int block) {
        return born[block];
    }

    /** The event that ended a block; {@link #NEVER} when none did. */
    public int died(int block) {
        return died[block];
    }

    /** Whether a block is in use after an event. */
    public boolean aliveAt(int block, int event) {
        return born[block] <= event && died[block] > event;
    }

    /** The blocks in use after an event, oldest first. */
    public int[] aliveAt(int event) {
        return IntStream.range(0, count).filter(block -> aliveAt(block, event)).toArray();
    }

    /** Bytes of some blocks. */
    public long sum(int... blocks) {
        long sum = 0;
        for (int block : blocks) {
            sum += bytes[block];
        }
        return sum;
    }
}

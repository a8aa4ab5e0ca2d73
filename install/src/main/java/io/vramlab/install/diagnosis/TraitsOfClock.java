package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.vramlab.install.story.Lives;
import io.vramlab.memory.TraceEntry;

/**
 * What the times of the events say, of a history whose times were measured. After a block that is filled from the host's memory comes a
 * pause as long as that copy takes, 70 to 300 microseconds a MiB where PyTorch copies from memory that is not pinned (weights that were
 * moved or loaded); what is copied or filled on the GPU is only asked for, and the next event follows at once. A program that waits for
 * a result, reads its data or prints pauses between two turns of its loop.
 */
final class TraitsOfClock {

    private static final int FEWEST = 8;
    /** A clock that was made up has hardly more than one time between events. */
    private static final int TIMES = 3;
    /** Microseconds a MiB that only a copy from the host takes. */
    private static final double OF_HOST = 60;
    private static final long SHORTEST = 30;
    private static final double MIB = 1 << 20;
    private static final long SMALL = 1 << 18;
    /** So many usual times between events, and a millisecond, are a pause. */
    private static final double PAUSE = 40;
    private static final double MILLISECOND = 1000;
    /** Events after a pause in which no other begins. */
    private static final int NEAR = 3;
    private static final double SOMETHING = 0.002;
    private static final int SETS = 2;

    private final Evidence e;
    private final Lives lives;
    private final long[] gaps;

    private TraitsOfClock(Evidence e) {
        this.e = e;
        lives = e.lives();
        List<TraceEntry> events = e.story().events();
        gaps = IntStream.rangeClosed(0, e.at()).mapToLong(i -> i == 0
                ? 0
                : Math.max(0, events.get(i).timeMicros() - events.get(i - 1).timeMicros())).toArray();
    }

    static void add(Traits to, Evidence e) {
        TraitsOfClock clock = new TraitsOfClock(e);
        boolean known = clock.gaps.length > FEWEST && Arrays.stream(clock.gaps).distinct().limit(TIMES + 1)
                .count() > TIMES;
        to.put("clock", known);
        clock.ofHost(to, known);
        clock.ofPauses(to, known);
    }

    private void ofHost(Traits to, boolean known) {
        int[] before = e.ledger().before();
        int[] host = known ? e.alive(this::isFromHost) : new int[0];
        int[] late = Arrays.stream(host).filter(block -> Arrays.binarySearch(before, block) < 0).toArray();
        to.put("host", e.share(lives.sum(host)));
        to.put("host-late", e.share(lives.sum(late)));
        to.put("host-of-weights", Traits.part(lives.sum(host), SETS * (double) lives.sum(before)));
    }

    /** Whether so long passed after a block had come as a copy from the host takes. */
    private boolean isFromHost(int block) {
        int next = lives.born(block) + 1;
        return next > 0 && next < gaps.length && lives.bytes(block) >= SMALL && gaps[next] > SHORTEST
                && gaps[next] > OF_HOST * lives.bytes(block) / MIB;
    }

    private void ofPauses(Traits to, boolean known) {
        int work = Arrays.stream(e.ledger().before()).map(lives::born).max().orElse(-1) + 1;
        List<Integer> pauses = known ? pauses(Math.max(1, work)) : List.of();
        long[] left = new long[pauses.size() + 1];
        for (int block : e.alive(each -> known && lives.born(each) >= work)) {
            int found = Collections.binarySearch(pauses, lives.born(block));
            left[found >= 0 ? found + 1 : -found - 1] += lives.bytes(block);
        }
        long last = left[pauses.size()];
        long[] earlier = Arrays.copyOf(left, Math.max(0, pauses.size() - 1));
        to.count("pauses", pauses.size());
        to.put("pause-since", e.share(last));
        to.put("pause-left", e.share(Arrays.stream(left).sum() - last));
        to.put("pause-leaving", Traits.part(
                Arrays.stream(earlier).filter(bytes -> bytes > SOMETHING * e.needed()).count(), earlier.length));
        to.put("pause-regular", TraitsOfTurns.regularity(earlier));
    }

    private List<Integer> pauses(int from) {
        long[] sorted = Arrays.stream(gaps, 1, gaps.length).sorted().toArray();
        double pause = Math.max(PAUSE * Math.max(1, sorted[sorted.length / 2]), MILLISECOND);
        List<Integer> pauses = new ArrayList<>();
        for (int i = from; i < gaps.length; i++) {
            if (gaps[i] > pause && (pauses.isEmpty() || i - pauses.getLast() > NEAR)) {
                pauses.add(i);
            }
        }
        return pauses;
    }
}

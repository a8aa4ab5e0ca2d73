package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Moment;
import io.vramlab.install.story.Story;
import io.vramlab.memory.Sizes;
import io.vramlab.memory.TraceEntry;

/** What is free belongs to another stream or to a graph's pool, or waits for a stream. */
final class OthersCache implements Detector {

    /** Of what is reserved: each stream's cache, and all of these. */
    private static final double PART = 0.03;
    private static final double LEAST_CACHED = 0.3;
    private static final int SEVERAL = 3;
    private static final long LITTLE = 128L << 20;
    private static final double LEAST_WAITING = 0.3;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (e.failed()) {
            return switch (e.figures().other()) {
                case STREAMS -> Optional.of(found(e, CauseKind.STREAMS));
                case GRAPHS -> Optional.of(found(e, CauseKind.GRAPHS));
                default -> Optional.empty();
            };
        }
        Story story = e.story();
        Optional<Finding> spread = spread(e);
        if (spread.isPresent()) {
            return spread;
        }
        Moment peak = story.at(e.at());
        if (story.live(e.at()) == 0 || peak.waiting() < LEAST_WAITING * story.live(e.at())) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        int[] events = peak.waitingEvents();
        int[] waiting = e.alive(block -> Arrays.binarySearch(events, lives.born(block)) >= 0);
        return Optional.of(new Finding(CauseKind.STREAMS, Certainty.SURE, e.chiefLine(waiting, false), "", 1, List.of(
                Sizes.both(peak.waiting()) + " of " + Sizes.both(story.live(e.at()))
                        + " in use at the peak had been freed already and waited for another stream (record_stream)."),
                "", Blamed.NONE));
    }

    /** Nothing failed, and much lies cached, each part of it for one stream of several. */
    private static Optional<Finding> spread(Evidence e) {
        int at = ScatteredCache.fullest(e.story());
        Moment fullest = e.story().at(at);
        long reserved = fullest.reserved();
        long[] cached = fullest.streams().stream().mapToLong(stream -> fullest.cachedFor(stream).bytes())
                .filter(bytes -> bytes >= PART * reserved).toArray();
        long sum = Arrays.stream(cached).sum();
        long most = Arrays.stream(cached).max().orElse(0);
        if (cached.length < SEVERAL || sum < LEAST_CACHED * reserved || sum < LITTLE || 2 * most > sum) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        int[] ofStreams = IntStream.range(0, lives.count())
                .filter(block -> lives.born(block) >= 0 && lives.born(block) <= at && lives.stream(block) != 0)
                .toArray();
        return Optional.of(new Finding(CauseKind.STREAMS, Certainty.LIKELY, e.chiefLine(ofStreams, true), "", 0.95,
                List.of("At event " + Sizes.exact(at) + " " + Sizes.both(sum) + " of " + Sizes.both(reserved)
                        + " reserved lay cached for " + cached.length
                        + " streams, and what is cached for one serves no other."),
                "a run of the same work on one stream: how much that reserves", Blamed.NONE));
    }

    private static Finding found(Evidence e, CauseKind kind) {
        Moment moment = e.story().at(e.at());
        Moment.Cached pools = moment.cachedInPoolsOfItsOwn();
        if (kind == CauseKind.STREAMS && 2 * pools.bytes() > moment.cached().bytes()) {
            return new Finding(kind, Certainty.SURE, e.chiefLine(onceInPools(e, moment), false), "", 1,
                    List.of(Sizes.both(pools.bytes())
                            + " lay free in a pool that the program made (torch.cuda.MemPool),"
                            + " which serves only what is asked for within it."),
                    "", Blamed.NONE);
        }
        if (kind == CauseKind.STREAMS && Figures.isAskedInPoolOfItsOwn(e.story(), e.at(), moment)) {
            return new Finding(kind, Certainty.SURE, e.chiefLine(onceInPools(e, moment), true), "", 1,
                    List.of(Sizes.both(moment.cachedOutsideOfPoolsOfItsOwn().bytes())
                            + " lay free outside of the pool that the program made (torch.cuda.MemPool), and the request"
                            + " came from within it."),
                    "", Blamed.NONE);
        }
        TraceEntry failing = e.failing();
        Lives lives = e.lives();
        int[] others = e.alive(block -> lives.stream(block) != failing.stream());
        int[] blamed = kind == CauseKind.GRAPHS ? inPrivatePools(e) : others;
        String line = e.chiefLine(blamed.length > 0 ? blamed : others, false);
        return new Finding(kind, Certainty.SURE, line.isEmpty() ? e.failingPlace().inner() : line, "", 1,
                List.of("What was free would have been enough, had it been this stream's and no graph's."), "",
                Blamed.of(blamed));
    }

    /** What was ever asked for in pools of the program's, there still or not: of what is cached there somebody was the first. */
    private static int[] onceInPools(Evidence e, Moment moment) {
        Lives lives = e.lives();
        return IntStream.range(0, lives.count())
                .filter(block -> lives.born(block) >= 0 && lives.born(block) <= e.at()
                        && moment.isInPoolOfItsOwn(e.story().events().get(lives.born(block)).address()))
                .toArray();
    }

    private static int[] inPrivatePools(Evidence e) {
        Moment moment = e.story().at(e.at());
        Lives lives = e.lives();
        int[] born = moment.blocks().entrySet().stream().filter(block -> moment.isInPrivatePool(block.getKey()))
                .mapToInt(block -> block.getValue().event()).sorted().toArray();
        return e.alive(block -> Arrays.binarySearch(born, lives.born(block)) >= 0 && lives.born(block) >= 0);
    }
}

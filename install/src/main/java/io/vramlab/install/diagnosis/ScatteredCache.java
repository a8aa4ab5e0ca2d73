package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Moment;
import io.vramlab.install.story.Story;
import io.vramlab.memory.Sizes;

/**
 * Enough is cached in pieces that do not fit. Either segments are held by a few blocks in them that stay for long, or the sizes
 * of what a line asks for change from step to step.
 */
final class ScatteredCache implements Detector {

    /** Segments of which less than this share is in use are held by what is in them. */
    private static final double MOSTLY_FREE = 0.3;
    /** A line that asked for so many different sizes varies. */
    private static final int VARIES = 10;
    /** A size that is asked for within so short a part of the history only was one step's. */
    private static final double A_MOMENT = 0.1;
    /** Of the lines of the blocks that pin so many as there are now went before. */
    private static final double WENT = 0.2;
    /** ... having been there for so much of the time that these have. */
    private static final double AS_OLD = 0.25;
    /** Of the blocks that lie in mostly free segments so many have sizes of their own. */
    private static final double VARIED = 0.6;
    /** Without a failure: less reserved for nothing than this is usual. */
    private static final double LEAST_SLACK = 0.25;
    private static final long LITTLE = 128L << 20;
    /** Nor is this fault, where the driver never refused: a cache is as large as it may be. */
    private static final long MUCH = 1L << 30;
    /** What a failure counts that a little more room would have avoided. */
    private static final double NARROW = 0.55;
    /** So much of the room, left over with the request served, makes scatter the cause. */
    private static final double AMPLE = 0.15;
    /** Where most of what is reserved is in use, what is in use counts too. */
    private static final double PARTLY = 0.8;
    /** What grows without end outweighs scatter that nothing failed of. */
    private static final double MOST_WITHOUT_FAILURE = 0.85;
    /** What scatter counts of whose sizes nothing varies. */
    private static final double ALIKE_SIZES = 0.7;
    /** Of what is reserved, not in use: more than any cache's slack. */
    private static final double MOST_OF_IT = 0.5;
    private static final long LARGE = 1 << 20;
    private static final int PERCENT = 100;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (e.figures().other() != Figures.Cause.FRAGMENTATION) {
            return Optional.empty();
        }
        Story story = e.story();
        int at = e.failed() ? e.at() : fullest(story);
        Moment moment = story.at(at);
        long unused = moment.reserved() - moment.live();
        double share = moment.reserved() == 0 ? 0 : (double) unused / moment.reserved();
        // segments of 20 MiB for a few small blocks are no fault of anybody's
        boolean little = story.mostReserved(story.events().size() - 1) - story.live(story.peak()) < LITTLE;
        boolean pressed = !story.flushes().isEmpty();
        boolean much = unused >= MUCH && share >= MOST_OF_IT;
        // flushes give back what other sizes left: what was needed most was there all the same, and used most of what was held
        boolean served = pressed && story.reserved(e.at()) < story.live(e.at()) / (1 - MOST_OF_IT);
        if (!e.failed() && (share < LEAST_SLACK || served || !pressed && (little || !much))) {
            return Optional.empty();
        }
        if (clash(story.settings()) && share >= MOST_OF_IT) {
            return Optional.of(clashing(e, unused, moment.reserved(), at));
        }
        Set<Long> sizes = varied(e, at);
        Map<Long, Moment.Held> pins = pins(moment);
        long held = moment.segments().entrySet().stream().filter(s -> pins.keySet().stream()
                .anyMatch(block -> block >= s.getKey() && block < s.getKey() + s.getValue()))
                .mapToLong(Map.Entry::getValue).sum();
        int[] blocks = pinning(e, pins);
        boolean pinned = held - pins.values().stream().mapToLong(Moment.Held::bytes).sum() >= unused / 2;
        String slack = Sizes.both(unused) + " of " + Sizes.both(moment.reserved())
                + " reserved were not in use at event " + Sizes.exact(at) + ".";
        // the less was missing, the more the need itself is the cause
        double spare = !e.failed()
                ? 0
                : (double) (Figures.room(story, at) - story.live(at) - e.asked())
                        / Math.max(1, Figures.room(story, at));
        boolean ample = isAmple(e);
        double weight = e.failed()
                ? ample ? share >= MOST_OF_IT ? 1 : PARTLY : NARROW + Math.max(0, spare)
                : Math.min(MOST_WITHOUT_FAILURE, 2 * share);
        // what stays of each step has that step's sizes: no kind of blocks that pins, but the sizes that vary
        boolean varied = sizes.size() >= VARIES && goOn(e, blocks, at)
                && Arrays.stream(blocks).mapToLong(e.lives()::bytes)
                        .filter(bytes -> bytes > LARGE).distinct().count() >= Math.max(2, VARIED * blocks.length);
        boolean pile = staysAll(e, blocks);
        List<HeldSegments.Held> holders = e.failed() ? HeldSegments.of(moment) : List.of();
        boolean told = HeldSegments.areTold(holders, at);
        if (told && HeldSegments.areAlike(holders)) {
            return Optional.of(byAlike(e, holders, weight, ample, slack));
        }
        if (!told && pinned && !varied && !ofOneStep(e, blocks) && (pile || sizes.size() < VARIES || e.failed())) {
            return Optional.of(pinned(e, weight, ample, blocks, List.of(slack,
                    lie(pins.size(), pins.values().stream().mapToLong(Moment.Held::bytes).sum(), held, "mostly"))));
        }
        if (!e.failed() && sizes.size() < VARIES) {
            return Optional.empty(); // a cache's usual slack
        }
        boolean vary = sizes.size() >= VARIES;
        return Optional.of(new Finding(CauseKind.FRAGMENTATION_SIZES,
                vary && (!e.failed() || ample) ? Certainty.LIKELY : Certainty.UNSURE, variedLine(e, at), "",
                vary ? weight : weight * ALIKE_SIZES,
                vary
                        ? List.of(slack, "Requests above 1 MiB had " + sizes.size()
                                + " different sizes; a block that is cached serves smaller ones badly and larger ones not at all.")
                        : List.of(slack), // it lies scattered, and why is not seen
                "a history with stacks that reaches back to the program's start", Blamed.NONE));
    }

    private static Finding byAlike(Evidence e, List<HeldSegments.Held> holders, double weight, boolean ample,
            String slack) {
        Map<Long, Moment.Held> inside = new HashMap<>();
        holders.forEach(each -> each.holders().forEach(block -> inside.put((long) block.event(), block)));
        return pinned(e, weight, ample, pinning(e, inside), List.of(slack,
                lie(HeldSegments.count(holders), holders.stream().mapToLong(each -> each.bytes() - each.free()).sum(),
                        holders.stream().mapToLong(HeldSegments.Held::bytes).sum(), "partly"),
                "Of these " + Math.round(PERCENT * HeldSegments.sizes(holders))
                        + " in 100 have a size of their own; of sizes that vary hardly two would be alike."));
    }

    private static String lie(long blocks, long bytes, long segments, String how) {
        return blocks + " blocks of " + Sizes.both(bytes) + " in all lie in segments of " + Sizes.both(segments)
                + " that are else " + how + " free: while they stay, these cannot be given back.";
    }

    private static Finding pinned(Evidence e, double weight, boolean ample, int[] blocks, List<String> because) {
        return new Finding(CauseKind.FRAGMENTATION_PINNED,
                e.failed() && !ample ? Certainty.UNSURE : Certainty.LIKELY, e.chiefLine(blocks, false), "", weight,
                because, e.hasStacks()
                        ? "a run with expandable_segments:True: whether it gets through"
                        : Evidence.stacksWanted(),
                Blamed.of(blocks));
    }

    /** Whether a request failed that had room to spare: what is free lies in pieces, and that is the cause whatever else is in use. */
    static boolean isAmple(Evidence e) {
        if (!e.failed() || e.figures().other() != Figures.Cause.FRAGMENTATION) {
            return false;
        }
        long room = Figures.room(e.story(), e.at());
        long spare = room - e.story().live(e.at()) - e.asked();
        long reserved = e.story().reserved(e.at());
        return spare >= AMPLE * room || spare > 0 && reserved - e.story().live(e.at()) >= MOST_OF_IT * reserved;
    }

    /** Whether blocks of the lines that pin were let go of before: the next ones will be too. */
    private static boolean goOn(Evidence e, int[] blocks, int at) {
        Lives lives = e.lives();
        Set<Integer> sites = new HashSet<>();
        Arrays.stream(blocks).forEach(block -> sites.add(lives.site(block)));
        int age = Arrays.stream(blocks).map(block -> at - lives.born(block)).sorted().skip(blocks.length / 2)
                .findFirst().orElse(0);
        long gone = IntStream.range(0, lives.count())
                .filter(block -> lives.died(block) <= at && sites.contains(lives.site(block))
                        && lives.died(block) - lives.born(block) >= AS_OLD * age)
                .count();
        return e.hasStacks() && gone >= WENT * blocks.length;
    }

    private static boolean clash(String settings) {
        return settings.contains("expandable_segments:True") && settings.contains("max_split_size_mb:");
    }

    private static Finding clashing(Evidence e, long unused, long reserved, int at) {
        return new Finding(CauseKind.FRAGMENTATION_PINNED, Certainty.LIKELY, e.chiefLine(e.alive(), false), "", 1,
                List.of(Sizes.both(unused) + " of " + Sizes.both(reserved) + " reserved were not in use at event "
                        + Sizes.exact(at)
                        + ".",
                        "It was recorded with max_split_size_mb and expandable_segments:True together: what was freed in an"
                                + " expandable segment and is larger than max_split_size serves no smaller request"
                                + " (pytorch issue 123548)."),
                "a run with one of the two settings", Blamed.NONE);
    }

    static int fullest(Story story) {
        int fullest = 0;
        for (int i = 0; i < story.events().size(); i++) {
            long slack = story.reserved(i) - story.live(i);
            fullest = story.reserved(i) > story.reserved(fullest)
                    || story.reserved(i) == story.reserved(fullest)
                            && slack > story.reserved(fullest) - story.live(fullest)
                                    ? i
                                    : fullest;
        }
        return fullest;
    }

    /** The blocks in segments that are mostly free. */
    private static Map<Long, Moment.Held> pins(Moment moment) {
        TreeMap<Long, Moment.Held> blocks = new TreeMap<>(moment.blocks());
        Map<Long, Moment.Held> pins = new HashMap<>();
        moment.segments().forEach((from, bytes) -> {
            Map<Long, Moment.Held> inside = blocks.subMap(from, from + bytes);
            long used = inside.values().stream().mapToLong(Moment.Held::bytes).sum();
            if (used > 0 && used < MOSTLY_FREE * bytes && bytes > 2 * LARGE) {
                pins.putAll(inside);
            }
        });
        return pins;
    }

    private static int[] pinning(Evidence e, Map<Long, Moment.Held> pins) {
        Set<Integer> born = new HashSet<>();
        pins.values().forEach(held -> born.add(held.event()));
        Lives lives = e.lives();
        return IntStream.range(0, lives.count())
                .filter(block -> lives.born(block) >= 0 && born.contains(lives.born(block)))
                .toArray();
    }

    /**
     * Whether what holds segments are many blocks of one size that came all along, none of which ever went: something small that is
     * kept of each turn. Of sizes that vary alone nothing stays.
     */
    private static boolean staysAll(Evidence e, int[] blocks) {
        Lives lives = e.lives();
        long bytes = blocks.length == 0 ? 0 : lives.bytes(blocks[blocks.length / 2]);
        int[] equal = Arrays.stream(blocks).filter(block -> lives.bytes(block) == bytes).toArray();
        if (equal.length < VARIES || equal.length < PARTLY * blocks.length) {
            return false;
        }
        long thirds = Arrays.stream(equal)
                .map(block -> (int) (3L * lives.born(block) / (e.story().events().size() + 1)))
                .distinct().count();
        return thirds == 3 && Arrays.stream(equal).allMatch(block -> lives.died(block) == Lives.NEVER)
                && IntStream.range(0, lives.count()).filter(block -> lives.bytes(block) == bytes
                        && lives.died(block) != Lives.NEVER).count() < WENT * blocks.length;
    }

    /** Whether most of what holds segments is the running step's own. */
    private static boolean ofOneStep(Evidence e, int[] blocks) {
        return 2 * Arrays.stream(blocks).filter(block -> Evidence.OF_A_STEP.contains(e.phase(block)))
                .count() > blocks.length;
    }

    /** The different sizes of large blocks that came and went; none when most come again all along, as equal steps have it. */
    private static Set<Long> varied(Evidence e, int at) {
        Lives lives = e.lives();
        Map<Long, Integer> first = new HashMap<>();
        Map<Long, Integer> last = new HashMap<>();
        for (int block = 0; block < lives.count() && lives.born(block) <= at; block++) {
            if (lives.bytes(block) > LARGE && lives.died(block) != Lives.NEVER && lives.born(block) >= 0) {
                first.putIfAbsent(lives.bytes(block), lives.born(block));
                last.put(lives.bytes(block), lives.born(block));
            }
        }
        long once = first.keySet().stream().filter(size -> last.get(size) - first.get(size) < A_MOMENT * (at + 1))
                .count();
        return 2 * once >= first.size() ? first.keySet() : Set.of();
    }

    /** The line whose sizes vary most, by bytes. */
    private static String variedLine(Evidence e, int at) {
        Lives lives = e.lives();
        Map<String, Set<Long>> sizes = new HashMap<>();
        Map<String, Long> bytes = new HashMap<>();
        for (int block = 0; block < lives.count() && lives.born(block) <= at; block++) {
            String line = e.place(block).outer();
            if (!line.isEmpty() && lives.bytes(block) > LARGE) {
                sizes.computeIfAbsent(line, l -> new HashSet<>()).add(lives.bytes(block));
                bytes.merge(line, lives.bytes(block), Long::sum);
            }
        }
        return bytes.entrySet().stream().filter(entry -> sizes.get(entry.getKey()).size() >= VARIES / 2)
                .max(Map.Entry.comparingByValue()).map(Map.Entry::getKey).orElse("");
    }
}

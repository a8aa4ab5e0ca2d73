package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/**
 * Says "certain" only where the history excludes what else could be the cause. A detector knows what it saw; whether that alone
 * explains the failure, and whether another detector explains as much by other blocks, is known when all have spoken.
 */
final class Rivals {

    /** Kinds that say the same of a history in other words. */
    private static final List<Set<CauseKind>> ONE_THING = List.of(
            EnumSet.of(CauseKind.ACTIVATIONS, CauseKind.LOGITS, CauseKind.ATTENTION, CauseKind.LIMIT),
            EnumSet.of(CauseKind.TWO_SETS, CauseKind.CHECKPOINT),
            EnumSet.of(CauseKind.OLD_AND_NEW, CauseKind.ONE_OPERATION, CauseKind.LIMIT));
    /** A finding of so much of the verdict's weight is a rival. */
    private static final double AS_WEIGHTY = 0.6;
    /** What was there before the history, and is not told from where it came, hides no cause below this share. */
    private static final double UNKNOWN = 0.25;
    /** Kinds that are a fact whatever else there is. */
    private static final Set<CauseKind> FACTS = EnumSet.of(CauseKind.HEALTHY);
    /** Kinds that equal sizes alone suggest where there are no stacks: a guess. */
    private static final Set<CauseKind> BY_SIZES = EnumSet.of(CauseKind.OPTIMIZER, CauseKind.TWO_SETS,
            CauseKind.ONE_OPERATION,
            CauseKind.LIMIT);
    /** Kinds that say that more was needed than there was: certain only where that is so. */
    private static final Set<CauseKind> NEEDS = EnumSet.of(CauseKind.ACTIVATIONS, CauseKind.LOGITS, CauseKind.ATTENTION,
            CauseKind.OPTIMIZER,
            CauseKind.ONE_OPERATION, CauseKind.OLD_AND_NEW, CauseKind.TWO_SETS, CauseKind.CHECKPOINT,
            CauseKind.GROWN_BY_CAT);
    /** Kinds that tell why what was free did not serve. */
    private static final Set<CauseKind> OF_THE_CACHE = EnumSet.of(CauseKind.FRAGMENTATION_PINNED,
            CauseKind.FRAGMENTATION_SIZES,
            CauseKind.STREAMS, CauseKind.GRAPHS);
    /** So much of what is reserved, free when a request fails, is a cause of its own. */
    private static final double SCATTERED = 0.4;
    /** The limit may be higher than what was ever held: so much of a request lying free may be enough. */
    private static final double NEARLY = 0.75;
    /** Of the room: what rounding and segments take. */
    private static final double SPARE = 0.08;
    /** Kinds whose blocks, had they gone, must have made room for the request that failed. */
    private static final Set<CauseKind> MUST_SUFFICE = EnumSet.of(CauseKind.GRAPH_KEPT, CauseKind.TENSORS_KEPT,
            CauseKind.TWO_SETS,
            CauseKind.CHECKPOINT, CauseKind.FAILURES, CauseKind.GROWN_BY_CAT);
    /** A second set has so much of what was needed ... */
    private static final double A_SET = 0.2;
    /** ... what was loaded from a file, and is read once, less ... */
    private static final double A_FILE = 0.1;
    /** ... and counts for so much where it alone would have made room. */
    private static final double AVOIDABLE = 0.96;
    private static final Set<CauseKind> LEAKS = EnumSet.of(CauseKind.GRAPH_KEPT, CauseKind.TENSORS_KEPT);
    private static final int SEVERAL_PASSES = 2;
    private static final Map<CauseKind, Double> LEAST_SHARE = new EnumMap<>(
            Map.of(CauseKind.ACTIVATIONS, 0.6, CauseKind.LOGITS, 0.5,
                    CauseKind.ATTENTION, 0.5, CauseKind.GROWN_BY_CAT, 0.25, CauseKind.OPTIMIZER, 0.3));

    private Rivals() {
    }

    /** The findings, the weightiest first, with certainty where rivals are excluded. */
    static List<Finding> excluded(List<Finding> all, Evidence e) {
        List<Finding> found = withoutKept(all, e);
        List<Finding> doubted = new ArrayList<>();
        for (Finding finding : found) {
            String doubt = finding.certainty() == Certainty.SURE && !FACTS.contains(finding.kind())
                    ? doubt(finding, found, e)
                    : "";
            doubted.add(doubt.isEmpty()
                    ? finding
                    : with(finding, Certainty.LIKELY, doubt));
        }
        // what is no longer certain may explain less than another that never was
        return doubted.stream().sorted(Comparator.comparingDouble(Finding::weight).reversed())
                .map(finding -> !e.hasStacks() && finding.certainty() == Certainty.LIKELY
                        && BY_SIZES.contains(finding.kind())
                                ? with(finding, Certainty.UNSURE, Evidence.stacksWanted())
                                : finding)
                .toList();
    }

    /** A second set that could be elsewhere, and alone would have made room, comes before what the program cannot do without. */
    private static Finding avoidable(Finding finding, Evidence e) {
        boolean file = finding.kind() == CauseKind.CHECKPOINT;
        boolean set = finding.kind() == CauseKind.TWO_SETS || file;
        return set && e.hasStacks() && e.failed()
                && e.share(e.lives().sum(finding.blamed().blocks())) >= (file ? A_FILE : A_SET)
                && suffices(finding, e)
                        ? new Finding(finding.kind(), finding.certainty(), finding.line(), finding.within(),
                                Math.max(AVOIDABLE, finding.share()), finding.because(), finding.surer(),
                                finding.blamed())
                        : finding;
    }

    /** What earlier turns left is not what one step needs: such blocks count for the leak and not for the step. */
    private static List<Finding> withoutKept(List<Finding> all, Evidence e) {
        Set<Integer> kept = new HashSet<>();
        all.stream().filter(each -> LEAKS.contains(each.kind()) && each.certainty() != Certainty.UNSURE)
                .forEach(each -> Arrays.stream(each.blamed().blocks()).forEach(kept::add));
        return all.stream().map(each -> avoidable(each, e)).map(each -> {
            long sum = e.lives().sum(each.blamed().blocks());
            long both = e.lives().sum(Arrays.stream(each.blamed().blocks()).filter(kept::contains).toArray());
            return each.kind() != CauseKind.ACTIVATIONS || both == 0 || 2 * both < sum
                    ? each
                    : new Finding(each.kind(), each.certainty(), each.line(), each.within(),
                            each.share() * (1 - (double) both / sum), each.because(), each.surer(), each.blamed());
        }).sorted(Comparator.comparingDouble(Finding::weight).reversed()).toList();
    }

    private static Finding with(Finding finding, Certainty certainty, String surer) {
        return new Finding(finding.kind(), certainty, finding.line(), finding.within(), finding.share(),
                finding.because(), surer, finding.blamed());
    }

    /** What would have to be seen to be certain; empty when nothing. */
    private static String doubt(Finding finding, List<Finding> found, Evidence e) {
        if (!e.hasStacks()) {
            return Evidence.stacksWanted();
        }
        if (!e.failed()) {
            return "a failure: what a program can do with is no cause of one";
        }
        Lives lives = e.lives();
        long unknown = lives.sum(e.alive(block -> lives.born(block) < 0 && !e.place(block).isKnown()));
        if (e.share(unknown) > UNKNOWN) {
            return "a history from the program's start: of " + Sizes.both(unknown)
                    + " in use it is not known where they came from";
        }
        for (Finding other : found) {
            boolean rival = other != finding && other.kind() != CauseKind.CACHE_EMPTIED
                    && other.certainty() != Certainty.UNSURE
                    && other.weight() >= AS_WEIGHTY * finding.weight() && other.kind() != finding.kind()
                    && !FACTS.contains(other.kind())
                    && ONE_THING.stream().noneMatch(same -> same.contains(finding.kind())
                            && same.contains(other.kind()));
            if (rival) {
                return "the same program without the other cause that explains much of it: " + other.kind().id()
                        + (other.line().isEmpty() ? "" : " (" + other.line() + ")");
            }
        }
        boolean ofTurns = finding.kind() == CauseKind.ACTIVATIONS && found.stream().anyMatch(other -> other != finding
                && other.kind() == CauseKind.ACTIVATIONS && other.weight() >= AS_WEIGHTY * finding.weight());
        if (ofTurns) {
            return "the line of the backward pass: for how many turns of the loop it is called once";
        }
        if (finding.share() < LEAST_SHARE.getOrDefault(finding.kind(), 0.0)) {
            return "a failure of which this explains more";
        }
        if (e.failed() && MUST_SUFFICE.contains(finding.kind()) && !suffices(finding, e)) {
            return "a run without what this line keeps: that alone would not have made room for the request that failed";
        }
        if (!OF_THE_CACHE.contains(finding.kind()) && e.failed() && isScattered(e)) {
            return "a run with expandable_segments:True: much of what was reserved lay free, in pieces";
        }
        if (NEEDS.contains(finding.kind()) && e.failed() && fits(e)) {
            return "a run with expandable_segments:True: use and request together would have fitted, had the cache lain in one"
                    + " piece";
        }
        if (finding.kind() == CauseKind.GRAPH_KEPT && !ranBackward(finding, e)) {
            return "a history with a backward pass between these steps: whether one for all of these graphs was to come";
        }
        if (finding.kind() == CauseKind.LIMIT && e.story().live(-1) > 0) {
            return "a history from the program's start: whether these weights were made before";
        }
        return Earned.missing(finding, e);
    }

    /** Whether much of what was reserved was not in use, and nearly enough for the request. */
    private static boolean isScattered(Evidence e) {
        long reserved = e.story().reserved(e.at());
        long unused = reserved - e.story().live(e.at());
        return unused >= SCATTERED * reserved && unused >= NEARLY * e.asked();
    }

    /** Whether backward passes ran, or optimizer's steps, while most of the graphs were made: the first may be another step's. */
    private static boolean ranBackward(Finding finding, Evidence e) {
        Lives lives = e.lives();
        int[] born = Arrays.stream(finding.blamed().blocks()).map(lives::born).filter(event -> event >= 0).sorted()
                .toArray();
        int first = born.length == 0 ? e.at() : born[born.length / 4];
        int passes = 0;
        boolean within = false;
        for (int block = 0; block < lives.count() && lives.born(block) < e.at(); block++) {
            if (lives.born(block) > first) {
                boolean pass = e.phase(block) == StoryPhase.BACKWARD || e.phase(block) == StoryPhase.OPTIMIZER;
                passes += pass && !within ? 1 : 0;
                within = pass;
            }
        }
        return passes >= SEVERAL_PASSES;
    }

    /** Whether there was room to spare, but for the holes. */
    private static boolean fits(Evidence e) {
        long room = Figures.room(e.story(), e.at());
        return room - e.story().live(e.at()) - e.asked() > SPARE * room;
    }

    /** Whether the request would have fitted without the blocks that are blamed. */
    private static boolean suffices(Finding finding, Evidence e) {
        Lives lives = e.lives();
        long gone = lives.sum(Arrays.stream(finding.blamed().blocks()).filter(block -> lives.aliveAt(block, e.at()))
                .toArray());
        return e.story().live(e.at()) - gone + e.asked() <= Figures.room(e.story(), e.at());
    }
}

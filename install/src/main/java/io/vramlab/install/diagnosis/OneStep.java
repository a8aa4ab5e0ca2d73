package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;

/** What tells the parts of one step, whose graphs wait for one backward pass, from steps that leave something behind. */
final class OneStep {

    /** Of the blocks of a line so many came, stayed for longer than a step and went: what is there now will go too. */
    private static final double LONG = 1.5;
    private static final double WENT_BEFORE = 0.25;

    private static final int SEVERAL = 3;
    /** A state is no less than so small a part of what a turn leaves. */
    private static final int SLIGHT = 100;
    /** Of fewer blocks of a size in a turn a backward pass's in passing make twice as many. */
    private static final int FEWEST = 4;
    private static final double NEARLY_TWICE = 1.8;
    /** Parts of a result go within so many events after it came. */
    private static final int AT_ONCE = 6;
    private static final double NEARLY_ALL = 0.75;

    private OneStep() {
    }

    /**
     * Whether the steps had an input each, which came before what a model made of it: in a recurrent network what comes of a step is
     * the next one's input, and one backward pass for all is its nature.
     */
    static boolean hasInputs(Evidence e, int[] kept, int whole) {
        Lives lives = e.lives();
        Set<Integer> sitesOfModel = new HashSet<>();
        Arrays.stream(kept).filter(block -> Evidence.OF_A_STEP.contains(e.phase(block)))
                .forEach(block -> sitesOfModel.add(lives.site(block)));
        // what repeats may begin anywhere within the first turn
        int firstMade = Arrays.stream(e.alive()).filter(block -> sitesOfModel.contains(lives.site(block))).min()
                .orElse(Integer.MAX_VALUE);
        Map<Integer, Integer> ofSite = new HashMap<>();
        Arrays.stream(kept).filter(block -> e.phase(block) == StoryPhase.OTHER)
                .forEach(block -> ofSite.merge(lives.site(block), 1, Integer::sum));
        return Arrays.stream(e.alive()).filter(block -> block < firstMade)
                .anyMatch(block -> 2 * ofSite.getOrDefault(lives.site(block), 0) >= whole);
    }

    /**
     * Whether the turns hand a state on: none had an input, one block from before the loop has the size of what every turn makes, and
     * no backward pass ran between them.
     */
    static boolean isRecurrence(Evidence e, int[] kept, int whole) {
        // where a model is called it makes the state, or the line that does computes it in parts; an observation comes as it is
        boolean model = Arrays.stream(kept).anyMatch(block -> e.phase(block) == StoryPhase.FORWARD);
        return handsOn(e, kept, whole, block -> e.phase(block) == StoryPhase.FORWARD)
                || handsOn(e, kept, whole,
                        block -> e.phase(block) == StoryPhase.OTHER && (!model || hasParts(e, block)));
    }

    /** Whether the same line made something just before that went soon after. */
    private static boolean hasParts(Evidence e, int block) {
        Lives lives = e.lives();
        return IntStream.range(Math.max(0, block - FEWEST), block)
                .anyMatch(other -> lives.born(other) >= 0 && e.phase(other) == StoryPhase.OTHER
                        && lives.died(other) < lives.born(block) + AT_ONCE
                        && e.place(other).inner().equals(e.place(block).inner()));
    }

    private static boolean handsOn(Evidence e, int[] kept, int whole, IntPredicate by) {
        Lives lives = e.lives();
        if (!e.hasStacks() || hasInputs(e, kept, whole)) {
            return false;
        }
        Map<Integer, Integer> ofSite = new HashMap<>();
        Arrays.stream(kept).forEach(block -> ofSite.merge(lives.site(block), 1, Integer::sum));
        // a flag or a reward has another's size by chance
        long slight = lives.sum(kept) / whole / SLIGHT;
        Set<Long> handedOn = new HashSet<>();
        Arrays.stream(kept).filter(block -> by.test(block) && lives.bytes(block) >= slight)
                .filter(block -> ofSite.get(lives.site(block)) >= whole / 2).mapToLong(lives::bytes)
                .forEach(handedOn::add);
        boolean begun = false;
        for (int block = 0; block < lives.count() && lives.born(block) <= e.at(); block++) {
            if (lives.born(block) >= e.steps().start(0) && e.phase(block) == StoryPhase.BACKWARD) {
                return false;
            }
            begun |= lives.born(block) >= 0 && lives.born(block) < e.steps().start(1)
                    && e.phase(block) == StoryPhase.OTHER && ofSite.getOrDefault(lives.site(block), 0) <= 1
                    && handedOn.contains(lives.bytes(block));
        }
        return begun;
    }

    /** Whether nearly every turn's backward pass left something, which a graph through it keeps, and no optimizer's step ran since the first. */
    static boolean isSecondOrder(Evidence e, int[] kept, int whole) {
        Lives lives = e.lives();
        long turns = Arrays.stream(kept).filter(block -> e.phase(block) == StoryPhase.BACKWARD)
                .map(block -> e.steps().of(lives.born(block))).distinct().count();
        return e.hasStacks() && turns >= NEARLY_ALL * whole && IntStream.range(0, lives.count())
                .filter(block -> lives.born(block) >= e.steps().start(0) && lives.born(block) <= e.at())
                .noneMatch(block -> e.phase(block) == StoryPhase.OPTIMIZER);
    }

    static boolean goesTogether(Evidence e, int[] kept) {
        Lives lives = e.lives();
        Map<Long, Integer> now = new HashMap<>();
        for (int block : kept) {
            now.merge(e.key(block), 1, Integer::sum);
        }
        // the usual one: the first may have the end of what came before in it
        int usual = IntStream.range(0, e.steps().count() - 1).map(step -> e.steps().end(step) - e.steps().start(step))
                .sorted().skip((e.steps().count() - 1) / 2).findFirst().orElse(0);
        Map<Long, List<int[]>> elsewhere = new HashMap<>();
        for (int block = 0; block < lives.count(); block++) {
            boolean went = !lives.aliveAt(block, e.at()) && lives.died(block) != Lives.NEVER;
            if (went && now.containsKey(e.key(block)) && lives.died(block) - lives.born(block) > LONG * usual) {
                List<int[]> ends = elsewhere.computeIfAbsent(e.key(block), key -> new ArrayList<>());
                ends.add(new int[]{lives.born(block), 1});
                ends.add(new int[]{lives.died(block), -1});
            }
        }
        // of each line no more than there are now, and as many as were there at once: that each step's went is no pile
        int both = now.entrySet().stream()
                .mapToInt(line -> Math.min(line.getValue(), atOnce(elsewhere.getOrDefault(line.getKey(), List.of()))))
                .sum();
        return both >= WENT_BEFORE * kept.length
                || (e.hasStacks() ? wentByTwos(e, kept, now) : wereTwice(e, kept, now));
    }

    /** Without stacks: whether of nearly all sizes nearly twice as many as a turn leaves, a few of passing aside, were there at once. */
    private static boolean wereTwice(Evidence e, int[] kept, Map<Long, Integer> now) {
        Lives lives = e.lives();
        int turns = e.steps().count() - 1;
        Map<Long, List<int[]>> went = new HashMap<>();
        for (int block = 0; block < lives.count(); block++) {
            if (lives.died(block) <= e.at() && now.containsKey(lives.bytes(block))) {
                List<int[]> ends = went.computeIfAbsent(lives.bytes(block), size -> new ArrayList<>());
                ends.add(new int[]{lives.born(block), 1});
                ends.add(new int[]{lives.died(block), -1});
            }
        }
        Set<Long> twice = now.entrySet().stream().filter(size -> size.getValue() >= FEWEST * turns
                && atOnce(went.getOrDefault(size.getKey(), List.of())) >= NEARLY_TWICE * size.getValue() / turns)
                .map(Map.Entry::getKey).collect(Collectors.toSet());
        long piled = lives.sum(Arrays.stream(kept).filter(block -> twice.contains(lives.bytes(block))).toArray());
        return twice.size() >= SEVERAL && piled >= NEARLY_ALL * lives.sum(kept);
    }

    /** Whether two turns' blocks, of nearly every line, were let go of together before: a step of several parts, and of fewer. */
    private static boolean wentByTwos(Evidence e, int[] kept, Map<Long, Integer> now) {
        Lives lives = e.lives();
        Map<Long, List<int[]>> ends = new HashMap<>();
        for (int block = 0; block < lives.count(); block++) {
            boolean went = !lives.aliveAt(block, e.at()) && lives.died(block) != Lives.NEVER && lives.born(block) >= 0;
            if (went && now.containsKey(e.key(block))
                    && Evidence.OF_A_STEP.contains(e.phase(block))) {
                List<int[]> ofLine = ends.computeIfAbsent(e.key(block), key -> new ArrayList<>());
                ofLine.add(new int[]{lives.born(block), 1});
                ofLine.add(new int[]{lives.died(block), -1});
            }
        }
        int turns = e.steps().count() - 1;
        Set<Long> twice = ends.entrySet().stream()
                .filter(line -> inARow(line.getValue()) >= 2 * Math.ceil((double) now.get(line.getKey()) / turns))
                .map(Map.Entry::getKey).collect(Collectors.toSet());
        long piled = lives.sum(Arrays.stream(kept).filter(block -> twice.contains(e.key(block))).toArray());
        return twice.size() >= SEVERAL && piled >= NEARLY_ALL * lives.sum(kept);
    }

    /** How many of a line's blocks went, at most, while none came: old ones that go as new ones come are no pile. */
    private static int inARow(List<int[]> ends) {
        int most = 0;
        int row = 0;
        for (int[] end : ends.stream().sorted(Comparator.comparingInt((int[] end) -> end[0])).toList()) {
            row = end[1] < 0 ? row + 1 : 0;
            most = Math.max(most, row);
        }
        return most;
    }

    private static int atOnce(List<int[]> ends) {
        int most = 0;
        int count = 0;
        for (int[] end : ends.stream().sorted(Comparator.comparingInt((int[] end) -> end[0])).toList()) {
            count += end[1];
            most = Math.max(most, count);
        }
        return most;
    }
}

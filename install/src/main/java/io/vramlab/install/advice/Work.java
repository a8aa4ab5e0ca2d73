package io.vramlab.install.advice;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.Evidence;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;

/** Which blocks are weights, which scale with a batch, and which an optimizer keeps: by stacks, and without them by when they came. */
final class Work {

    private static final Set<StoryPhase> SCALES = Set.of(StoryPhase.FORWARD, StoryPhase.LOSS, StoryPhase.OTHER,
            StoryPhase.BACKWARD);
    private static final long SMALL = 4096;

    private final Evidence evidence;
    private final Lives lives;
    private final boolean stacks;
    private final int[] weights;
    private final Set<Integer> ofWeights = new HashSet<>();
    private final Set<Long> sizes = new HashSet<>();

    Work(Evidence evidence) {
        this.evidence = evidence;
        lives = evidence.lives();
        stacks = evidence.story().hasStacks();
        weights = stacks
                ? Arrays.stream(evidence.alive()).filter(this::isPlaced).toArray()
                : evidence.madeBeforeTheWork();
        for (int block : weights) {
            ofWeights.add(block);
            sizes.add(lives.bytes(block));
        }
    }

    private boolean isPlaced(int block) {
        return lives.born(block) < 0 || evidence.place(block).phase() == StoryPhase.PLACING;
    }

    /** The weights that are there when it is decided. */
    int[] weights() {
        return weights;
    }

    boolean isWeights(long size) {
        return sizes.contains(size);
    }

    /** Whether a block is a weight, there or gone by then. */
    boolean isWeight(int block) {
        return lives.born(block) >= 0
                && (stacks ? evidence.place(block).phase() == StoryPhase.PLACING : ofWeights.contains(block));
    }

    /** Whether half of a batch would have had half of it. */
    boolean scales(int block) {
        return lives.bytes(block) > SMALL && lives.born(block) >= 0 && !isWeights(lives.bytes(block))
                && (stacks ? SCALES.contains(evidence.place(block).phase()) : !ofWeights.contains(block));
    }

    /**
     * Whether a block can be a result of the model or of its loss. What was placed, loaded, copied or made by an optimizer is none;
     * of what came elsewhere, or of a history without stacks, none of a weight's size, which may be a gradient or an average. Where
     * neither stacks nor a first release tell weights, every block can be one.
     */
    boolean isResult(int block) {
        return lives.born(block) >= 0 && isResult(evidence.place(block).phase(), lives.bytes(block));
    }

    /** Whether the request that failed can have been for a result, told as {@link #isResult(int)} tells it. */
    boolean asksForResult() {
        return isResult(evidence.askedIn(), evidence.asked());
    }

    private boolean isResult(StoryPhase phase, long size) {
        if (!stacks) {
            return !tellsWeights() || !isWeights(size);
        }
        return switch (phase) {
            case FORWARD, LOSS -> true;
            case PLACING, LOADING, COPYING, OPTIMIZER -> false;
            case BACKWARD, OTHER, UNKNOWN -> !isWeights(size);
        };
    }

    /** Before anything is let go of, all that was made would count as weights. */
    private boolean tellsWeights() {
        return stacks || weights.length < lives.count();
    }

    /** Whether the request that failed can have been for a weight: while a model was placed, or before any work. */
    boolean asksForWeight() {
        return stacks ? evidence.askedIn() == StoryPhase.PLACING : !tellsWeights();
    }

    /** What optimizers made; without stacks what has the weights' sizes, came later and is more than a gradient for each. */
    int[] optimizers() {
        if (stacks) {
            return IntStream.range(0, lives.count())
                    .filter(block -> evidence.place(block).phase() == StoryPhase.OPTIMIZER).toArray();
        }
        Map<Long, Integer> gradients = new HashMap<>();
        for (int block : weights) {
            gradients.merge(lives.bytes(block), 1, Integer::sum);
        }
        return Arrays.stream(evidence.alive())
                .filter(block -> !ofWeights.contains(block) && isWeights(lives.bytes(block))
                        && gradients.merge(lives.bytes(block), -1, Integer::sum) < 0)
                .toArray();
    }

    /** Whether it was an optimizer's request that failed. */
    boolean asksForState() {
        return stacks ? evidence.askedIn() == StoryPhase.OPTIMIZER : isWeights(evidence.asked());
    }
}

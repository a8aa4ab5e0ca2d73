package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.install.story.Place;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import io.vramlab.memory.Sizes;

/**
 * What a model made on its way, and its loss: most of what one step needs. A few equal blocks that stand out at its end are the
 * logits; those that stand out in its middle, in an attention's functions or growing with the square of the rest, are scores.
 */
final class StepNeedsMore implements Detector {

    private static final Set<StoryPhase> PASS = Set.of(StoryPhase.FORWARD, StoryPhase.LOSS, StoryPhase.BACKWARD);
    private static final Pattern ATTENTION = Pattern.compile("attention|attn", Pattern.CASE_INSENSITIVE);
    private static final Pattern LINEAR = Pattern.compile("torch[/\\\\]nn[/\\\\]modules[/\\\\]linear\\.py$");
    private static final double LEAST_SHARE = 0.3;
    /** The largest blocks are so much of what a step needs ... */
    private static final double STAND_OUT = 0.5;
    /** ... and so much larger than the next smaller ones. */
    private static final int LARGER = 3;
    private static final int MOST_LOGITS = 6;
    /** Without stacks: scores are so much larger than what else a layer makes, a hidden layer no more than four times ... */
    private static final int SCORES_LARGER = 5;
    /** Of one layer's scores: queries by keys, with a mask, as probabilities, after dropout. */
    private static final int MOST_IN_A_ROW = 4;
    /** ... and so many smaller blocks at least lie between those of one layer and the next. */
    private static final int BETWEEN_LAYERS = 4;

    @Override
    public Optional<Finding> look(Evidence e) {
        return e.failed() && e.hasStacks() ? byPhase(e) : Optional.empty();
    }

    private static Optional<Finding> byPhase(Evidence e) {
        Lives lives = e.lives();
        int result = result(e);
        int[] made = e.alive(block -> (Evidence.OF_A_STEP.contains(e.phase(block)) && !e.isOutlived(block)
                || isOfLoss(e, result, block)
                || e.phase(block) == StoryPhase.BACKWARD && e.failingPlace().phase() == StoryPhase.BACKWARD
                        && !isGradient(e, block))
                && !WorkspaceBlocks.isOne(e, block));
        Place place = e.failingPlace();
        boolean ownLoss = place.phase() == StoryPhase.OTHER && result >= 0 && isAlike(e.asked(), lives.bytes(result));
        long asked = PASS.contains(place.phase()) || ownLoss ? e.asked() : 0;
        long sum = lives.sum(made) + asked;
        if (e.share(sum) < LEAST_SHARE) {
            return Optional.empty();
        }
        Optional<Finding> alone = ofOneLine(e, made, place);
        if (alone.isPresent()) {
            return alone;
        }
        String outer = made.length == 0 ? place.outer() : e.chiefLine(made, true);
        String inner = made.length == 0 ? place.inner() : e.chiefLine(made, false);
        long largest = Math.max(asked, Arrays.stream(made).mapToLong(lives::bytes).max().orElse(0));
        // of half the size is the same in a type of half the width, as autocast makes it
        int[] top = Arrays.stream(made).filter(block -> 2 * lives.bytes(block) >= largest).toArray();
        long topSum = lives.sum(top) + (2 * asked >= largest ? asked : 0);
        int count = top.length + (2 * asked >= largest ? 1 : 0);
        List<String> because = new ArrayList<>();
        because.add(Sizes.both(sum) + " of the " + Sizes.both(e.needed())
                + " that were needed were made by a model on its way, by its"
                + " loss or its backward pass"
                + (place.phase() == StoryPhase.OTHER
                        ? ""
                        : "; the request that failed came in "
                                + place.phase().text())
                + ".");
        CauseKind kind = CauseKind.ACTIVATIONS;
        Certainty certainty = e.share(sum) >= STAND_OUT ? Certainty.SURE : Certainty.LIKELY;
        String surer = "";
        boolean standsOut = topSum >= STAND_OUT * sum && topSum >= LEAST_SHARE * e.needed()
                && largest >= LARGER * typical(lives, made, largest)
                && smaller(lives, made, largest) >= Math.max(3, count / 2);
        boolean loss = place.phase() == StoryPhase.LOSS || ownLoss
                || Arrays.stream(top).anyMatch(block -> isOfLoss(e, result, block))
                || Arrays.stream(top).anyMatch(block -> e.phase(block) == StoryPhase.LOSS);
        boolean attention = named(e, top) || 2 * asked > largest && named(e.failing().site());
        Largest tops = Largest.of(lives, made, asked);
        boolean layered = tops.sum() >= STAND_OUT * sum && tops.timesOthers(lives, made, e.asked()) >= SCORES_LARGER
                && tops.groups() > 1 && tops.count() <= MOST_IN_A_ROW * tops.groups();
        boolean scores = layered && !loss || standsOut && !loss && top.length > 0
                && largest >= SCORES_LARGER * typical(lives, made, largest)
                && Arrays.stream(top).allMatch(block -> e.phase(block) == StoryPhase.FORWARD)
                && inEveryLayer(lives, made, top);
        if (attention && topSum >= STAND_OUT * sum
                || (standsOut && !loss && inMiddle(e, made, top, place) || scores) && !LayerSites.made(lives, top)) {
            kind = CauseKind.ATTENTION;
            // a name alone is not enough: an attention that writes no scores has the same
            certainty = !attention ? Certainty.UNSURE : standsOut || layered ? Certainty.SURE : Certainty.LIKELY;
            surer = certainty == Certainty.SURE ? "" : "the text of the line: whether it multiplies queries and keys";
            because.add(count + " blocks of about " + Sizes.both(largest) + " stand out: " + (attention
                    ? "an attention's functions made them."
                    : "they came in the middle of the model, several for one layer."));
            // it is this line that makes the scores, whoever calls it
            inner = top.length == 0 ? place.inner() : e.chiefLine(top, false);
            outer = inner;
        } else if ((standsOut || topSum >= STAND_OUT * sum && ofLinear(lives, top)) && loss && count <= MOST_LOGITS) {
            kind = CauseKind.LOGITS;
            because.add(count + " blocks of about " + Sizes.both(largest)
                    + " stand out: the model's last results, and what the loss"
                    + " makes of them.");
            if (!ofLinear(lives, top)) {
                certainty = certainty == Certainty.SURE ? Certainty.LIKELY : certainty;
                surer = "the text of the line: whether a linear layer makes them";
            }
            outer = top.length == 0 ? place.outer() : e.chiefLine(top, true);
            inner = top.length == 0 ? place.inner() : e.chiefLine(top, false);
        }
        if (kind == CauseKind.ACTIVATIONS && certainty == Certainty.SURE && tops.sum() >= STAND_OUT * sum
                && tops.timesOthers(lives, made, e.asked()) >= LARGER) {
            certainty = Certainty.LIKELY;
            surer = "the text of the lines that made the largest: whether they are one operation's";
        }
        if (kind == CauseKind.ACTIVATIONS && standsOut && top.length == 0) {
            // the request that failed alone: of a model's linear layer it is the last one's, tokens times vocabulary
            boolean linear = place.phase() == StoryPhase.FORWARD && e.failing() != null
                    && CallSites.frames(e.failing().site()).stream()
                            .anyMatch(frame -> LINEAR.matcher(frame.file()).find());
            kind = linear ? CauseKind.LOGITS : kind;
            certainty = Certainty.LIKELY;
            surer = "the text of the line: what it computes";
            because.add("The request that failed stands out among what the model made"
                    + (linear
                            ? ", and a linear layer asked for it: the last one, whose results are the logits."
                            : "."));
        }
        // a guess about the part does not make the whole unsure
        return Optional
                .of(new Finding(kind, certainty, outer, inner.equals(outer) ? "" : inner, 0.95 * e.share(sum), because,
                        surer, Blamed.of(made)));
    }

    /**
     * What one line of the user's own made, or asked for, and that is most of all, far larger than what layers make: no model's step
     * but one operation; an attention where its two parts, scores and probabilities, were there one after the other.
     */
    private static Optional<Finding> ofOneLine(Evidence e, int[] made, Place place) {
        Lives lives = e.lives();
        long largest = Math.max(e.asked(), Arrays.stream(made).mapToLong(lives::bytes).max().orElse(0));
        int[] top = Arrays.stream(made).filter(block -> lives.bytes(block) == largest).toArray();
        int[] forward = Arrays.stream(top).filter(block -> e.phase(block) != StoryPhase.BACKWARD).toArray();
        boolean asks = e.asked() == largest;
        // the request alone, of a line outside of the model
        boolean own = place.phase() == StoryPhase.OTHER && place.isKnown() && place.library().isEmpty()
                && asks && top.length == 0 && e.share(e.asked()) >= STAND_OUT && !ofLinear(lives, made);
        // in the backward pass: one block that a line within the model made, and what goes back through it
        boolean back = place.phase() == StoryPhase.BACKWARD && asks && forward.length == 1
                && e.phase(forward[0]) == StoryPhase.FORWARD && e.place(forward[0]).library().isEmpty()
                && e.share(lives.sum(top) + e.asked()) >= STAND_OUT
                && largest >= SCORES_LARGER * typical(lives, made, largest);
        if (!own && !back) {
            return Optional.empty();
        }
        CauseKind kind = back && hadTwin(e, forward[0]) ? CauseKind.ATTENTION : CauseKind.ONE_OPERATION;
        String line = back ? e.place(forward[0]).inner() : place.inner();
        return Optional.of(new Finding(kind, Certainty.LIKELY, line, "", e.share(lives.sum(top) + e.asked()),
                List.of("One line's result of " + Sizes.both(largest)
                        + (back ? ", with what the backward pass makes of it," : "")
                        + " is most of the " + Sizes.both(e.needed()) + " that were needed; no layer made it."),
                "the text of the line: what it computes", Blamed.of(forward)));
    }

    /** Whether a block of the same size came just before from a line of the user's within the model, as scores before their softmax. */
    private static boolean hadTwin(Evidence e, int block) {
        Lives lives = e.lives();
        return IntStream.range(Math.max(0, block - BETWEEN_LAYERS), block)
                .anyMatch(other -> lives.bytes(other) == lives.bytes(block) && lives.born(other) >= 0
                        && e.phase(other) == StoryPhase.FORWARD && e.place(other).library().isEmpty());
    }

    /** Whether a linear layer made one of the largest: then what follows it is its result's. */
    private static boolean ofLinear(Lives lives, int[] top) {
        return Arrays.stream(top).anyMatch(block -> CallSites.frames(lives.site(block)).stream()
                .anyMatch(frame -> LINEAR.matcher(frame.file()).find()));
    }

    /** The last block that a model made and that is there, its result; -1 without one. */
    private static int result(Evidence e) {
        return Arrays.stream(e.alive(block -> e.phase(block) == StoryPhase.FORWARD && !e.isOutlived(block))).max()
                .orElse(-1);
    }

    /** Whether the user's own lines made a block of a model's result, as a loss written by hand does. */
    private static boolean isOfLoss(Evidence e, int result, int block) {
        return result >= 0 && block > result && e.phase(block) == StoryPhase.OTHER
                && isAlike(e.lives().bytes(block), e.lives().bytes(result));
    }

    /** Equal, or of a type of twice or half the width. */
    private static boolean isAlike(long a, long b) {
        return a == b || a == 2 * b || b == 2 * a;
    }

    private static boolean isGradient(Evidence e, int block) {
        Lives lives = e.lives();
        return Arrays.stream(e.alive())
                .anyMatch(other -> e.phase(other) == StoryPhase.PLACING && lives.bytes(other) == lives.bytes(block));
    }

    private static long smaller(Lives lives, int[] made, long largest) {
        return Arrays.stream(made).filter(block -> 2 * lives.bytes(block) < largest).count();
    }

    /** The size that the larger half of the bytes below the largest blocks' have at most. */
    private static long typical(Lives lives, int[] made, long largest) {
        long[] smaller = Arrays.stream(made).mapToLong(lives::bytes).filter(bytes -> 2 * bytes < largest).sorted()
                .toArray();
        long sum = Arrays.stream(smaller).sum();
        long passed = 0;
        for (int i = smaller.length - 1; i >= 0; i--) {
            passed += smaller[i];
            if (2 * passed >= sum) {
                return smaller[i];
            }
        }
        return 1;
    }

    /** Whether the largest came by lines within the model, two or more of them, or failed there before its end. */
    private static boolean inMiddle(Evidence e, int[] made, int[] top, Place failing) {
        long lines = Arrays.stream(top).mapToObj(block -> e.place(block).inner()).distinct().count();
        boolean within = Arrays.stream(top)
                .allMatch(block -> e.phase(block) == StoryPhase.FORWARD && !e.place(block).inner()
                        .equals(e.place(block).outer()));
        boolean equal = Arrays.stream(top).mapToLong(e.lives()::bytes).distinct().count() == 1;
        return within && equal && top.length > 1 && lines >= 2
                && (failing.phase() == StoryPhase.FORWARD || top[top.length - 1] < made[made.length - 1] - 2);
    }

    private static boolean named(Evidence e, int[] top) {
        // what the backward pass makes has no frames to be named by
        int[] seen = Arrays.stream(top).filter(block -> e.phase(block) != StoryPhase.BACKWARD).toArray();
        return seen.length > 0 && Arrays.stream(seen).allMatch(block -> named(e.lives().site(block)));
    }

    private static boolean named(int site) {
        List<Frame> frames = CallSites.frames(site);
        // the script's own name says nothing of one of its lines
        String script = frames.isEmpty() ? "" : frames.getLast().file();
        return frames.stream().anyMatch(frame -> ATTENTION.matcher(frame.method()).find()
                || !frame.file().equals(script)
                        && ATTENTION.matcher(frame.file().substring(frame.file().lastIndexOf('/') + 1)).find());
    }

    /** Whether the largest are equal and come again and again among smaller ones: three times, or twice in twos. */
    private static boolean inEveryLayer(Lives lives, int[] since, int[] top) {
        int groups = 0;
        int inGroup = 0;
        int smallerSince = MOST_LOGITS;
        for (int block : since) {
            if (lives.bytes(block) == lives.bytes(top[0])) {
                groups += smallerSince >= BETWEEN_LAYERS ? 1 : 0;
                inGroup++;
                smallerSince = 0;
            } else {
                smallerSince++;
            }
        }
        return inGroup == top.length && (groups >= 3 || groups == 2 && inGroup >= 2 * groups);
    }
}

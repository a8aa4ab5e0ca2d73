package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.memory.Sizes;

/**
 * Without stacks: of nearly all sizes that weights have there are more blocks than one model's training
 * makes, and the first ones' order came again without another request in between: models were made again, and the earlier ones are
 * still there. {@link MadeAgain} tells it where there are stacks.
 */
final class WeightsAgain implements Detector {

    /** Weights, gradients, two moments, a maximum and an average are six of each. */
    private static final int MORE_THAN_TRAINING = 7;
    /** Of fewer sizes each may be an activation's too. */
    private static final int SEVERAL_SIZES = 4;
    private static final double NEARLY_ALL = 0.8;
    /** So many weights in a row, as a model places them; what is computed from weights has other requests in between. */
    private static final int IN_A_ROW = 8;
    private static final int TIMES = 2;
    private static final double LEAST_SHARE = 0.15;
    private static final double WEIGHT = 0.9;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (e.hasStacks() || !e.failed()) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        Map<Long, Integer> weights = new HashMap<>();
        Arrays.stream(e.ledger().before()).filter(block -> !WorkspaceBlocks.isOne(e, block))
                .forEach(block -> weights.merge(lives.bytes(block), 1, Integer::sum));
        Map<Long, Integer> there = new HashMap<>();
        int[] copies = e.alive(block -> weights.containsKey(lives.bytes(block)));
        Arrays.stream(copies).forEach(block -> there.merge(lives.bytes(block), 1, Integer::sum));
        // by bytes: buffers have no gradient, and no state
        long[] often = weights.keySet().stream().mapToLong(Long::longValue)
                .filter(size -> there.get(size) >= MORE_THAN_TRAINING * weights.get(size)).toArray();
        long all = weights.entrySet().stream().mapToLong(size -> size.getKey() * size.getValue()).sum();
        long ofOften = Arrays.stream(often).map(size -> size * weights.get(size)).sum();
        if (often.length < SEVERAL_SIZES || ofOften < NEARLY_ALL * all
                || e.share(lives.sum(copies)) < LEAST_SHARE || placed(e) < TIMES) {
            return Optional.empty();
        }
        return Optional.of(new Finding(CauseKind.TENSORS_KEPT, Certainty.UNSURE, "", "",
                Math.max(WEIGHT, e.share(lives.sum(copies))),
                List.of("Of " + Sizes.exact(often.length) + " of the " + weights.size()
                        + " sizes that the first weights have there are "
                        + MORE_THAN_TRAINING + " times as many blocks and more, " + Sizes.both(lives.sum(copies))
                        + ": more than one model, its gradients and its optimizer's state. Earlier models are still there."),
                Evidence.stacksWanted(), Blamed.NONE));
    }

    /** How often the order of the first weights came again, in direct succession and to stay. */
    private static int placed(Evidence e) {
        Lives lives = e.lives();
        int[] before = e.ledger().before();
        int from = 0;
        while (from + IN_A_ROW <= before.length && before[from + IN_A_ROW - 1] - before[from] != IN_A_ROW - 1) {
            from++;
        }
        int times = 0;
        for (int at = before.length == 0 ? 0 : before[before.length - 1] + 1; from + IN_A_ROW <= before.length
                && at + IN_A_ROW <= lives.count(); at++) {
            int matched = 0;
            while (matched < IN_A_ROW && lives.aliveAt(at + matched, e.at())
                    && lives.bytes(at + matched) == lives.bytes(before[from + matched])) {
                matched++;
            }
            times += matched == IN_A_ROW ? 1 : 0;
            at += matched == IN_A_ROW ? IN_A_ROW - 1 : 0;
        }
        return times;
    }
}

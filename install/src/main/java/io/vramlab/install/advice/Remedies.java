package io.vramlab.install.advice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.CauseKind;
import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.install.diagnosis.Evidence;
import io.vramlab.install.diagnosis.Finding;
import io.vramlab.install.diagnosis.Largest;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;

/** For each kind of cause what is advised, done to the history in its stead. */
final class Remedies {

    private static final int[] PARTS_OF_A_BATCH = {2, 4, 8, 16};
    private static final int[] PARTS_OF_AN_OPERATION = {4, 16, 64, 256};
    private static final int[] PARTS_OF_A_TYPE = {2, 4};
    private static final int CHUNKS = 8;
    /** Where weights are so much of what was needed a smaller type is worth the trying. */
    private static final double MANY_WEIGHTS = 0.5;
    private static final int LAYERS = 9;
    /** Of what is blamed so much must be known to come again. */
    private static final double SOME_OF_IT = 0.4;

    /** What is left of a pass may go when the next makes the same. */
    private static final Set<CauseKind> OF_PASSES = Set.of(CauseKind.GRAPH_KEPT, CauseKind.TENSORS_KEPT,
            CauseKind.ACCUMULATION);

    private final Evidence evidence;
    private final Lives lives;
    private final Replays replays;
    private final Work work;

    Remedies(Diagnosis diagnosis, Replays replays) {
        this.replays = replays;
        evidence = diagnosis.evidence();
        lives = evidence.lives();
        work = new Work(evidence);
    }

    /** What is replayed about one finding, in the order in which it is advised. */
    List<Advice> about(Finding finding) {
        List<Advice> all = new ArrayList<>();
        int[] blamed = finding.blamed().blocks();
        switch (finding.kind()) {
            case GRAPH_KEPT, TENSORS_KEPT, ACCUMULATION, CHECKPOINT, TWO_SETS -> letGo(finding).ifPresent(all::add);
            case FAILURES -> afterFailures(finding).ifPresent(advice -> {
                all.add(advice);
                if (!advice.enough()) {
                    all.add(batch());
                }
            });
            case GROWN_BY_CAT -> all.add(onceForAll(finding));
            case OLD_AND_NEW -> all.add(replays.proven(finding.kind().advice(),
                    "the first of these blocks alone, worked on in place",
                    replays.altered().without(Arrays.stream(blamed).skip(1).toArray()).scaled(lives::bytes,
                            size -> 1)));
            case ONE_OPERATION -> all.add(firstEnough(PARTS_OF_AN_OPERATION, this::inParts));
            case OPTIMIZER -> optimizer().ifPresent(all::add);
            case STREAMS -> all.add(replays.proven(finding.kind().advice(), "all on one stream, where nothing waits",
                    replays.altered().onOneStream()));
            case CACHE_EMPTIED -> all
                    .add(replays.proven(finding.kind().advice(), "the cache kept", replays.altered().keepingCache()));
            case FRAGMENTATION_PINNED -> {
                madeBefore(finding).ifPresent(all::add);
                if (all.stream().noneMatch(Advice::enough)) {
                    onTheHost(finding).filter(Advice::enough).ifPresent(all::add);
                }
            }
            case WORKSPACE -> without(finding).ifPresent(all::add);
            case WARM_UP -> {
                without(finding).ifPresent(all::add);
                if (all.stream().noneMatch(Advice::enough)) {
                    all.add(batch());
                }
            }
            case ATTENTION -> {
                all.add(unwritten(finding));
                ofAStep(finding, all);
            }
            case LOGITS -> {
                all.add(inChunks(finding));
                ofAStep(finding, all);
            }
            case ACTIVATIONS -> ofAStep(finding, all);
            case LIMIT -> {
                if (evidence.needs(work.weights()) >= MANY_WEIGHTS) {
                    all.add(firstEnough(PARTS_OF_A_TYPE, this::smallerType));
                }
                ofAStep(finding, all);
            }
            default -> {
                // it is said what is usually done, and that it was not replayed
            }
        }
        return all;
    }

    /** The least that is enough, or else the first of all. */
    private static Advice firstEnough(int[] parts, IntFunction<Advice> remedy) {
        Advice first = null;
        for (int each : parts) {
            Advice advice = remedy.apply(each);
            if (advice.enough()) {
                return advice;
            }
            first = first == null ? advice : first;
        }
        return first;
    }

    /** What failed before the last attempt was too large then as well: whether the last has room without what they left is asked. */
    private Optional<Advice> afterFailures(Finding finding) {
        int[] blocks = finding.blamed().blocks();
        List<Integer> failures = evidence.story().failures();
        return !finding.blamed().canGo() || failures.size() < 2
                ? letGo(finding)
                : Optional.of(replays.proven(finding.kind().advice(),
                        "what earlier attempts left let go of before the last, which alone counts",
                        replays.altered().letGo(blocks, finding.blamed().until()).failingFrom(failures.getLast())));
    }

    private Optional<Advice> letGo(Finding finding) {
        int[] blocks = finding.blamed().blocks();
        if (finding.blamed().canGo()) {
            return Optional.of(replays.proven(finding.kind().advice(),
                    "what these lines keep let go of as soon as nothing is known to need it",
                    replays.altered().letGo(blocks, finding.blamed().until())));
        }
        if (!OF_PASSES.contains(finding.kind())) {
            return withoutCopies(finding); // a second set is no pass's
        }
        int[] until = Passes.next(evidence, blocks);
        int[] going = IntStream.range(0, blocks.length).filter(i -> until[i] >= 0).toArray();
        long gone = Arrays.stream(going).mapToLong(i -> lives.bytes(blocks[i])).sum();
        return gone < SOME_OF_IT * lives.sum(blocks) || going.length == 0
                ? finding.kind() == CauseKind.TENSORS_KEPT ? oneOfEachLine(finding) : Optional.empty()
                : Optional.of(replays.proven(finding.kind().advice(),
                        "what each pass kept let go of when the next made the same",
                        replays.altered().letGo(Arrays.stream(going).map(i -> blocks[i]).toArray(),
                                Arrays.stream(going).map(i -> until[i]).toArray())));
    }

    /** Of a second set only what copied it tells which blocks are it. */
    private Optional<Advice> withoutCopies(Finding finding) {
        int[] copies = Arrays.stream(evidence.alive())
                .filter(block -> evidence.place(block).phase() == StoryPhase.COPYING).toArray();
        return finding.kind() != CauseKind.TWO_SETS || copies.length == 0
                ? Optional.empty()
                : Optional.of(replays.proven(finding.kind().advice(), "none of the copied weights",
                        replays.altered().without(copies)));
    }

    /** What is kept in no pass's order: of each line, or of each size without stacks, the last. */
    private Optional<Advice> oneOfEachLine(Finding finding) {
        int[] blocks = finding.blamed().blocks();
        Map<Long, Integer> next = new HashMap<>();
        Map<Integer, Integer> until = new TreeMap<>();
        for (int i = blocks.length - 1; i >= 0; i--) {
            Integer later = next.put(evidence.key(blocks[i]), lives.born(blocks[i]));
            if (later != null && later >= 0) {
                until.put(blocks[i], later);
            }
        }
        long gone = until.keySet().stream().mapToLong(lives::bytes).sum();
        return gone < SOME_OF_IT * lives.sum(blocks)
                ? Optional.empty()
                : Optional.of(replays.proven(finding.kind().advice(),
                        "what a line keeps let go of when it made the next",
                        replays.altered().letGo(until.keySet().stream().mapToInt(Integer::intValue).toArray(),
                                until.values().stream().mapToInt(Integer::intValue).toArray())));
    }

    private void ofAStep(Finding finding, List<Advice> all) {
        all.add(batch());
        int[] made = Arrays.stream(finding.blamed().blocks())
                .filter(block -> evidence.place(block).phase() == StoryPhase.FORWARD).toArray();
        if (made.length >= LAYERS) {
            all.add(recomputed(made));
        }
    }

    private Advice batch() {
        return firstEnough(PARTS_OF_A_BATCH, parts -> replays.proven(
                parts == 2
                        ? "half the batch (with twice the accumulation)"
                        : "%s the batch (with %d times the accumulation)".formatted(Parts.of(parts), parts),
                Parts.of(parts)
                        + " every block of a step that has no weight's size, and of the request that failed",
                replays.altered().scaled(
                        block -> work.scales(block) ? lives.bytes(block) / parts : lives.bytes(block),
                        size -> work.isWeights(size) ? size : size / parts)));
    }

    private Advice smallerType(int parts) {
        return replays.proven(
                parts == 2
                        ? "the weights in a type of half the size (of float32: model.to(torch.bfloat16))"
                        : "the weights in a type of a quarter of the size (of float32: 8 bits)",
                Parts.of(parts) + " every weight that was made before the work"
                        + (work.asksForWeight() ? ", and of the request that failed" : ""),
                replays.altered().scaled(
                        block -> work.isWeight(block) ? lives.bytes(block) / parts : lives.bytes(block),
                        size -> work.asksForWeight() ? size / parts : size));
    }

    /** Of n blocks that a model made, every (root of n)th stays; the others go as soon as the next but one is there. */
    private Advice recomputed(int[] made) {
        int every = (int) Math.round(Math.sqrt(made.length));
        int[] going = IntStream.range(0, made.length - 2).filter(i -> i % every != 0).toArray();
        return replays.proven(
                "checkpointing (torch.utils.checkpoint), which computes activations again in the backward pass",
                "one of " + every + " activations kept; what the backward pass then makes again is not in the history",
                replays.altered().letGo(Arrays.stream(going).map(i -> made[i]).toArray(),
                        Arrays.stream(going).map(i -> lives.born(made[i + 2])).toArray()));
    }

    private Advice onceForAll(Finding finding) {
        int[] chain = finding.blamed().blocks();
        long largest = Arrays.stream(chain).mapToLong(lives::bytes).max().orElse(0);
        long asked = evidence.asked();
        long size = Math.max(largest, asked < 2 * largest ? asked : 0);
        int first = Arrays.stream(chain).map(lives::born).filter(event -> event >= 0).min().orElse(0);
        return replays.proven(finding.kind().advice(),
                "one block of the last size in place of all that followed each other",
                replays.altered().without(chain).with(size, first, 1L << 55).scaled(lives::bytes,
                        failed -> failed == asked ? 1 : failed));
    }

    /** The request that failed, and what its own line had made of such a size: rows of one operation. */
    private Advice inParts(int parts) {
        String line = evidence.askedAt();
        IntPredicate ofIt = block -> !line.isEmpty() && lives.bytes(block) >= evidence.asked() / 2
                && evidence.place(block).inner().equals(line);
        return replays.proven(CauseKind.ONE_OPERATION.advice(), "the request that failed in " + parts + " parts",
                replays.altered().scaled(
                        block -> ofIt.test(block) ? lives.bytes(block) / parts : lives.bytes(block),
                        size -> size / parts));
    }

    private Optional<Advice> optimizer() {
        int[] state = work.optimizers();
        return state.length == 0 && !work.asksForState()
                ? Optional.empty()
                : Optional.of(replays.proven(
                        "an optimizer without state (SGD without momentum) or with less of it (8-bit Adam: a quarter)",
                        "none of the blocks of the optimizer's step",
                        replays.altered().without(state).scaled(lives::bytes,
                                size -> work.asksForState() ? 1 : size)));
    }

    private Optional<Advice> without(Finding finding) {
        int[] blamed = finding.blamed().blocks();
        return blamed.length == 0
                ? Optional.empty()
                : Optional.of(replays.proven(finding.kind().advice(), "none of these workspaces",
                        replays.altered().without(blamed)));
    }

    /** What stays made first of all, so that it lies together. */
    private Optional<Advice> madeBefore(Finding finding) {
        int[] pins = Arrays.stream(finding.blamed().blocks()).filter(block -> lives.born(block) >= 0).toArray();
        if (pins.length == 0) {
            return Optional.empty();
        }
        Altered history = replays.altered().without(pins);
        for (int pin : pins) {
            history.with(lives.bytes(pin), 0, (1L << 55) + 512L * pin);
        }
        return Optional.of(replays.proven(finding.kind().advice(), "what stays made before all else", history));
    }

    /** What stays not on the GPU at all. */
    private Optional<Advice> onTheHost(Finding finding) {
        int[] pins = finding.blamed().blocks();
        return pins.length == 0
                ? Optional.empty()
                : Optional.of(replays.proven("keep what stays in the computer's memory (.cpu()) until it is needed",
                        "none of the blocks that stay", replays.altered().without(pins)));
    }

    /** An attention that does not write its scores: none of their size, weights and gradients aside. */
    private Advice unwritten(Finding finding) {
        Set<Long> scores = largest(finding);
        int[] going = IntStream.range(0, lives.count()).filter(block -> isOne(block, scores)).toArray();
        return replays.proven(finding.kind().advice(), "no result of the scores' size",
                replays.altered().without(going).scaled(lives::bytes,
                        size -> asksForOne(scores) ? 1 : size));
    }

    private Advice inChunks(Finding finding) {
        Set<Long> logits = largest(finding);
        return replays.proven(finding.kind().advice(),
                "an eighth of every result of the logits' size, and of the request that failed if it has it",
                replays.altered().scaled(
                        block -> isOne(block, logits) ? lives.bytes(block) / CHUNKS : lives.bytes(block),
                        size -> asksForOne(logits) ? size / CHUNKS : size));
    }

    private boolean isOne(int block, Set<Long> sizes) {
        return sizes.contains(lives.bytes(block)) && work.isResult(block);
    }

    private boolean asksForOne(Set<Long> sizes) {
        return sizes.contains(evidence.asked()) && work.asksForResult();
    }

    /** The sizes of the largest of what is blamed, in one type or another. */
    private Set<Long> largest(Finding finding) {
        long asked = work.asksForResult() ? evidence.asked() : 0;
        long[] blamed = Arrays.stream(finding.blamed().blocks()).mapToLong(lives::bytes).toArray();
        long top = Math.max(asked, Arrays.stream(blamed).max().orElse(0));
        Set<Long> sizes = Arrays.stream(blamed).filter(size -> Largest.areAlike(size, top)).boxed()
                .collect(Collectors.toSet());
        if (Largest.areAlike(asked, top)) {
            sizes.add(asked);
        }
        return sizes;
    }
}

package io.vramlab.install.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.vramlab.install.diagnosis.CauseKind;
import io.vramlab.install.diagnosis.Certainty;
import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.install.diagnosis.Finding;
import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.History;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.WhatIfReport;

/** Of each kind of cause the remedy that is replayed, in histories without stacks whose verdict is given. */
class RemediesTest {

    private static final long MIB = 1L << 20;

    private final History history = new History();
    private long next;

    /** What was reserved proves that so much may be had. */
    private RemediesTest mayHave(long mib) {
        history.event("segment_alloc", 0, mib * MIB);
        return this;
    }

    private RemediesTest makes(long... mib) {
        for (long each : mib) {
            history.alloc(next, each * MIB);
            next += each * MIB;
        }
        return this;
    }

    /** Something comes and goes: weights are there, and the work begins. */
    private RemediesTest works() {
        history.alloc(next, MIB).free(next, MIB);
        return this;
    }

    private List<Advice> fails(long asked, CauseKind kind, int... blamed) {
        Diagnosis found = Diagnosis.of(history.event("oom", 1L << 40, asked * MIB).story());
        Finding verdict = new Finding(kind, Certainty.LIKELY, "", "", 1, List.of(), "", Blamed.of(blamed));
        return Proofs.of(new Diagnosis(verdict, List.of(), found.figures(), found.evidence()), "",
                new WhatIfReport(List.of(), List.of()), ReplayProgress.NONE);
    }

    private static Advice named(String words, List<Advice> all) {
        return all.stream().filter(each -> each.proof().contains(words)).findFirst().orElseThrow();
    }

    @Test
    void theLargestPartOfABatchThatFitsIsAdvised() {
        mayHave(300).makes(10, 12, 14, 16).works().makes(IntStream.range(0, 8).mapToLong(i -> 32).toArray());
        Advice first = fails(1000, CauseKind.ACTIVATIONS).getFirst();
        // half: 52 + 128 + 500; a quarter: 52 + 64 + 250 = 366; an eighth: 52 + 32 + 125, of whose 126 the last one is not split off
        assertEquals("an eighth of the batch (with 8 times the accumulation)", first.what());
        assertTrue(first.enough());
        assertEquals(210 * MIB, first.allocated());
    }

    @Test
    void whereNoPartFitsHalfIsReplayedAndSaysSo() {
        mayHave(300).makes(100, 101, 99).works();
        Advice first = fails(1000, CauseKind.ACTIVATIONS).getFirst();
        assertTrue(first.what().startsWith("half the batch"), first::what);
        assertFalse(first.enough());
    }

    @Test
    void weightsThatDoNotFitAreTriedInASmallerType() {
        mayHave(300).makes(140, 130);
        List<Advice> all = fails(40, CauseKind.LIMIT);
        assertTrue(all.getFirst().what().startsWith("the weights in a type of half the size"),
                () -> all.getFirst().what());
        // 70 + 65 + 20; of the segment of 66 the last one is not split off
        assertEquals(156 * MIB, all.getFirst().allocated());
        assertTrue(all.getFirst().enough());
    }

    @Test
    void anAttemptIsJudgedWithoutThoseThatFailedBeforeIt() {
        mayHave(100).makes(10, 80);
        history.event("oom", 1L << 40, 200 * MIB);
        Diagnosis found = Diagnosis.of(history.event("oom", 1L << 40, 50 * MIB).story());
        // the block of 80 is what the first attempt left: it could have gone with it, at event 3
        Finding verdict = new Finding(CauseKind.FAILURES, Certainty.LIKELY, "", "", 1, List.of(), "",
                new Blamed(new int[]{1}, new int[]{3}));
        Advice first = Proofs.of(new Diagnosis(verdict, List.of(), found.figures(), found.evidence()), "",
                new WhatIfReport(List.of(), List.of()), ReplayProgress.NONE).getFirst();
        // the first attempt asks for 200 of 100 in any case; the last for 50 beside 10
        assertTrue(first.what().startsWith("let go of the exception"), first::what);
        assertTrue(first.enough(), first::proof);
    }

    @Test
    void whatIsLeftOfPassesIsLetGoOfWhenTheNextMakesTheSameAndASecondSetIsNoPass() {
        int[] all = IntStream.range(0, 8).toArray();
        mayHave(300).makes(IntStream.range(0, 8).mapToLong(i -> 30).toArray());
        Advice first = fails(100, CauseKind.TENSORS_KEPT, all).getFirst();
        // of eight blocks of 30 each goes when the next comes: 30 + 100 fit in 300
        assertTrue(first.enough() && first.proof().contains("what each pass kept"), first::proof);
        // letting these go proves nothing about a file that is loaded elsewhere: which of them were the file's is not known
        Advice ofFile = new RemediesTest().mayHave(300).makes(IntStream.range(0, 8).mapToLong(i -> 30).toArray())
                .fails(100, CauseKind.CHECKPOINT, all).getFirst();
        assertEquals(CauseKind.CHECKPOINT.advice(), ofFile.what());
        assertFalse(ofFile.isProven(), ofFile::proof);
    }

    @Test
    void whatFailuresLeftIsToBeLetGoOfThoughWhichBlocksAreItIsNotKnown() {
        Advice first = mayHave(300).makes(100, 101, 59).works().fails(70, CauseKind.FAILURES).getFirst();
        // half of the batch would fit, and is not what is wrong
        assertEquals(CauseKind.FAILURES.advice(), first.what());
        assertFalse(first.isProven(), first::proof);
    }

    @Test
    void anOperationIsDividedUntilItFits() {
        mayHave(100).makes(20);
        Advice first = fails(1000, CauseKind.ONE_OPERATION).getFirst();
        // 20 + 250 do not fit, 20 + 62.5 do
        assertTrue(first.enough() && first.proof().contains("in 16 parts"), first::proof);
        assertEquals(82 * MIB + MIB / 2, first.allocated());
    }

    @Test
    void whatPinsSegmentsIsMadeBeforeAllElse() {
        long second = 40 * MIB;
        history.event("segment_alloc", 0, 100 * MIB).alloc(0, 40 * MIB).alloc(second, 40 * MIB).free(0, 40 * MIB)
                .alloc(0, 2 * MIB).alloc(2 * MIB, 37 * MIB).free(second, 40 * MIB).alloc(second, 2 * MIB)
                .free(2 * MIB, 37 * MIB);
        Advice first = fails(60, CauseKind.FRAGMENTATION_PINNED, 2, 4).getFirst();
        assertTrue(first.proof().contains("what stays made before all else"), first::proof);
        // the two of 2 in a segment of 20; those of 40 are given back for the 60: 20 + 60 = 80 of 100
        assertTrue(first.enough(), first::proof);
    }

    @Test
    void workspacesAreLeftOut() {
        mayHave(100).makes(60, 10);
        Advice first = fails(70, CauseKind.WORKSPACE, 0).getFirst();
        assertTrue(first.enough(), first::proof);
        assertEquals(80 * MIB, first.allocated());
    }

    @Test
    void whatEachPassKeepsGoesWhenTheNextMakesTheSame() {
        mayHave(90).makes(8, 8, 4, 8, 8, 4, 8, 8, 4);
        Advice first = fails(50, CauseKind.GRAPH_KEPT, 0, 1, 2, 3, 4, 5, 6, 7, 8).getFirst();
        assertTrue(first.proof().contains("when the next made the same"), first::proof);
        // the last pass's 20, in two segments of 20, and the 50
        assertEquals(70 * MIB, first.allocated());
        assertTrue(first.enough());
    }

    @Test
    void layersThatComeAgainAreNoPasses() {
        mayHave(250);
        for (int pass = 0; pass < 2; pass++) {
            makes(12, 14, 16, 14, 16, 14, 16, 10);
        }
        Advice first = fails(40, CauseKind.GRAPH_KEPT, IntStream.range(0, 16).toArray()).getFirst();
        // the second pass's 112, and the 40
        assertEquals(152 * MIB, first.allocated(), first::proof);
    }

    @Test
    void whatOnePassKeepsIsNotReplayed() {
        mayHave(80).makes(30, 20, 10);
        assertFalse(fails(50, CauseKind.GRAPH_KEPT, 0, 1, 2).getFirst().isProven());
    }

    @Test
    void anOptimizersStateIsWhatIsMoreThanAGradientForEachWeight() {
        mayHave(100).makes(10, 12, 14).works().makes(10, 12, 14).makes(10, 12);
        Advice first = fails(14, CauseKind.OPTIMIZER).getFirst();
        // weights and gradients, and nothing for the state that was asked for: its byte takes a block of 512
        assertEquals(72 * MIB + 512, first.allocated());
        assertTrue(first.enough());
    }

    @Test
    void aRequestThatIsNotAnOptimizersStaysWhatItWas() {
        mayHave(110).makes(10, 12, 14).works().makes(10, 12, 14).makes(10, 12, 14);
        Advice first = fails(50, CauseKind.OPTIMIZER).stream().filter(each -> !each.what().equals("a larger limit"))
                .findFirst().orElseThrow();
        // 72 + 50 are more than 110
        assertFalse(first.enough(), first::proof);
    }

    @Test
    void anAttentionThatWritesNoScoresMakesNoneOfTheirSize() {
        mayHave(100).makes(2, 30, 30, 2);
        Advice first = fails(60, CauseKind.ATTENTION, 0, 1, 2, 3).getFirst();
        assertTrue(first.enough(), first::proof);
        assertEquals(4 * MIB + 512, first.allocated());
    }

    @Test
    void aWeightOfTheScoresSizeStaysAndSoDoesARequestForItsGradient() {
        mayHave(120).makes(30, 12).works().makes(30, 2);
        Advice first = named("scores' size", fails(30, CauseKind.ATTENTION, 2, 3));
        // 30 + 12 of weights; what came later has a weight's size and may be its gradient: 30 + 2 and the 30 stay too
        assertEquals(104 * MIB, first.allocated(), first::proof);
    }

    @Test
    void scoresThatHaveNoWeightsSizeGo() {
        mayHave(100).makes(30, 12).works().makes(28, 2);
        Advice first = fails(28, CauseKind.ATTENTION, 2, 3).getFirst();
        // 30 + 12 + 2, and the byte that is left of the request
        assertEquals(44 * MIB + 512, first.allocated(), first::proof);
    }

    @Test
    void aWeightOfTheLogitsSizeStaysWhole() {
        mayHave(140).makes(40, 12).works().makes(36, 40);
        Advice first = named("logits' size", fails(36, CauseKind.LOGITS, 2, 3));
        // 40 + 12, 40 that may be a gradient, and 36 / 8 twice
        assertEquals(101 * MIB, first.allocated(), first::proof);
    }

    @Test
    void weightsOfASmallerTypeDoNotMakeTheWorkSmaller() {
        mayHave(300).makes(150, 100).works();
        Advice first = fails(60, CauseKind.LIMIT).getFirst();
        // 75 + 50 and the 60, which are no weight's; of the segment of 76 the last one is not split off
        assertTrue(first.what().startsWith("the weights in a type of half the size"), first::what);
        assertEquals(186 * MIB, first.allocated(), first::proof);
    }

    @Test
    void logitsAreMadeInChunks() {
        mayHave(100).makes(2, 40, 40, 2);
        Advice first = fails(40, CauseKind.LOGITS, 0, 1, 2, 3).getFirst();
        // 2 + 2 and three times 40 / 8; of the segment of 20 the last one is not split off
        assertTrue(first.enough(), first::proof);
        assertEquals(20 * MIB, first.allocated());
    }
}

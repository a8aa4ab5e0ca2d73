package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.vramlab.install.story.History;
import io.vramlab.install.story.Moment;
import io.vramlab.install.story.Story;
import io.vramlab.install.diagnosis.Figures.Cause;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.internal.whatif.ProvenLimits;

class FiguresTest {

    private static final long MIB = 1L << 20;
    private static final long PLENTY = 100L << 30;

    private static Cause cause(History history) {
        return Figures.of(history.story()).cause();
    }

    /** 40 steps: each uses 100 MiB and, when it leaks, leaves 4 MiB behind. */
    private static History steps(boolean leaking) {
        History history = new History().event("segment_alloc", 0, 400 * MIB);
        for (int step = 0; step < 40; step++) {
            for (int i = 0; i < 4; i++) {
                history.alloc(200 * MIB + i * 25 * MIB, 25 * MIB);
            }
            if (leaking) {
                history.alloc(step * 4 * MIB, 4 * MIB);
            }
            for (int i = 0; i < 4; i++) {
                history.free(200 * MIB + i * 25 * MIB, 25 * MIB);
            }
        }
        return history;
    }

    @Test
    void whatGrowsInEveryStepIsALeak() {
        assertEquals(Cause.LEAK, cause(steps(true).alloc(200 * MIB, 190 * MIB)));
    }

    @Test
    void stepsThatLeaveNothingBehindAreNone() {
        // at most 100 MiB in use; 110 reserved: slack of 9 %
        History history = new History().event("segment_alloc", 0, 110 * MIB);
        for (int step = 0; step < 100; step++) {
            history.alloc(0, 100 * MIB).free(0, 100 * MIB);
        }
        assertEquals(Cause.NONE, cause(history));
    }

    @Test
    void aModelThatOnlyGrowsWhileItIsMadeIsNoLeak() {
        // nothing is freed: it simply needs more than it may have
        History history = new History();
        for (int layer = 0; layer < 200; layer++) {
            history.event("segment_alloc", layer * 20 * MIB, 20 * MIB).alloc(layer * 20 * MIB, 20 * MIB);
        }
        assertEquals(Cause.LIMIT, cause(history.event("oom", PLENTY, 20 * MIB)));
    }

    @Test
    void enoughInTooSmallHolesIsFragmentation() {
        // ten segments of 20 MiB, half of each in use: 100 MiB are free, the largest hole has 10
        History history = new History();
        for (int i = 0; i < 10; i++) {
            history.event("segment_alloc", i * 64 * MIB, 20 * MIB).alloc(i * 64 * MIB, 10 * MIB);
        }
        Story story = history.event("oom", PLENTY, 50 * MIB).story();
        assertEquals(Cause.FRAGMENTATION, Figures.of(story).cause());
        assertEquals(new Moment.Cached(100 * MIB, 10, 10 * MIB), story.at(story.failures().getFirst()).cached());
    }

    /** A segment of 100 MiB with 90 free, a pool's of 40 with 4 free, and 20 asked for where 36 were asked for last. */
    private static Cause pools(boolean within) {
        History history = new History().event("segment_alloc", 0, 100 * MIB).event("segment_alloc", 256 * MIB,
                40 * MIB);
        if (within) {
            history.alloc(0, 10 * MIB).alloc(256 * MIB, 36 * MIB);
        } else {
            history.alloc(256 * MIB, 36 * MIB).alloc(0, 10 * MIB);
        }
        return Figures.of(history.event("oom", PLENTY, 20 * MIB).story(List.of(
                History.segment(0, 100 * MIB, 0, 0), History.segment(256 * MIB, 40 * MIB, 0, 1)))).cause();
    }

    @Test
    void whatIsFreeOutsideOfAPoolServesNothingWithinIt() {
        assertEquals(Cause.STREAMS, pools(true));
        // the same request outside of it has a hole of 90 MiB
        assertEquals(Cause.FRAGMENTATION, pools(false));
    }

    @Test
    void aRequestBeyondWhatWasEverAllowedIsTheLimit() {
        // 10 MiB in use and 50 asked for come to 60; at most 20 are known to have been allowed
        Story story = new History().event("segment_alloc", 0, 20 * MIB).alloc(0, 10 * MIB)
                .event("oom", PLENTY, 50 * MIB).story();
        assertEquals(Cause.LIMIT, Figures.of(story).cause());
        assertTrue(says(story, "The request alone is more than that."));
    }

    @Test
    void whatTheFullDeviceHadFreeCountsAsAllowed() {
        // 10 in use, 20 reserved, 45 free on the device: 65 could be had, 10 + 50 would fit
        assertEquals(Cause.FRAGMENTATION, cause(new History().event("segment_alloc", 0, 20 * MIB).alloc(0, 10 * MIB)
                .event("oom", 45 * MIB, 50 * MIB)));
    }

    @Test
    void blocksFromBeforeTheHistoryAreCountedFromItsStart() {
        Story story = new History().alloc(0, 10 * MIB).free(512 * MIB, 30 * MIB).story();
        assertEquals(30 * MIB, story.live(-1));
        assertEquals(40 * MIB, story.live(story.peak()));
        assertEquals(10 * MIB, story.live(story.events().size() - 1));
    }

    @Test
    void partsOfAnExpandableSegmentThatMeetAreOneHole() {
        // 2 MiB pieces mapped one by one, a block of 3 MiB across the first two: one hole of 3 MiB is left
        Story story = new History().event("segment_map", 0, 2 * MIB).event("segment_map", 2 * MIB, 2 * MIB)
                .event("segment_map", 4 * MIB, 2 * MIB).alloc(0, 3 * MIB).story();
        assertEquals(new Moment.Cached(3 * MIB, 1, 3 * MIB), story.at(3).cached());
        // the second piece cannot go while the block lies in it; the third can
        Story unmapped = new History().event("segment_map", 0, 6 * MIB).event("segment_unmap", 4 * MIB, 2 * MIB)
                .story();
        assertEquals(new Moment.Cached(4 * MIB, 1, 4 * MIB), unmapped.at(1).cached());
    }

    @Test
    void aCacheFlushedForARequestThatWouldHaveFittedIsFragmentationThoughNothingFailed() {
        // 90 of 100 MiB reserved are in use in two segments with holes of 5 MiB; a segment of 8 comes after one of 10 went:
        // 90 + 8 would have fitted into 110
        History history = new History().event("segment_alloc", 0, 50 * MIB).event("segment_alloc", 100 * MIB, 50 * MIB)
                .event("segment_alloc", 200 * MIB, 10 * MIB).alloc(0, 45 * MIB).alloc(100 * MIB, 45 * MIB)
                .event("segment_free", 200 * MIB, 10 * MIB).event("segment_alloc", 300 * MIB, 8 * MIB)
                .alloc(300 * MIB, 8 * MIB);
        Figures diagnosis = Figures.of(history.story());
        assertEquals(Cause.FRAGMENTATION, diagnosis.cause());
        assertEquals(
                "The cache was flushed to make room 1 time: reserved memory had reached what was allowed, and each flush"
                        + " waits for the device.",
                diagnosis.sentences().getFirst());
    }

    @Test
    void segmentsOfTheirOwnThatHappenToMeetAreTwoHoles() {
        // two of 20 MiB side by side, nothing in use: no request larger than 20 MiB fits
        Story story = new History().event("segment_alloc", 0, 20 * MIB).event("segment_alloc", 20 * MIB, 20 * MIB)
                .story();
        assertEquals(new Moment.Cached(40 * MIB, 2, 20 * MIB), story.at(1).cached());
    }

    private static boolean says(Story story, String words) {
        return String.join(" ", Figures.of(story).sentences()).contains(words);
    }

    @Test
    void aFewLongStepsThatEachLeaveSomethingBehindAreALeak() {
        // six steps of 70 allocations, each step leaves 40 MiB: ten stretches would not hold one whole step each
        History history = new History().event("segment_alloc", 0, 600 * MIB);
        for (int step = 0; step < 7; step++) {
            for (int i = 0; i < 35; i++) {
                history.alloc(300 * MIB + i * 5 * MIB, 5 * MIB);
            }
            history.alloc(step * 40 * MIB, 40 * MIB);
            for (int i = 0; i < 35; i++) {
                history.free(300 * MIB + i * 5 * MIB, 5 * MIB);
            }
        }
        assertEquals(Cause.LEAK, cause(history.event("oom", PLENTY, 340 * MIB)));
    }

    @Test
    void optimizerStateThatComesWithTheFirstStepIsNoLeak() {
        // 100 MiB of parameters, 200 more with the first step, then the same again and again until a batch too large
        History history = new History().event("segment_alloc", 0, 800 * MIB).alloc(0, 100 * MIB);
        for (int step = 0; step < 8; step++) {
            for (int i = 0; i < 20; i++) {
                history.alloc(400 * MIB + i * 5 * MIB, 5 * MIB);
            }
            if (step == 0) {
                history.alloc(100 * MIB, 200 * MIB);
            }
            for (int i = 0; i < 20; i++) {
                history.free(400 * MIB + i * 5 * MIB, 5 * MIB);
            }
        }
        // 300 in use, 800 the most reserved
        assertEquals(Cause.LIMIT, cause(history.event("oom", PLENTY, 600 * MIB)));
    }

    @Test
    void aHoleThatIsAnotherStreamsDoesNotServe() {
        // both segments half in use; the hole of 60 MiB is stream 7's, and the request comes on stream 0
        Story story = new History().event("segment_alloc", 0, 20 * MIB).alloc(0, 10 * MIB)
                .event("segment_alloc", 100 * MIB, 70 * MIB, 7).event("alloc", 100 * MIB, 10 * MIB, 7)
                .event("oom", PLENTY, 50 * MIB).story();
        assertEquals(Cause.STREAMS, Figures.of(story).cause());
        assertTrue(says(story, "the hole of 60.00 MiB (62,914,560 bytes) is cached for another stream"));
        assertTrue(says(story, "of this stream's had 10.00 MiB (10,485,760 bytes)"));
    }

    @Test
    void whatWasFreedAndWaitsForAnotherStreamIsNamed() {
        // 90 of 100 MiB in use, 80 of them freed but recorded for another stream: 10 + 60 would fit
        Story story = new History().event("segment_alloc", 0, 100 * MIB).alloc(0, 10 * MIB).alloc(10 * MIB, 80 * MIB)
                .event("free_requested", 10 * MIB, 80 * MIB).event("oom", PLENTY, 60 * MIB).story();
        assertEquals(Cause.STREAMS, Figures.of(story).cause());
        assertTrue(says(story, "80.00 MiB (83,886,080 bytes) of what was in use had been freed already"));
    }

    @Test
    void aHoleInAPoolThatTheProgramMadeIsNoGraphs() {
        // 100 MiB were had, 60 of them lie free in the pool (0, 1), on the default stream, where no graph can be captured; 50 are asked for
        Story story = new History().event("segment_alloc", 0, 60 * MIB).alloc(0, 60 * MIB).free(0, 60 * MIB)
                .event("segment_alloc", 100 * MIB, 40 * MIB).alloc(100 * MIB, 30 * MIB)
                .event("oom", PLENTY, 50 * MIB).story(List.of(History.segment(0, 60 * MIB, 0, 1)));
        assertEquals(Cause.STREAMS, Figures.of(story).cause());
        assertTrue(says(story, "belongs to a pool that the program made (torch.cuda.MemPool)"));
        Finding verdict = Diagnosis.of(story).verdict();
        assertEquals(CauseKind.STREAMS, verdict.kind());
        assertTrue(verdict.because().getFirst().startsWith("60.00 MiB"), verdict::toString);
    }

    @Test
    void aHoleInThePrivatePoolOfAGraphDoesNotServe() {
        Story story = new History().event("segment_alloc", 0, 20 * MIB).alloc(0, 10 * MIB)
                .event("segment_alloc", 100 * MIB, 70 * MIB).event("oom", PLENTY, 50 * MIB)
                .story(List.of(History.segment(100 * MIB, 70 * MIB, 3, 0)));
        assertEquals(Cause.GRAPHS, Figures.of(story).cause());
        // the same in the default pool serves
        assertEquals(Cause.FRAGMENTATION, Figures.of(new History().event("segment_alloc", 0, 20 * MIB)
                .alloc(0, 10 * MIB).event("segment_alloc", 100 * MIB, 70 * MIB).event("oom", PLENTY, 50 * MIB)
                .story(List.of(History.segment(100 * MIB, 70 * MIB, 0, 0)))).cause());
    }

    @Test
    void aDeviceThatOthersFillIsToldWithWhatThisProcessCouldHaveHad() {
        // 20 reserved and 5 free make 25; 10 in use and 40 asked for do not fit
        Story story = new History().event("segment_alloc", 0, 20 * MIB).alloc(0, 10 * MIB)
                .event("oom", 5 * MIB, 40 * MIB).story();
        assertEquals(Cause.LIMIT, Figures.of(story).cause());
        assertTrue(says(story, "only 5.00 MiB (5,242,880 bytes) free. With what this process held that makes 25.00 MiB"
                + " (26,214,400 bytes); where the GPU has more, the rest was held by other processes"));
    }

    @Test
    void aCacheThatTheProgramEmptiesIsNotTakenForOneThatWasFlushedToMakeRoom() {
        // 100 MiB at the peak; later 50 stay, and 20 come and are given back in every epoch: 70 + 20 had room
        History history = new History().event("segment_alloc", 0, 50 * MIB).alloc(0, 50 * MIB)
                .event("segment_alloc", 100 * MIB, 50 * MIB).alloc(100 * MIB, 50 * MIB).free(100 * MIB, 50 * MIB)
                .event("segment_free", 100 * MIB, 50 * MIB).alloc(300 * MIB, 512).free(300 * MIB, 512);
        for (int epoch = 0; epoch < 4; epoch++) {
            history.event("segment_alloc", 100 * MIB, 20 * MIB).alloc(100 * MIB, 20 * MIB).free(100 * MIB, 20 * MIB)
                    .event("segment_free", 100 * MIB, 20 * MIB);
        }
        Story story = history.story();
        // three times something is taken right after it was given back
        assertTrue(says(story, "given back 3 times though there was room"));
        assertFalse(says(story, "flushed to make room"));
    }

    @Test
    void aSmallRequestThatFailsBesideALargeHoleIsExplained() {
        // requests of up to 1 MiB come from segments of 2 MiB, and no more may be reserved
        Story story = new History().event("segment_alloc", 0, 20 * MIB).alloc(0, 10 * MIB)
                .event("oom", PLENTY, MIB / 2).story();
        assertEquals(Cause.FRAGMENTATION, Figures.of(story).cause());
        assertTrue(says(story, "a request of up to 1 MiB needs a segment of 2 MiB among others of its kind"));
    }

    @Test
    void whereUseAndRequestWouldFillAllThatWasAllowedItIsTheLimit() {
        // 990 of 1,000 MiB would be in use: holes of 10 MiB are what rounding takes, no cause
        Story story = new History().event("segment_alloc", 0, 950 * MIB).event("segment_alloc", 2000 * MIB, 50 * MIB)
                .alloc(0, 930 * MIB).alloc(2000 * MIB, 5 * MIB).event("oom", PLENTY, 55 * MIB).story();
        assertEquals(Cause.LIMIT, Figures.of(story).cause());
        assertTrue(says(story, "99.0 % of"));
    }

    /** The command that replays and the report that tells why hold a history to the same limit, though they count apart. */
    @Test
    void whatIfAndTheReportKnowTheSameLimit() throws IOException, URISyntaxException {
        try (Stream<Path> files = Files.list(Path.of(FiguresTest.class.getResource("/diagnosis").toURI()))) {
            List<Path> some = files.filter(file -> file.getFileName().toString().startsWith("a1_")).sorted().toList();
            assertFalse(some.isEmpty());
            for (Path file : some) {
                MemorySnapshot snapshot = MemorySnapshot.read(file);
                for (int device : snapshot.devicesWithHistory()) {
                    assertEquals(Figures.allowed(Story.of(snapshot, device)),
                            ProvenLimits.of(snapshot).byDevice().get(device), file + " " + device);
                }
            }
        }
    }
}

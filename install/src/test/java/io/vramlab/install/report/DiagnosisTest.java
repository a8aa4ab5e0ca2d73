package io.vramlab.install.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import io.vramlab.install.report.Diagnosis.Cause;

class DiagnosisTest {

    private static final long MIB = 1L << 20;
    private static final long PLENTY = 100L << 30;

    private static Cause cause(History history) {
        return Diagnosis.of(history.story()).cause();
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
        assertEquals(Cause.FRAGMENTATION, Diagnosis.of(story).cause());
        assertEquals(new Moment.Cached(100 * MIB, 10, 10 * MIB), story.at(story.failures().getFirst()).cached());
    }

    @Test
    void aRequestBeyondWhatWasEverAllowedIsTheLimit() {
        // 10 MiB in use and 50 asked for come to 60; at most 20 are known to have been allowed
        assertEquals(Cause.LIMIT, cause(new History().event("segment_alloc", 0, 20 * MIB).alloc(0, 10 * MIB)
                .event("oom", PLENTY, 50 * MIB)));
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
        Diagnosis diagnosis = Diagnosis.of(history.story());
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
}

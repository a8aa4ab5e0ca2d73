package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Story;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;

/** The program gives its cache back again and again, and takes as much anew. */
final class CacheEmptied implements Detector {

    private static final int FEWEST = 5;
    /** Without stacks: so much of what was given back is taken again in segments of the same sizes ... */
    private static final double SAME_AGAIN = 0.8;
    /** ... and so much of the peak at most was in use when it was given back, between two steps. */
    private static final double CALM = 0.5;

    @Override
    public Optional<Finding> look(Evidence e) {
        int[] emptied = e.story().timesEmptied();
        int[] called = Arrays.stream(emptied).filter(e.story()::isByCall).toArray();
        // libraries that try algorithms (cudnn.benchmark) empty it too, at the beginning
        boolean late = emptied.length > 0 && emptied[emptied.length / 2] > e.story().events().size() / 4;
        int times = e.hasStacks() ? called.length : late ? Math.max(emptied.length, forNothing(e)) : forNothing(e);
        if (times < FEWEST) {
            return Optional.empty();
        }
        return Optional.of(new Finding(CauseKind.CACHE_EMPTIED, e.hasStacks() ? Certainty.SURE : Certainty.LIKELY,
                e.line(called), "", e.failed() ? 0.1 : 0.95,
                List.of("Cached memory was given back " + times
                        + " times though there was room, and taken from the driver again."),
                e.hasStacks() ? "" : Evidence.stacksWanted(), Blamed.NONE));
    }

    /** How often the cache was given back between steps and taken again as it was: no request had needed it otherwise. */
    private static int forNothing(Evidence e) {
        Story story = e.story();
        Map<Long, Integer> given = new HashMap<>();
        long bytes = 0;
        long again = 0;
        boolean calm = false;
        boolean giving = false;
        int times = 0;
        for (int i = 0; i < story.events().size(); i++) {
            TraceEntry event = story.events().get(i);
            if (event.action() == TraceAction.SEGMENT_FREE) {
                if (!giving) {
                    times += calm && again >= SAME_AGAIN * bytes ? 1 : 0;
                    given.clear();
                    bytes = 0;
                    again = 0;
                    calm = story.live(i - 1) < CALM * story.live(story.peak());
                    giving = true;
                }
                given.merge(event.size(), 1, Integer::sum);
                bytes += event.size();
            } else if (event.action() == TraceAction.SEGMENT_ALLOC) {
                giving = false;
                again += given.merge(event.size(), -1, Integer::sum) >= 0 ? event.size() : 0;
            } else if (event.action() == TraceAction.ALLOC) {
                giving = false;
            }
        }
        return times;
    }
}

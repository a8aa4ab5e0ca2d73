package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;

/** The program gives its cache back again and again, and takes as much anew. */
final class CacheEmptied implements Detector {

    private static final int FEWEST = 5;

    @Override
    public Optional<Finding> look(Evidence e) {
        int[] emptied = e.story().timesEmptied();
        int[] called = Arrays.stream(emptied).filter(e.story()::isByCall).toArray();
        int times = e.hasStacks() ? called.length : emptied.length;
        // libraries that try algorithms (cudnn.benchmark) empty it too, at the beginning
        boolean late = times > 0 && emptied[times / 2] > e.story().events().size() / 4;
        if (times < FEWEST || !e.hasStacks() && !late) {
            return Optional.empty();
        }
        return Optional.of(new Finding(Kind.CACHE_EMPTIED, e.hasStacks() ? Certainty.SURE : Certainty.LIKELY,
                e.line(called), "", e.failed() ? 0.1 : 0.95,
                List.of("Cached memory was given back " + times
                        + " times though there was room, and taken from the driver again."),
                e.hasStacks() ? "" : Evidence.stacksWanted(), Blamed.NONE));
    }
}

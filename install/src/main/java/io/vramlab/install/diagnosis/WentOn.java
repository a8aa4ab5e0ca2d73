package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.stream.IntStream;

import io.vramlab.install.story.Story;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.TraceAction;

/**
 * Whether a program went on after its failures and was not stopped by them, as a search for the largest batch does, or one that skips
 * what is too large. One that skips and leaks goes on for a while too: what is in use between its turns rises to the end.
 */
final class WentOn {

    /** A program that asked for as much again after its last failure as before was not stopped by it. */
    private static final double AS_MUCH = 0.5;
    /** Of the requests that were served; the first stretch may hold the making of what the work needs. */
    private static final int STRETCHES = 6;
    /** Of the room: less is noise, or a buffer that fills. */
    private static final double LEAST_RISE = 0.1;

    private WentOn() {
    }

    static boolean isUnharmed(Evidence e) {
        return e.wentOn() >= AS_MUCH && !isOfThread(e) && !rises(e);
    }

    /** Whether a thread beside the program's first asked for what failed: what ends it does not end the others. */
    static boolean isOfThread(Evidence e) {
        return e.failed() && e.hasStacks() && CallSites.frames(e.failing().site()).stream()
                .anyMatch(frame -> frame.method().startsWith("_bootstrap"));
    }

    /** Whether the least in use rises from each stretch of the history to the next. */
    private static boolean rises(Evidence e) {
        Story story = e.story();
        int[] served = IntStream.range(0, story.events().size())
                .filter(event -> story.events().get(event).action() == TraceAction.ALLOC).toArray();
        if (served.length < STRETCHES * 2) {
            return false;
        }
        long[] least = new long[STRETCHES];
        Arrays.fill(least, Long.MAX_VALUE);
        // to the last request: what a program that ends lets go of tells nothing
        for (int i = 0; i + 1 < served.length; i++) {
            int stretch = (int) ((long) STRETCHES * i / served.length);
            for (int event = served[i]; event < served[i + 1]; event++) {
                least[stretch] = Math.min(least[stretch], story.live(event));
            }
        }
        boolean always = IntStream.range(2, STRETCHES).allMatch(i -> least[i] > least[i - 1]);
        return always && least[STRETCHES - 1] - least[1] > LEAST_RISE * Figures.room(story, e.at());
    }
}

package io.vramlab.install.report;

import java.util.ArrayList;
import java.util.List;

import io.vramlab.install.story.Story;
import io.vramlab.memory.Sizes;

/**
 * Requests of one size that failed one after another with nothing between them, as where a program catches the error and tries again:
 * one row of a table.
 *
 * @param first the first one's event
 * @param last the last one's event
 * @param times how many
 * @param asked bytes that each asked for
 */
record FailureRun(int first, int last, int times, long asked) {

    static List<FailureRun> of(Story story) {
        List<FailureRun> runs = new ArrayList<>();
        for (int at : story.failures()) {
            long asked = story.events().get(at).size();
            FailureRun before = runs.isEmpty() ? null : runs.getLast();
            if (before != null && before.last + 1 == at && before.asked == asked) {
                runs.set(runs.size() - 1, new FailureRun(before.first, at, before.times + 1, asked));
            } else {
                runs.add(new FailureRun(at, at, 1, asked));
            }
        }
        return runs;
    }

    /** {@code out of memory}, with how often where it was several times. */
    String name() {
        return times == 1 ? "out of memory" : "out of memory " + Sizes.exact(times) + " times";
    }

    /** The event, or the first and the last. */
    String events() {
        return times == 1 ? Sizes.exact(first) : Sizes.exact(first) + " to " + Sizes.exact(last);
    }
}

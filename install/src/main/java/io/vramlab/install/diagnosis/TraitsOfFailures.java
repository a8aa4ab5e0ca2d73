package io.vramlab.install.diagnosis;

import java.util.List;
import java.util.stream.IntStream;

import io.vramlab.install.story.Story;

/** What was in use before the first request that failed, and between it and the last. */
final class TraitsOfFailures {

    private TraitsOfFailures() {
    }

    static void add(Traits to, Evidence e) {
        Story story = e.story();
        List<Integer> seen = story.failures().stream().filter(failure -> !e.isSurvived(failure)).toList();
        to.count("failures", seen.size());
        to.put("went-on", e.wentOn());
        to.put("asked-in-thread", WentOn.isOfThread(e));
        to.count("failures-all", story.failures().size());
        boolean several = seen.size() > 1;
        int first = several ? seen.getFirst() : 0;
        int last = several ? seen.getLast() : 0;
        long live = several ? story.live(first) : 0;
        long after = IntStream.rangeClosed(first, last).mapToLong(story::live).min().orElse(0);
        long before = IntStream.range(first / 3, first).mapToLong(story::live).min().orElse(after);
        to.put("failures-after", several ? Traits.part(after, live) : 0);
        to.put("failures-rise", several ? Traits.part(after - before, live) : 0);
        to.put("failures-freed", several ? Traits.part(story.freed(first, last), live) : 0);
    }
}

package io.vramlab.install.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.vramlab.memory.Sizes;
import io.vramlab.memory.TraceAction;

/**
 * Why memory ran out, or would have, read from a history's figures.
 *
 * @param cause its kind
 * @param sentences what the figures say, each a sentence
 * @param growth where growth is measured from and to, as events; the same place twice when there was nothing to measure
 */
public record Diagnosis(Cause cause, List<String> sentences, Span growth) {

    private static final int WINDOWS = 10;
    /** The first windows hold the model's and the optimizer's making, which is growth but no leak. */
    private static final int WARM_UP = 3;
    /** Growth below this share of what is held at the end is noise. */
    private static final double LEAST_SHARE = 0.15;
    /** Below this share reserved and unused memory is the cache's usual slack. */
    private static final double USUAL_SLACK = 0.2;

    /** The kinds of cause. */
    public enum Cause {
        /** What is in use grows from one step to the next. */
        LEAK("a leak: what is in use grows steadily"),
        /** Enough is cached, in no piece that is large enough. */
        FRAGMENTATION("fragmentation: much is reserved and not in use, in pieces that do not fit"),
        /** What is in use and the request together exceed what may be had. */
        LIMIT("the limit: the program needs more at once than it may have"),
        /** Nothing failed and nothing is out of the ordinary. */
        NONE("nothing is wrong: what is in use neither grows without end nor lies scattered");

        private final String text;

        Cause(String text) {
            this.text = text;
        }

        /** In words. */
        public String text() {
            return text;
        }
    }

    /** Two events. */
    public record Span(int from, int to) {
    }

    /** Reads a history. */
    public static Diagnosis of(Story story) {
        int end = story.decisive();
        Span span = growth(story, end);
        List<String> sentences = new ArrayList<>();
        boolean failed = !story.failures().isEmpty();
        boolean leaks = span.from() < span.to();
        if (leaks) {
            sentences.add("The least in use between steps rose in every stretch of the history, from "
                    + Sizes.both(story.live(span.from())) + " at event " + span.from() + " to "
                    + Sizes.both(story.live(span.to())) + " at event " + span.to()
                    + ", while " + Sizes.both(story.freed(span.from(), span.to()))
                    + " were freed in between: something keeps a little of every step.");
        }
        boolean pressed = flushes(story, sentences);
        Cause other = failed ? failure(story, end, sentences) : slack(story, pressed, sentences);
        return new Diagnosis(leaks ? Cause.LEAK : other, List.copyOf(sentences), span);
    }

    /**
     * The bytes that the process could have had: what it ever held, or what it held and the driver had free when the driver
     * was what refused.
     */
    static long room(Story story, int failure) {
        long asked = story.events().get(failure).size();
        long free = story.events().get(failure).address();
        return Math.max(story.mostReserved(failure), free < asked ? story.reserved(failure) + free : 0);
    }

    private static Cause failure(Story story, int at, List<String> sentences) {
        long asked = story.events().get(at).size();
        long free = story.events().get(at).address();
        long live = story.live(at);
        Moment.Cached cached = story.at(at).cached();
        long room = room(story, at);
        boolean scattered = room - live >= asked;
        sentences.add("Event " + at + " asked for " + Sizes.both(asked) + " and failed. " + Sizes.both(live)
                + " were in use and " + Sizes.both(story.reserved(at)) + " reserved; the largest hole in the cache had "
                + Sizes.both(cached.largest()) + ".");
        sentences.add(free < asked
                ? "The device itself had only " + Sizes.both(free) + " free."
                : "The device had " + Sizes.both(free)
                        + " free, so a limit set for the process refused: torch.cuda.set_per_process_memory_fraction or"
                        + " its like.");
        sentences.add(scattered
                ? "It had held up to " + Sizes.both(room) + ", so use and request together would have fitted: the holes"
                        + " were too small."
                : "Use and request together come to " + Sizes.both(live + asked) + ", more than the " + Sizes.both(room)
                        + " that it is known to have been allowed: closing the holes would not have been enough.");
        return scattered ? Cause.FRAGMENTATION : Cause.LIMIT;
    }

    /** Tells of the cache's flushes; whether at one of them use and request together would have fitted. */
    private static boolean flushes(Story story, List<String> sentences) {
        List<Integer> flushes = story.flushes();
        if (flushes.isEmpty()) {
            return false;
        }
        sentences
                .add("The cache was flushed to make room " + flushes.size() + (flushes.size() == 1 ? " time" : " times")
                        + ": reserved memory had reached what was allowed, and each flush waits for the device.");
        long room = story.mostReserved(story.events().size() - 1);
        for (int taken : flushes) {
            int before = taken - 1;
            while (before >= 0 && isGivenBack(story, before)) {
                before--;
            }
            long asked = story.events().get(taken).size();
            if (room - story.live(before) >= asked) {
                sentences.add("At event " + taken + " " + Sizes.both(asked) + " were taken anew; "
                        + Sizes.both(story.live(before)) + " of " + Sizes.both(story.reserved(before))
                        + " reserved were in use. Use and request together would have fitted; what was cached did not"
                        + " serve the request.");
                return true;
            }
        }
        return false;
    }

    private static boolean isGivenBack(Story story, int event) {
        return story.events().get(event).action() == TraceAction.SEGMENT_FREE
                || story.events().get(event).action() == TraceAction.SEGMENT_UNMAP;
    }

    private static Cause slack(Story story, boolean pressed, List<String> sentences) {
        int last = story.events().size() - 1;
        long most = story.mostReserved(last);
        long peak = story.live(story.peak());
        double share = most == 0 ? 0 : 1 - (double) peak / most;
        boolean scattered = share > USUAL_SLACK;
        sentences.add(String.format(Locale.ROOT,
                "No request failed. At most %s were in use and at most %s reserved: %.1f %% were reserved for nothing%s",
                Sizes.both(peak), Sizes.both(most), 100 * share,
                scattered ? ", which under a limit costs flushes of the cache, or fails." : "."));
        return scattered || pressed ? Cause.FRAGMENTATION : Cause.NONE;
    }

    /** The stretch over which the troughs rise without a break; empty when they do not. */
    private static Span growth(Story story, int end) {
        Span none = new Span(0, 0);
        if (end < 10 * WINDOWS) {
            return none;
        }
        List<Integer> troughs = new ArrayList<>();
        for (int w = WARM_UP; w < WINDOWS; w++) {
            int from = (int) ((long) end * w / WINDOWS);
            int to = (int) ((long) end * (w + 1) / WINDOWS);
            int lowest = from;
            for (int i = from; i < to; i++) {
                lowest = story.live(i) < story.live(lowest) ? i : lowest;
            }
            if (!troughs.isEmpty() && story.live(lowest) <= story.live(troughs.getLast())) {
                return none;
            }
            troughs.add(lowest);
        }
        int first = troughs.getFirst();
        int last = troughs.getLast();
        long grown = story.live(last) - story.live(first);
        boolean steps = story.freed(first, last) >= grown;
        return steps && grown >= LEAST_SHARE * story.live(last) ? new Span(first, last) : none;
    }
}

package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.vramlab.install.story.Moment;
import io.vramlab.install.story.Story;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.Sizes;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;

/**
 * Why memory ran out, or would have, read from a history's figures.
 *
 * @param cause its kind
 * @param other its kind but for a leak: whether use and request would have fitted
 * @param sentences what the figures say, each a sentence
 * @param growth where growth is measured from and to, as events; the same place twice when there was nothing to measure
 */
public record Figures(Cause cause, Cause other, List<String> sentences, Span growth) {

    /** Histories are cut into so many stretches; into fewer where steps are so long that a stretch may hold none whole. */
    private static final int[] WINDOWS = {10, 6};
    /** The share of stretches that may hold the model's and the optimizer's making, which is growth but no leak. */
    private static final double WARM_UP = 0.3;
    /** Of fewer stretches the rises must be alike: each at least this share of the mean one. */
    private static final double LEAST_RISE = 0.25;
    /** Growth below this share of what is held at the end is noise. */
    private static final double LEAST_SHARE = 0.15;
    /** ... and below this one in a program that failed, which may show the end of a long growth only. */
    private static final double LEAST_SHARE_OF_FAILED = 0.08;
    /** What rounding takes of all memory at the most, usually. */
    private static final double ROUNDING = 0.02;
    /** Below this share reserved and unused memory is the cache's usual slack. */
    private static final double USUAL_SLACK = 0.2;

    /** The kinds of cause. */
    public enum Cause {
        /** What is in use grows from one step to the next. */
        LEAK("a leak: what is in use grows steadily"),
        /** Enough is cached, in no piece that is large enough. */
        FRAGMENTATION("fragmentation: much is reserved and not in use, in pieces that do not fit"),
        /** What is free is another stream's, or not yet free because another stream reads it. */
        STREAMS("streams or pools: what is free is cached for another, or waits for a stream"),
        /** What is free belongs to captured CUDA graphs. */
        GRAPHS("CUDA graphs: what is free belongs to their private pools"),
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

    /** Of a leak: how the least in use rose, which is the first of the sentences. */
    String growthInWords() {
        return sentences.getFirst();
    }

    /** Reads a history. */
    public static Figures of(Story story) {
        return of(story, story.decisive());
    }

    /** Reads a history up to its decisive moment: the first failure that the program saw, or else the peak. */
    static Figures of(Story story, int end) {
        Span span = growth(story, end);
        List<String> sentences = new ArrayList<>();
        boolean failed = !story.failures().isEmpty();
        boolean leaks = span.from() < span.to();
        if (leaks) {
            sentences.add("The least in use between steps rose in every stretch of the history, from "
                    + Sizes.both(story.live(span.from())) + " at event " + Sizes.exact(span.from()) + " to "
                    + Sizes.both(story.live(span.to())) + " at event " + Sizes.exact(span.to())
                    + ", while " + Sizes.both(story.freed(span.from(), span.to()))
                    + " were freed in between: something keeps a little of every step.");
        }
        boolean pressed = flushes(story, sentences);
        Cause other = failed ? failure(story, end, sentences) : slack(story, pressed, sentences);
        return new Figures(leaks ? Cause.LEAK : other, other, List.copyOf(sentences), span);
    }

    /**
     * The bytes that the process could have had: what it ever held, or what it held and the driver had free when the driver
     * was what refused.
     */
    public static long room(Story story, int failure) {
        long asked = story.events().get(failure).size();
        long free = story.events().get(failure).address();
        return Math.max(story.mostReserved(failure), free < asked ? story.reserved(failure) + free : 0);
    }

    /**
     * The most bytes that a history in which requests failed proves might be reserved: at whichever failure, or later, where the
     * program went on. 0 where nothing failed.
     */
    public static long allowed(Story story) {
        return story.failures().isEmpty()
                ? 0
                : Math.max(story.mostReserved(story.events().size() - 1),
                        story.failures().stream().mapToLong(failure -> room(story, failure)).max().orElse(0));
    }

    private static Cause failure(Story story, int at, List<String> sentences) {
        long asked = story.events().get(at).size();
        long free = story.events().get(at).address();
        long live = story.live(at);
        Moment moment = story.at(at);
        long room = room(story, at);
        sentences.add("Event " + Sizes.exact(at) + " asked for " + Sizes.both(asked) + " and failed. "
                + Sizes.both(live)
                + " were in use and " + Sizes.both(story.reserved(at)) + " reserved; the largest hole in the cache had "
                + Sizes.both(moment.cached().largest()) + ".");
        sentences.add(free < asked
                ? "The device itself had only " + Sizes.both(free) + " free. With what this process held that makes "
                        + Sizes.both(story.reserved(at) + free) + "; where the GPU has more, the rest was held by other"
                        + " processes, or by this one outside of PyTorch's allocator."
                : "The device had " + Sizes.both(free)
                        + " free, so a limit set for the process refused: torch.cuda.set_per_process_memory_fraction or"
                        + " its like.");
        if (room - live >= asked && room - live - asked < ROUNDING * room) {
            sentences.add(String.format(Locale.ROOT,
                    "Use and request together come to %s, %.1f %% of the %s that it is known to have been allowed: blocks are"
                            + " larger than what is asked for, and so there was no room for all of it.",
                    Sizes.both(live + asked), 100.0 * (live + asked) / room, Sizes.both(room)));
            return Cause.LIMIT;
        }
        if (room - live >= asked) {
            return scattered(story, at, moment, room, sentences);
        }
        if (moment.waiting() > 0 && room - live + moment.waiting() >= asked) {
            sentences.add(Sizes.both(moment.waiting())
                    + " of what was in use had been freed already, and waited for other"
                    + " streams that it was recorded for (record_stream): without them the request would have fitted.");
            return Cause.STREAMS;
        }
        sentences.add("Use and request together come to " + Sizes.both(live + asked) + ", more than the "
                + Sizes.both(room)
                + " that it is known to have been allowed: closing the holes would not have been enough."
                + (asked > room ? " The request alone is more than that." : ""));
        return Cause.LIMIT;
    }

    /** Use and request together would have fitted: why did they not? */
    private static Cause scattered(Story story, int at, Moment moment, long room, List<String> sentences) {
        long asked = story.events().get(at).size();
        String held = "It had held up to " + Sizes.both(room) + ", so use and request together would have fitted: ";
        Moment.Cached outside = moment.cachedOutsideOfPoolsOfItsOwn();
        if (isAskedInPoolOfItsOwn(story, at, moment) && moment.cachedInPoolsOfItsOwn().largest() < asked
                && 2 * outside.bytes() > moment.cached().bytes()) {
            sentences.add(held + "the request came from within a pool that the program made (torch.cuda.MemPool), and "
                    + Sizes.both(outside.bytes()) + " of the " + Sizes.both(moment.cached().bytes())
                    + " that were free lie outside of it, which serve nothing within.");
            return Cause.STREAMS;
        }
        Moment.Cached own = moment.cachedFor(story.events().get(at).stream());
        if (own.largest() >= asked) {
            sentences.add(held + (asked <= AllocatorSettings.SMALL_MAX
                    ? "a request of up to 1 MiB needs a segment of 2 MiB among others of its kind, and holes in larger"
                            + " segments do not serve it."
                    : "a hole was large enough and may not be split (max_split_size_mb), or not be rounded to."));
            return Cause.FRAGMENTATION;
        }
        if (moment.cachedInPoolsOfItsOwn().largest() >= asked) {
            sentences.add(held + "the hole of " + Sizes.both(moment.cachedInPoolsOfItsOwn().largest())
                    + " belongs to a pool that the program made (torch.cuda.MemPool), which serves what is asked for within it"
                    + " alone. The largest hole outside of such pools had " + Sizes.both(own.largest()) + ".");
            return Cause.STREAMS;
        }
        if (moment.cachedInGraphsPools().largest() >= asked) {
            sentences.add(held + "the hole of " + Sizes.both(moment.cachedInGraphsPools().largest())
                    + " belongs to the private pool of a CUDA graph, which serves that graph alone. The largest hole"
                    + " outside of such pools had " + Sizes.both(own.largest()) + ".");
            return Cause.GRAPHS;
        }
        if (moment.cached().largest() >= asked) {
            sentences.add(held + "the hole of " + Sizes.both(moment.cached().largest())
                    + " is cached for another stream, since a segment serves the stream that it was made for. The largest"
                    + " hole of this stream's had " + Sizes.both(own.largest()) + ".");
            return Cause.STREAMS;
        }
        long all = moment.cached().bytes();
        long ofPools = moment.cachedInPoolsOfItsOwn().bytes();
        if (2 * ofPools > all) {
            sentences.add(held + Sizes.both(ofPools) + " of the " + Sizes.both(all)
                    + " that were free belong to pools that the program made (torch.cuda.MemPool), which serve what is asked"
                    + " for within them alone.");
            return Cause.STREAMS;
        }
        long ofGraphs = moment.cachedInGraphsPools().bytes();
        long ofStreams = all - ofGraphs - own.bytes() - ofPools;
        if (2 * ofGraphs > all || 2 * ofStreams > all) {
            boolean graphs = ofGraphs >= ofStreams;
            sentences.add(held + Sizes.both(graphs ? ofGraphs : ofStreams) + " of the " + Sizes.both(all)
                    + (graphs
                            ? " that were free belong to private pools of CUDA graphs, which serve these alone."
                            : " that were free are cached for other streams, since a segment serves the stream that it"
                                    + " was made for."));
            return graphs ? Cause.GRAPHS : Cause.STREAMS;
        }
        sentences.add(held + "the holes were too small.");
        return Cause.FRAGMENTATION;
    }

    /**
     * Whether a request that failed came from within a pool of the program's: where what the same call, or without stacks any, was given
     * last lies.
     */
    static boolean isAskedInPoolOfItsOwn(Story story, int at, Moment moment) {
        TraceEntry failing = story.events().get(at);
        for (int i = at - 1; i >= 0; i--) {
            TraceEntry event = story.events().get(i);
            if (event.action() == TraceAction.ALLOC && event.site() == failing.site()
                    && event.stream() == failing.stream()) {
                return moment.isInPoolOfItsOwn(event.address());
            }
        }
        return false;
    }

    /** Tells of the cache's flushes; whether at one of them use and request together would have fitted. */
    private static boolean flushes(Story story, List<String> sentences) {
        if (story.emptied() > 0) {
            sentences.add("Cached memory was given back " + times(story.emptied())
                    + " though there was room: the program empties the cache (torch.cuda.empty_cache), or it is collected by"
                    + " age (garbage_collection_threshold); what is taken again costs a call of the driver each time.");
        }
        List<Integer> flushes = story.flushes();
        if (flushes.isEmpty()) {
            return false;
        }
        sentences.add("The cache was flushed to make room " + times(flushes.size())
                + ": reserved memory had reached what was allowed, and each flush waits for the device.");
        long room = story.mostReserved(story.events().size() - 1);
        for (int taken : flushes) {
            int before = story.beforeGiving(taken);
            long asked = story.events().get(taken).size();
            if (room - story.live(before) >= asked) {
                sentences.add("At event " + Sizes.exact(taken) + " " + Sizes.both(asked) + " were taken anew; "
                        + Sizes.both(story.live(before)) + " of " + Sizes.both(story.reserved(before))
                        + " reserved were in use. Use and request together would have fitted; what was cached did not"
                        + " serve the request.");
                return true;
            }
        }
        return false;
    }

    private static String times(int times) {
        return times + (times == 1 ? " time" : " times");
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
        for (int windows : WINDOWS) {
            Span span = growth(story, end, windows);
            if (span.from() < span.to()) {
                return span;
            }
        }
        return new Span(0, 0);
    }

    private static Span growth(Story story, int end, int windows) {
        Span none = new Span(0, 0);
        if (end < 10 * windows) {
            return none;
        }
        List<Integer> troughs = new ArrayList<>();
        for (int w = (int) Math.ceil(WARM_UP * windows); w < windows; w++) {
            troughs.add(trough(story, (int) ((long) end * w / windows), (int) ((long) end * (w + 1) / windows)));
        }
        int first = troughs.getFirst();
        int last = troughs.getLast();
        long grown = story.live(last) - story.live(first);
        double least = windows == WINDOWS[0] ? 0 : LEAST_RISE * grown / (troughs.size() - 1);
        for (int i = 1; i < troughs.size(); i++) {
            if (story.live(troughs.get(i)) - story.live(troughs.get(i - 1)) <= least) {
                return none;
            }
        }
        boolean steps = story.freed(first, last) >= grown;
        return steps && grown >= (story.failures().isEmpty() ? LEAST_SHARE : LEAST_SHARE_OF_FAILED) * story.live(last)
                ? new Span(first, last)
                : none;
    }

    /** The event from {@code from} on and before {@code to} after which least was in use. */
    private static int trough(Story story, int from, int to) {
        int lowest = from;
        for (int i = from; i < to; i++) {
            lowest = story.live(i) < story.live(lowest) ? i : lowest;
        }
        return lowest;
    }
}

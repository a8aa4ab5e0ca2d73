package io.vramlab.install.story;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;

/**
 * The steps of the loop that ran last before a moment: the shortest period in which allocations repeat.
 *
 * <p>
 * Where the history has stacks, what repeats are the lines from which the program went into the library, each counted once for
 * all that it asked for in a row: so a step is a turn of the user's loop and not of one within a model. Without stacks it is the
 * sizes that repeat, and a loop over equal layers looks like one over steps.
 */
public final class LoopSteps {

    /** Fewer repetitions are no loop. */
    private static final int FEWEST = 3;
    private static final double ALIKE = 0.9;
    private static final double ALIKE_FURTHER_BACK = 0.75;
    private static final int MOST_LOOKED_AT = 12_000;
    private static final int MOST_AFTER_LOOP = 4;
    private static final int MOST_SIZES_AFTER_LOOP = 120;
    /** So many tokens at least must repeat. */
    private static final int SHORTEST_WINDOW = 14;

    private final int[] starts;
    private final int end;

    private LoopSteps(int[] starts, int end) {
        this.starts = starts;
        this.end = end;
    }

    private record Token(int what, int event) {
    }

    /** The steps before an event, with it. */
    public static LoopSteps before(Story story, Places places, int end) {
        List<Token> runs = new ArrayList<>();
        List<Token> all = new ArrayList<>();
        for (int i = 0; i <= end && i < story.events().size(); i++) {
            TraceEntry event = story.events().get(i);
            if (event.action() == TraceAction.ALLOC) {
                Place place = places.of(event.site());
                int what = places.hasStacks() ? place.caller() : Long.hashCode(event.size());
                if (runs.isEmpty() || runs.getLast().what() != what) {
                    runs.add(new Token(what, i));
                }
                // a loop on one line of the user's; loops within a model's call are none over steps
                if (place.phase() == StoryPhase.OTHER || place.phase() == StoryPhase.UNKNOWN) {
                    all.add(places.hasStacks() ? new Token(31 * what + event.site(), i) : new Token(what, i));
                }
            }
        }
        LoopSteps steps = places.hasStacks() ? in(story, runs, end, MOST_AFTER_LOOP) : none(end);
        return steps.count() > 0 ? steps : in(story, all, end, MOST_SIZES_AFTER_LOOP);
    }

    private static LoopSteps none(int end) {
        return new LoopSteps(new int[0], end);
    }

    private static LoopSteps in(Story story, List<Token> everything, int end, int mostAfter) {
        // the moment may lie behind the loop's end: a few tokens more do not hide it
        for (int tail = 0; tail <= mostAfter && tail < everything.size(); tail++) {
            List<Token> tokens = everything.subList(Math.max(0, everything.size() - tail - MOST_LOOKED_AT),
                    everything.size() - tail);
            int[] what = tokens.stream().mapToInt(Token::what).toArray();
            int period = period(what);
            if (period > 0) {
                return steps(story, tokens, what, period,
                        tail == 0 ? end : everything.get(everything.size() - tail).event() - 1);
            }
        }
        return none(end);
    }

    private static LoopSteps steps(Story story, List<Token> tokens, int[] what, int period, int end) {
        int from = reach(what, period);
        int offset = calmest(story, tokens, from, period);
        List<Integer> starts = new ArrayList<>();
        for (int at = from + offset; at < what.length; at += period) {
            starts.add(tokens.get(at).event());
        }
        return starts.size() < FEWEST
                ? none(end)
                : new LoopSteps(starts.stream().mapToInt(Integer::intValue).toArray(), end);
    }

    /** The shortest distance at which the last tokens equal those before them; 0 without one. */
    private static int period(int[] what) {
        for (int lag = 1; lag <= what.length / FEWEST; lag++) {
            int window = Math.min(what.length - lag, Math.max(4 * lag, SHORTEST_WINDOW));
            if (window < 2 * lag) {
                break;
            }
            int wrong = 0;
            for (int i = what.length - window; i < what.length && wrong <= window * (1 - ALIKE); i++) {
                wrong += what[i] == what[i - lag] ? 0 : 1;
            }
            if (wrong <= window * (1 - ALIKE)) {
                return lag;
            }
        }
        return 0;
    }

    /** How far back the period reaches. */
    private static int reach(int[] what, int period) {
        int wrong = 0;
        int from = what.length - period;
        for (int i = what.length - period - 1; i >= 0; i--) {
            wrong += what[i] == what[i + period] ? 0 : 1;
            int leaving = i + Math.max(period, 8);
            if (leaving + period < what.length) {
                wrong -= what[leaving] == what[leaving + period] ? 0 : 1;
            }
            if (wrong > (1 - ALIKE_FURTHER_BACK) * Math.max(period, 8)) {
                break;
            }
            from = i;
        }
        return from;
    }

    /** Steps begin where least is in use. */
    private static int calmest(Story story, List<Token> tokens, int from, int period) {
        int best = 0;
        double least = Double.MAX_VALUE;
        for (int offset = 0; offset < period; offset++) {
            double sum = 0;
            int count = 0;
            for (int at = from + offset; at < tokens.size(); at += period) {
                sum += story.live(tokens.get(at).event() - 1);
                count++;
            }
            if (count > 0 && sum / count < least) {
                least = sum / count;
                best = offset;
            }
        }
        return best;
    }

    /** How many there are, with the one that was not finished; 0 when nothing repeats. */
    public int count() {
        return starts.length;
    }

    /** The event with which a step begins. */
    public int start(int step) {
        return starts[step];
    }

    /** The event before the next step's first. */
    public int end(int step) {
        return step + 1 < starts.length ? starts[step + 1] - 1 : end;
    }

    /** The step that an event belongs to; -1 when it came before them all. */
    public int of(int event) {
        int at = Arrays.binarySearch(starts, event);
        return at >= 0 ? at : -at - 2;
    }
}

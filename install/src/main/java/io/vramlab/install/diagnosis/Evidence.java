package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.vramlab.install.source.UserProgram;
import io.vramlab.install.story.Beside;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.install.story.Place;
import io.vramlab.install.story.Places;
import io.vramlab.install.story.LoopSteps;
import io.vramlab.install.story.Story;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;

/** What detectors look at: one device's history up to its decisive moment, the first failure or else the peak. */
public final class Evidence {

    /** Phases of what lives for one step. */
    static final Set<StoryPhase> OF_A_STEP = Set.of(StoryPhase.FORWARD, StoryPhase.LOSS);

    private static final double SAME_AGAIN = 0.95;
    /** Ends of backward passes and beginnings of optimizers' steps: one step of two models has two of one model's within. */
    private static final int MARKS = 3;
    private static final double LONG_BEFORE = 0.7;
    private static final double STILL_THERE = 0.5;

    private final Story story;
    private final UserProgram program;
    private final Lives lives;
    private final Places places;
    private final LoopSteps steps;
    private final Figures figures;
    private final int at;
    private final int[] alive;
    private final int outlivedBefore;
    private Ledger ledger;
    private BitSet workspacesOfThreads;

    private Evidence(Story story, UserProgram program) {
        this.story = story;
        this.program = program;
        Supplier<Lives> blocks = Beside.work(story, () -> Lives.of(story));
        places = Places.of(story);
        at = decisive();
        Supplier<Figures> sums = Beside.work(story, () -> Figures.of(story, at));
        steps = LoopSteps.before(story, places, at);
        lives = blocks.get();
        figures = sums.get();
        alive = lives.aliveAt(at);
        outlivedBefore = outlivedBefore();
    }

    /** The first failure that the program saw. */
    private int decisive() {
        return story.failures().stream().filter(failure -> !isSurvived(failure)).findFirst().orElse(story.decisive());
    }

    /**
     * Whether a library went on after a failure, as cuDNN does with an algorithm that needs less: the next request came from the
     * same line of the user's, within the same call; or, from the backward pass, which has no line, in it too. Of several that one
     * call was refused in a row the last counts as such where the user's function ran on.
     */
    boolean isSurvived(int failure) {
        Place failed = placeOf(failure);
        if (places.hasStacks() && failed.library().isEmpty() && failed.phase() != StoryPhase.BACKWARD) {
            return false;
        }
        int next = request(failure, 1);
        if (next < 0) {
            return false;
        }
        // refused one after another by one call: a library tries its algorithms, and a program makes its input anew before
        int before = request(failure, -1);
        boolean tries = isRefusedAs(failure, next) || isRefusedAs(failure, before);
        if (!places.hasStacks()) {
            return tries;
        }
        Place then = placeOf(next);
        return then.outer().equals(failed.outer()) && (then.phase() == failed.phase() || tries)
                || tries && goesOn(failed, then);
    }

    private boolean isRefusedAs(int failure, int other) {
        if (other < 0 || story.events().get(other).action() != TraceAction.OOM) {
            return false;
        }
        return places.hasStacks()
                ? story.events().get(failure).site() == story.events().get(other).site()
                : isRunOfTries(failure);
    }

    /** Without stacks: whether of the requests that were refused in a row one was for as much again; a program asks for less. */
    private boolean isRunOfTries(int failure) {
        int first = failure;
        for (int i = request(first, -1); i >= 0 && isFailure(i); i = request(i, -1)) {
            first = i;
        }
        for (int i = first, next = request(i, 1); next >= 0 && isFailure(next); i = next, next = request(i, 1)) {
            if (story.events().get(next).size() > SAME_AGAIN * story.events().get(i).size()) {
                return true;
            }
        }
        return false;
    }

    private boolean isFailure(int event) {
        return story.events().get(event).action() == TraceAction.OOM;
    }

    /** Whether the function of the user's that was running when a request failed ran on: what is raised would have left it. */
    private static boolean goesOn(Place failed, Place then) {
        return failed.isKnown() && then.user().stream()
                .anyMatch(frame -> frame.file().equals(failed.user().getFirst().file())
                        && frame.method().equals(failed.user().getFirst().method()));
    }

    /** The nearest request before or after an event, served or not; -1 without one. */
    private int request(int event, int step) {
        for (int i = event + step; i >= 0 && i < story.events().size(); i += step) {
            TraceAction action = story.events().get(i).action();
            if (action == TraceAction.ALLOC || action == TraceAction.OOM) {
                return i;
            }
        }
        return -1;
    }

    /** Of one device's history. */
    public static Evidence of(Story story) {
        return of(story, UserProgram.NONE);
    }

    /** Of one device's history and the source of the program, as far as it is there. */
    public static Evidence of(Story story, UserProgram program) {
        return new Evidence(story, program);
    }

    /** The history. */
    public Story story() {
        return story;
    }

    /** The program's source. */
    public UserProgram program() {
        return program;
    }

    /** Its blocks. */
    public Lives lives() {
        return lives;
    }

    LoopSteps steps() {
        return steps;
    }

    /** When what is there came; made when it is asked for first. */
    synchronized Ledger ledger() {
        if (ledger == null) {
            ledger = Ledger.of(this);
        }
        return ledger;
    }

    /** Blocks in use that are workspaces of threads; looked for when they are asked for first. */
    synchronized BitSet workspacesOfThreads() {
        if (workspacesOfThreads == null) {
            workspacesOfThreads = WorkspaceBlocks.ofThreads(this);
        }
        return workspacesOfThreads;
    }

    /** The blocks that were there before the work began, told by sizes and times alone: weights, as a rule. */
    public int[] madeBeforeTheWork() {
        return ledger().before();
    }

    Figures figures() {
        return figures;
    }

    /** The decisive event. */
    public int at() {
        return at;
    }

    boolean failed() {
        return !story.failures().isEmpty();
    }

    /** Of all requests that were served the part after the last failure: what a program that stops there lets go of is none. */
    double wentOn() {
        if (!failed()) {
            return 0;
        }
        int last = story.failures().getLast();
        int[] served = IntStream.range(0, story.events().size())
                .filter(event -> story.events().get(event).action() == TraceAction.ALLOC).toArray();
        return Traits.part(Arrays.stream(served).filter(event -> event > last).count(), served.length);
    }

    boolean hasStacks() {
        return places.hasStacks();
    }

    /** The request that failed first; null when none did. */
    TraceEntry failing() {
        return failed() ? story.events().get(at) : null;
    }

    /** Where the request that failed first was made. */
    Place failingPlace() {
        return failed() ? places.of(failing().site()) : Place.NOWHERE;
    }

    /** Bytes of the request that failed first, 0 without one. */
    public long asked() {
        return failed() ? failing().size() : 0;
    }

    /** The user's innermost line that made the request that failed first; empty when it is not known. */
    public String askedAt() {
        return failingPlace().inner();
    }

    /** What the program was at when the request failed first. */
    public StoryPhase askedIn() {
        return failingPlace().phase();
    }

    /** The part, 0 to 1, that some blocks had of what was needed at the decisive moment. */
    public double needs(int... blocks) {
        return share(lives.sum(blocks));
    }

    /** What was in use and asked for at the decisive moment. */
    long needed() {
        return Math.max(1, story.live(at) + asked());
    }

    /** A part of {@link #needed()}. */
    double share(long bytes) {
        return Math.min(1, (double) bytes / needed());
    }

    /**
     * Whether a block of a step outlived that step: since it came so many backward passes had ended and optimizers' steps begun that
     * nothing of one step, nor of two models that are trained in turn, needs it.
     */
    boolean isOutlived(int block) {
        return lives.born(block) < outlivedBefore && OF_A_STEP.contains(phase(block))
                && !WorkspaceBlocks.isOne(this, block);
    }

    /** The event before which blocks are {@link #isOutlived}. */
    private int outlivedBefore() {
        int marks = 0;
        StoryPhase later = failed() ? failingPlace().phase() : StoryPhase.UNKNOWN;
        for (int i = at - 1; i >= 0 && places.hasStacks(); i--) {
            if (story.events().get(i).action() == TraceAction.ALLOC) {
                StoryPhase phase = placeOf(i).phase();
                boolean mark = phase != later && (phase == StoryPhase.BACKWARD || later == StoryPhase.OPTIMIZER);
                marks += mark ? 1 : 0;
                if (marks >= MARKS) {
                    return i;
                }
                later = phase;
            }
        }
        return -1;
    }

    /** Whether what grew stopped growing long before the history's end, and is still there: a buffer that is full, no leak. */
    boolean isBounded() {
        int last = story.events().size() - 1;
        return !failed() && at < LONG_BEFORE * last && story.live(last) >= STILL_THERE * story.live(at);
    }

    /** The blocks in use at the decisive moment, oldest first. */
    public int[] alive() {
        return alive;
    }

    int[] alive(IntPredicate which) {
        return Arrays.stream(alive).filter(which).toArray();
    }

    /** Where a block was asked for. */
    public Place place(int block) {
        return places.of(lives, block);
    }

    StoryPhase phase(int block) {
        return place(block).phase();
    }

    /** The line that most bytes of some blocks have, as {@code outer} or inner line; empty when none is known. */
    String chiefLine(int[] blocks, boolean outer) {
        Map<String, Long> byLine = new HashMap<>();
        for (int block : blocks) {
            Place place = place(block);
            if (place.isKnown()) {
                byLine.merge(outer ? place.outer() : place.inner(), lives.bytes(block), Long::sum);
            }
        }
        return byLine.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey).orElse("");
    }

    /** What blocks have in common that are made by one line: the call site or, without stacks, the size. */
    public long key(int block) {
        return hasStacks() ? -1L - lives.site(block) : lives.bytes(block);
    }

    /** The line that most of some events came from; empty when none is known. */
    String line(int... events) {
        Map<String, Integer> byLine = new HashMap<>();
        for (int event : events) {
            Place place = places.of(story.events().get(event).site());
            if (place.isKnown()) {
                byLine.merge(place.inner(), 1, Integer::sum);
            }
        }
        return byLine.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey).orElse("");
    }

    /** The place of an event's call site. */
    Place placeOf(int event) {
        return places.of(story.events().get(event).site());
    }

    /** The place of a call site. */
    Place placeOfSite(int site) {
        return places.of(site);
    }

    /** What to record for stacks. */
    static String stacksWanted() {
        return "stacks: torch.cuda.memory._record_memory_history(max_entries=1000000, stacks=\"python\")";
    }
}

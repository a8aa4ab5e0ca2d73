package io.vramlab.install.diagnosis;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import io.vramlab.install.source.UserProgram;
import io.vramlab.install.source.Saying;
import io.vramlab.install.source.Turn;
import io.vramlab.install.source.Turn.Role;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Place;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.TraceAction;

/**
 * What the source speaks for and against, as logarithms of odds on each cause. By its words some causes cannot be; by the loops that
 * the blocks in use were made in, what is kept is told from what one step needs. The odds are a reader's, not fitted; that they are
 * weighed twice as much as they are written here was chosen by the eighth to eleventh set. What sources of known causes teach beside
 * them is in {@link Weights}.
 */
final class SourceOdds {

    private static final double WEIGHT = 2;
    private static final double IMPOSSIBLE = -3;
    private static final double HARDLY = -2;
    private static final double UNLIKELY = -1;
    /** Of what is in use so much is what calls of a model made. */
    private static final double OF_THE_MODEL = 0.2;
    private static final String LOOSE = "model " + Role.LOOSE;
    private static final String STEP_KEPT = "model " + Role.STEP + " kept";
    private static final String STEP_OUTLIVED = STEP_KEPT + " beyond its backward pass";
    private static final double FAILING_LINE = 0.7;
    /** One of two values that are what fills memory is at least so much of it. */
    private static final double LARGE = 0.01;
    private static final Set<StoryPhase> MADE = Set.of(StoryPhase.FORWARD, StoryPhase.LOSS, StoryPhase.OTHER);

    private static final Set<CauseKind> PILES = EnumSet.of(CauseKind.TENSORS_KEPT, CauseKind.GROWN_BY_CAT);
    private static final Set<CauseKind> LEAKS = EnumSet.of(CauseKind.TENSORS_KEPT, CauseKind.GRAPH_KEPT);

    /** Trying an algorithm takes what the cache cannot give, and empties it after. */
    private static final Set<CauseKind> TRIES = EnumSet.of(CauseKind.CACHE_EMPTIED, CauseKind.FRAGMENTATION_SIZES,
            CauseKind.ACTIVATIONS);

    private final Evidence e;
    private final UserProgram program;
    private final Map<CauseKind, Double> odds = new EnumMap<>(CauseKind.class);
    private final Map<String, Double> shares = new HashMap<>();
    private Map<CauseKind, Double> taught = Map.of();

    private SourceOdds(Evidence e) {
        this.e = e;
        program = e.program();
    }

    /** Of each cause that the source says something of; nothing without a source. */
    static SourceOdds of(Evidence e) {
        SourceOdds source = new SourceOdds(e);
        if (!source.program.isUnknown()) {
            source.words();
            if (e.hasStacks()) {
                source.look();
                source.ofBlocks();
                source.ofRequest();
            } else {
                source.ofLoops();
            }
            source.taught = e.failed() ? Weights.ofSource(source.evidence()) : Map.of();
        }
        return source;
    }

    /** The logarithm by which the odds on a cause change. */
    double of(CauseKind kind) {
        return odds.getOrDefault(kind, 0.0);
    }

    /** The same with what sources of known causes taught beside it, which they did of failures alone. */
    double weighed(CauseKind kind) {
        return of(kind) + taught.getOrDefault(kind, 0.0);
    }

    /**
     * Whether a finding about a program in which nothing failed cannot be, by the source: its words are missing there, what is kept is
     * bounded, cuDNN tries its algorithms, or none of what is blamed is kept.
     */
    boolean denies(Finding finding) {
        boolean tries = TRIES.contains(finding.kind()) && program.says(Saying.BENCHMARK) && !program.says(Saying.EMPTY);
        boolean bounded = PILES.contains(finding.kind()) && program.says(Saying.BOUNDED);
        return tries || bounded || of(finding.kind()) <= WEIGHT * IMPOSSIBLE
                || LEAKS.contains(finding.kind()) && e.hasStacks() && isDropped(finding);
    }

    private boolean isDropped(Finding finding) {
        return !program.isUnknown() && !program.says(Saying.HOOK) && finding.blamed().blocks().length > 0
                && IntStream.of(finding.blamed().blocks()).mapToObj(e::place).distinct().noneMatch(this::mayBeKept);
    }

    private boolean mayBeKept(Place place) {
        Turn turn = program.turn(place.user(), place.entry());
        return turn.role() == Role.UNKNOWN || turn.fate().keeps() || turn.fate().carries();
    }

    /** What in the source speaks for a cause; nothing where it does not. */
    Optional<String> reason(CauseKind kind) {
        String reason = of(kind) <= 0 ? null : switch (kind) {
            case ACCUMULATION ->
                "a model is called in each turn of a loop, and one backward pass comes after all turns.";
            case GRAPH_KEPT ->
                share("model " + Role.LOOSE + " kept") + share("model " + Role.LOOSE + " carried") > 0 || !e.hasStacks()
                        ? "a model is called in a loop with gradients on, and what comes of it is kept from turn to turn."
                        : "a model is called in a loop with gradients on, and no backward pass lets go of its graph.";
            case TENSORS_KEPT ->
                "gradients are off there, and what comes of it is added to something that outlives the turn.";
            case ATTENTION -> "queries are multiplied with keys and all scores are written down.";
            case FAILURES -> program.keepsErrors()
                    ? "an error that was caught is put away as it is, and with it all that its frames hold."
                    : "what failed is tried again where its error was caught, and is still there.";
            case TWO_SETS -> share("weights again") > 0 && isUsedBetween()
                    ? "a model is made in each turn of a loop, and kept."
                    : "a model, or what it holds, is copied as a whole.";
            case LOGITS -> "a loss of logarithms of probabilities is computed there.";
            case OLD_AND_NEW -> "a name's new value is computed from its old one.";
            case CHECKPOINT -> "a file is loaded to where it was saved from, or to the GPU.";
            case STREAMS, WORKSPACE -> program.says(Saying.STREAM)
                    ? "work runs on streams of its own."
                    : kind == CauseKind.STREAMS
                            ? "some tensors have a pool of their own."
                            : "the size of cuBLAS's workspaces is set.";
            case GRAPHS -> "work is captured in CUDA graphs.";
            case GROWN_BY_CAT -> "a tensor is joined with something, and the result has its name.";
            case LIMIT -> "the process is given a part of the GPU (set_per_process_memory_fraction).";
            case WARM_UP -> TraitsOfLines.isWarmUp(e)
                    ? "the request came from within a warm-up."
                    : "torch.backends.cudnn.benchmark is on.";
            default -> null;
        };
        return Optional.ofNullable(reason).map(text -> "In the source " + text);
    }

    private void add(CauseKind kind, double log) {
        odds.merge(kind, WEIGHT * log, Double::sum);
    }

    private void without(Saying saying, double log, CauseKind... kinds) {
        if (!program.says(saying)) {
            for (CauseKind kind : kinds) {
                add(kind, log);
            }
        }
    }

    private void with(Saying saying, double log, CauseKind... kinds) {
        if (program.says(saying)) {
            for (CauseKind kind : kinds) {
                add(kind, log);
            }
        }
    }

    private void words() {
        without(Saying.BACKWARD, IMPOSSIBLE, CauseKind.ACCUMULATION, CauseKind.OPTIMIZER);
        without(Saying.STATE, HARDLY, CauseKind.OPTIMIZER);
        without(Saying.CATCH, IMPOSSIBLE, CauseKind.FAILURES);
        if (!program.says(Saying.POOL)) {
            without(Saying.STREAM, IMPOSSIBLE, CauseKind.STREAMS);
        }
        without(Saying.CAPTURE, IMPOSSIBLE, CauseKind.GRAPHS);
        without(Saying.ATTENTION, IMPOSSIBLE, CauseKind.ATTENTION);
        without(Saying.CLASSES, HARDLY, CauseKind.LOGITS);
        without(Saying.EMPTY, IMPOSSIBLE, CauseKind.CACHE_EMPTIED);
        without(Saying.LOAD, HARDLY, CauseKind.CHECKPOINT);
        without(Saying.JOIN, UNLIKELY, CauseKind.GROWN_BY_CAT);
        without(Saying.COPY, UNLIKELY, CauseKind.TWO_SETS);
        with(Saying.STREAM, 1, CauseKind.STREAMS, CauseKind.WORKSPACE);
        with(Saying.CAPTURE, 1, CauseKind.GRAPHS);
        with(Saying.POOL, 1, CauseKind.STREAMS);
        with(Saying.SMALL_FRACTION, 4, CauseKind.LIMIT);
        with(Saying.COPY_OF_ALL, 1, CauseKind.TWO_SETS);
        with(Saying.WORKSPACES, 1, CauseKind.WORKSPACE);
        with(Saying.JOIN_TO_ITSELF, 1, CauseKind.GROWN_BY_CAT);
        with(Saying.LOAD_TO_GPU, 2, CauseKind.CHECKPOINT);
        with(Saying.BOUNDED, UNLIKELY, CauseKind.TENSORS_KEPT, CauseKind.GROWN_BY_CAT);
        with(Saying.BENCHMARK, 2, CauseKind.WARM_UP);
        if (TraitsOfLines.isWarmUp(e)) {
            add(CauseKind.WARM_UP, 2);
        } else {
            without(Saying.BENCHMARK, UNLIKELY, CauseKind.WARM_UP);
        }
        if (!program.says(Saying.STREAM) && !program.says(Saying.THREAD)) {
            add(CauseKind.WORKSPACE, UNLIKELY);
        }
        with(Saying.EAGER_ATTENTION, 1, CauseKind.ATTENTION);
        if (!program.says(Saying.EAGER_ATTENTION) && !program.hasAttention()) {
            add(CauseKind.ATTENTION, UNLIKELY / 2);
        }
        if (program.keepsErrors()) {
            add(CauseKind.FAILURES, leftNothing() ? 0 : -IMPOSSIBLE);
        } else if (program.retriesWhereCaught()) {
            add(CauseKind.FAILURES, 1);
        }
    }

    /** Whether several requests failed, and the history shows that what they had made was let go of. */
    private boolean leftNothing() {
        return e.story().failures().size() > 1 && new RepeatedFailures().look(e).isEmpty();
    }

    /** What each share of the memory was made by. */
    private void look() {
        Lives lives = e.lives();
        Map<Integer, Set<String>> bySite = new HashMap<>();
        int running = runningSince();
        for (int block : e.alive()) {
            Place place = e.place(block);
            if (place.isKnown()) {
                double part = (double) lives.bytes(block) / e.needed();
                boolean outlived = e.isOutlived(block) && !program.says(Saying.RETAIN);
                bySite.computeIfAbsent(lives.site(block), site -> names(place)).stream()
                        .map(name -> outlived ? ofOutlived(name) : name)
                        .filter(name -> !name.equals(LOOSE) || lives.born(block) < running)
                        .forEach(name -> shares.merge(name, part, Double::sum));
            }
        }
    }

    /**
     * The event at which the call of a model began that asked for what failed: what it has made is kept by nobody yet. Where the same call
     * came in a row, since the last time that it began as the first did.
     */
    private int runningSince() {
        int from = e.at();
        Place failing = e.failingPlace();
        if (!e.failed() || failing.phase() != StoryPhase.FORWARD) {
            return from;
        }
        int first = 0;
        for (int i = from - 1; i >= 0 && (!isRequest(i) || e.placeOf(i).caller() == failing.caller()); i--) {
            if (isRequest(i)) {
                first = e.story().events().get(i).site();
                from = i;
            }
        }
        for (int i = e.at() - 1; i > from; i--) {
            if (isRequest(i) && e.story().events().get(i).site() == first) {
                return i;
            }
        }
        return from;
    }

    private boolean isRequest(int event) {
        return e.story().events().get(event).action() == TraceAction.ALLOC;
    }

    /** What is there after backward passes that came later, and let go of their graphs, waits for none: no pass for all will take it up. */
    private static String ofOutlived(String name) {
        return name.replace(Role.PILE.name(), Role.LOOSE.name()).replace(STEP_KEPT, STEP_OUTLIVED);
    }

    private Set<String> names(Place place) {
        Set<String> names = new HashSet<>();
        Turn turn = program.turn(place.user(), place.entry());
        if (program.isAttention(place.user().getFirst())) {
            names.add("attention");
        } else if (program.isLoss(place.user().getFirst())) {
            names.add("loss");
        }
        if (place.phase() == StoryPhase.PLACING && turn.fate().keeps() && program.isRepeated(place.user())) {
            names.add("weights again");
        }
        if (MADE.contains(place.phase())) {
            String of = place.phase() == StoryPhase.OTHER ? "own " : "model ";
            names.add(of + turn.role());
            if (turn.fate().keeps()) {
                names.add(of + turn.role() + " kept");
            }
            if (turn.role() == Role.STEP && !turn.fate().keeps() && !turn.fate().carries()) {
                names.add(of + "done");
            }
            if (turn.fate().carries()) {
                names.add(of + turn.role() + " carried");
            }
        }
        return names;
    }

    /** What the source says in figures. */
    Map<String, Double> evidence() {
        return SourceEvidence.of(e, shares);
    }

    private double share(String name) {
        return shares.getOrDefault(name, 0.0);
    }

    private double ofModel(Role role) {
        return share("model " + role);
    }

    private double ofAll(String name) {
        return share("model " + name) + share("own " + name);
    }

    private void ofBlocks() {
        double pile = ofModel(Role.PILE) > OF_THE_MODEL ? ofAll(Role.PILE.name()) : ofModel(Role.PILE);
        double loose = ofModel(Role.LOOSE);
        double plain = ofAll(Role.WITHOUT_GRADIENT.name());
        double kept = ofAll(Role.WITHOUT_GRADIENT + " kept");
        add(CauseKind.ACCUMULATION, 4 * pile - 3 * plain - 2 * loose - ofModel(Role.STEP));
        add(CauseKind.GRAPH_KEPT, 3 * loose - 3 * plain - 3 * pile);
        add(CauseKind.TENSORS_KEPT, kept - (program.says(Saying.HOOK) ? 0 : plain - kept));
        add(CauseKind.ACTIVATIONS, -loose - pile);
        add(CauseKind.TWO_SETS, isUsedBetween() ? 3 * share("weights again") : 0);
        // what a layer asks for is no loss, though the line that calls the model computes one as well
        boolean loss = e.failingPlace().isKnown() && e.failingPlace().phase() != StoryPhase.FORWARD
                && Saying.LOSS_OF_LOGITS.isIn(program.line(e.failingPlace().user().getFirst()));
        add(CauseKind.LOGITS, 2 * Math.max(share("loss"), loss ? FAILING_LINE : 0));
        // a backward pass lets go of what its graph kept
        if (!program.says(Saying.RETAIN) && !program.says(Saying.HOOK)) {
            add(CauseKind.GRAPH_KEPT, -2 * share("model done"));
        }
        if (program.says(Saying.RETAIN)) {
            add(CauseKind.GRAPH_KEPT, 2 * (share(STEP_KEPT) + share("model STEP carried")));
        }
        add(CauseKind.GRAPH_KEPT, 2 * share(STEP_OUTLIVED));
    }

    /** Whether something was computed while weights were being made: what a loop makes before is the layers of one model. */
    private boolean isUsedBetween() {
        int[] weights = e.alive(block -> e.phase(block) == StoryPhase.PLACING);
        return weights.length > 0 && MadeAgain.worked(e, weights[0], weights[weights.length - 1]);
    }

    private void ofRequest() {
        Place place = e.failingPlace();
        boolean attention = place.isKnown() && program.isAttention(place.user().getFirst());
        add(CauseKind.ATTENTION, 3 * Math.max(share("attention"), attention ? FAILING_LINE : 0));
        boolean known = place.isKnown() && !program.line(place.user().getFirst()).isEmpty();
        // what is joined to itself grows, and its old and new value are there for a moment by that
        if (known && place.phase() == StoryPhase.OTHER && !program.joins(place.user().getFirst())) {
            boolean small = e.share(e.asked()) < LARGE;
            boolean again = program.isMadeAgain(place.user())
                    && program.turn(place.user(), place.entry()).role() != Role.PILE;
            double rebound = again && Rebound.former(e).isPresent() ? WEIGHT / 2 : 0;
            add(CauseKind.OLD_AND_NEW,
                    program.isOfItself(place.user()) ? small ? 0 : WEIGHT : again ? rebound : -WEIGHT);
        }
    }

    /** Without stacks: whether some call of a model is one that would leave that behind. */
    private void ofLoops() {
        List<Turn> turns = program.turns();
        boolean pile = turns.stream().anyMatch(turn -> turn.role() == Role.PILE && turn.fate().keeps());
        boolean loose = turns.stream().anyMatch(turn -> turn.role() == Role.LOOSE
                && (turn.fate().keeps() || turn.fate().carries()));
        boolean carried = program.says(Saying.RETAIN) && turns.stream().anyMatch(turn -> turn.role() == Role.STEP
                && turn.fate().carries());
        add(CauseKind.ACCUMULATION, pile ? 3 : UNLIKELY);
        add(CauseKind.ACTIVATIONS, pile ? UNLIKELY : 0);
        add(CauseKind.GRAPH_KEPT, (pile ? UNLIKELY : 0) + (loose ? 1 : UNLIKELY) + (carried ? 2 : 0));
        add(CauseKind.ATTENTION, program.hasAttention() ? 1 : 0);
        // a loop that gives a name its next value computes nothing of itself, and has both
        add(CauseKind.OLD_AND_NEW, program.isOfItself() ? 1.0 / 2 : Rebound.former(e).isPresent() ? 0 : -WEIGHT);
    }
}

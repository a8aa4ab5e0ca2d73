package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.vramlab.install.source.Saying;
import io.vramlab.install.source.SourceLines;
import io.vramlab.install.story.Place;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Frame;

/**
 * The lines that a finding names: where what it is about was made and, where the source or the stacks tell it, the one that keeps it or
 * should be changed, which is another for each kind of cause. That one is the foremost where it is known to be the fault.
 */
final class ToldLines {

    /** Of these it matters where what was made is put. */
    private static final Set<CauseKind> KEEP = EnumSet.of(CauseKind.GRAPH_KEPT, CauseKind.TENSORS_KEPT,
            CauseKind.ACCUMULATION, CauseKind.FRAGMENTATION_PINNED, CauseKind.FRAGMENTATION_SIZES);
    /** Of these, what sets the size. */
    private static final Set<CauseKind> SIZED = EnumSet.of(CauseKind.ACTIVATIONS, CauseKind.LOGITS, CauseKind.ATTENTION,
            CauseKind.ONE_OPERATION, CauseKind.FRAGMENTATION_SIZES, CauseKind.ACCUMULATION, CauseKind.WARM_UP);
    private static final Set<CauseKind> BATCHED = EnumSet.of(CauseKind.ACTIVATIONS, CauseKind.LOGITS,
            CauseKind.WARM_UP);
    /** Of these what makes one turn larger than another is the fault, where there is such a thing. */
    private static final Set<CauseKind> VARIES = EnumSet.of(CauseKind.ACTIVATIONS, CauseKind.ACCUMULATION);
    /** Of these, what was asked for as much as what is there. */
    private static final Set<CauseKind> ASKED = EnumSet.of(CauseKind.FRAGMENTATION_SIZES,
            CauseKind.FRAGMENTATION_PINNED, CauseKind.STREAMS, CauseKind.GRAPHS, CauseKind.LOGITS, CauseKind.ATTENTION,
            CauseKind.GROWN_BY_CAT, CauseKind.TWO_SETS);
    /** Of these the line that makes most of it does nothing wrong. */
    private static final Set<CauseKind> CHANGED = EnumSet.of(CauseKind.FAILURES, CauseKind.STREAMS, CauseKind.GRAPHS,
            CauseKind.OLD_AND_NEW, CauseKind.ATTENTION, CauseKind.GRAPH_KEPT, CauseKind.CHECKPOINT,
            CauseKind.WORKSPACE);
    /** Of these a request outside of the model's layers and of the optimizer is for what is too much, be it not there yet. */
    private static final Set<CauseKind> ASKED_FIRST = EnumSet.of(CauseKind.LOGITS, CauseKind.TWO_SETS);

    /** Weights that are so much of what was needed come before what was asked for beside them. */
    private static final double MOST = 0.5;

    private final Evidence e;
    private final Finding finding;
    private final SourceLines source;
    private final LinesOfSource alone;
    private final Makers makers;
    private final List<Place> calls;
    private final List<ToldLine> lines = new ArrayList<>();

    private ToldLines(Evidence e, Finding finding) {
        this.e = e;
        this.finding = finding;
        source = new SourceLines(e.program());
        makers = new Makers(e);
        alone = new LinesOfSource(e.program(), finding.kind());
        calls = e.hasStacks()
                ? makers.of(finding.blamed().blocks())
                : alone.calls().stream().map(ToldLines::place).toList();
    }

    /** Of a finding, the foremost first, each line once. */
    static List<ToldLine> of(Evidence e, Finding finding) {
        ToldLines told = new ToldLines(e, finding);
        told.find();
        return List.copyOf(told.lines);
    }

    private static Place place(List<Frame> call) {
        return new Place(call, 0, StoryPhase.UNKNOWN, "", 0);
    }

    private void find() {
        CauseKind kind = finding.kind();
        if (kind == CauseKind.HEALTHY) {
            return;
        }
        Optional<Place> keeper = calls.stream().filter(place -> !keptBy(place).isEmpty()).findFirst();
        add(LineRole.MADE, made(keeper));
        written().ifPresentOrElse(line -> add(LineRole.WITHIN, line, true),
                () -> add(LineRole.WITHIN, finding.within()));
        List<String> by = keeper.map(this::keptBy).orElse(List.of());
        Optional<String> kept = by.stream().findFirst().or(this::keptByHook).or(this::keptByWords);
        // what is kept may go in any order: the sizes do not fit
        kept.ifPresent(line -> add(LineRole.KEPT, line, kind != CauseKind.FRAGMENTATION_SIZES));
        by.stream().skip(1).forEach(line -> add(LineRole.CALLED, line));
        if (kind == CauseKind.FRAGMENTATION_PINNED) {
            source.chosen().ifPresent(line -> add(LineRole.CHANGE, line, true));
        }
        if (kept.isPresent() && kind != CauseKind.FRAGMENTATION_SIZES) {
            return;
        }
        if (kind == CauseKind.ONE_OPERATION) {
            caller().ifPresent(line -> add(LineRole.CALLED, line));
        }
        Optional<String> varied = varied();
        Optional<String> change = change();
        change.ifPresent(line -> add(LineRole.CHANGE, line, CHANGED.contains(kind) || isAtFault()));
        if (change.isEmpty()) {
            varied.ifPresent(line -> add(LineRole.CHANGE, line, VARIES.contains(kind)));
        }
        if (kind == CauseKind.LIMIT && e.askedIn() == StoryPhase.PLACING) {
            source.loopOf(e.failingPlace().user()).ifPresent(line -> add(LineRole.CHANGE, line));
        }
        if (kind == CauseKind.STREAMS) {
            streams(calls.stream().map(Place::user).toList()).ifPresent(line -> add(LineRole.CHANGE, line));
        }
        if (kind == CauseKind.LIMIT && source.first(Saying.FRACTION).isEmpty()) {
            first(calls.stream().filter(place -> place.phase() == StoryPhase.PLACING)
                    .map(place -> () -> source.sized(place.user()))).ifPresent(line -> add(LineRole.CHANGE, line));
        }
        if (change.isEmpty() && BATCHED.contains(kind)) {
            source.batch().ifPresent(
                    line -> add(LineRole.CHANGE, line, kind == CauseKind.ACTIVATIONS && varied.isEmpty()));
        }
        boolean first = ASKED_FIRST.contains(kind);
        if (ASKED.contains(kind) && (first || lines.size() < 2)) {
            Place asked = e.failingPlace();
            add(LineRole.ASKED, asked.inner(), first && asked.phase() == StoryPhase.OTHER);
        }
    }

    /** Of a cause whose line to change is only sometimes the one that did it. */
    private boolean isAtFault() {
        return switch (finding.kind()) {
            case TWO_SETS -> makers.copied().isPresent() || source.first(Saying.COPY).isPresent();
            case WARM_UP -> source.first(Saying.BENCHMARK).isPresent();
            case LIMIT -> source.first(Saying.FRACTION).isPresent()
                    || e.askedIn() != StoryPhase.PLACING
                            && e.needs(e.alive(block -> e.phase(block) == StoryPhase.PLACING)) >= MOST;
            case OPTIMIZER -> source.isSeveral(Saying.OPTIMIZER_MADE);
            default -> false;
        };
    }

    private void add(LineRole role, String line) {
        add(role, line, false);
    }

    private void add(LineRole role, String line, boolean foremost) {
        if (!line.isEmpty() && lines.stream().noneMatch(other -> other.line().equals(line))) {
            lines.add(foremost ? 0 : lines.size(), new ToldLine(role, line));
        }
    }

    /** Without stacks a call whose result is kept is the one that makes it. */
    private String made(Optional<Place> keeper) {
        if (!e.hasStacks()) {
            return keeper.map(Place::user).map(List::getFirst).flatMap(source::line).or(alone::made).orElse("");
        }
        return switch (finding.kind()) {
            case LIMIT -> finding.line().isEmpty() ? makers.weights() : finding.line();
            // who captures matters, and not which layer asked
            case GRAPHS -> calls.stream().findFirst().map(Makers::caller).orElse(finding.line());
            // a layer keeps nothing: who called the model may
            case TENSORS_KEPT, GRAPH_KEPT -> calls.stream().filter(place -> place.inner().equals(finding.line())
                    && place.user().getFirst().method().equals("forward")).findFirst().map(Place::outer)
                    .orElse(finding.line());
            default -> finding.line();
        };
    }

    /** The line of a function of the program's own that writes the scores of an attention, or computes a loss of logits. */
    private Optional<String> written() {
        Predicate<Frame> writes = switch (finding.kind()) {
            case ATTENTION -> e.program()::isAttention;
            case LOGITS -> e.program()::isLoss;
            default -> frame -> false;
        };
        List<Frame> written = calls.stream().map(place -> place.user().getFirst()).filter(writes).toList();
        // what found no room is written there, if it is one of these lines; else what multiplies
        Optional<Frame> asked = e.failingPlace().user().stream().limit(1).filter(written::contains).findFirst();
        return asked.or(() -> written.stream().filter(e.program()::isProduct).findFirst())
                .or(() -> written.stream().findFirst())
                .map(Place::line);
    }

    /** Where what a call makes is kept, and who hands it there. */
    private List<String> keptBy(Place place) {
        boolean graph = finding.kind() == CauseKind.GRAPH_KEPT || finding.kind() == CauseKind.ACCUMULATION;
        return KEEP.contains(finding.kind()) ? source.kept(place.user(), place.entry(), graph) : List.of();
    }

    private Optional<String> keptByHook() {
        return finding.kind() == CauseKind.TENSORS_KEPT ? source.keptByHook() : Optional.empty();
    }

    /** Without stacks, and where no call of a model is known to be kept. */
    private Optional<String> keptByWords() {
        return e.hasStacks() ? Optional.empty() : alone.kept();
    }

    private Optional<String> varied() {
        return SIZED.contains(finding.kind())
                ? first(calls.stream().map(place -> () -> source.varied(place.user(), place.entry())))
                        .or(source::schedule)
                : Optional.empty();
    }

    /** Of an operation in a function of the program's, and not in a model, who called that. */
    private Optional<String> caller() {
        return calls.stream().filter(place -> place.inner().equals(finding.line()) && place.user().size() > 1
                && !place.user().getFirst().method().equals("forward")).findFirst()
                .map(place -> Place.line(place.user().get(1)));
    }

    private Optional<String> change() {
        Collection<List<Frame>> stacks = calls.stream().map(Place::user).toList();
        return switch (finding.kind()) {
            case GRAPH_KEPT -> source.first(Saying.RETAIN);
            case FAILURES -> source.caught(stacks).or(this::again);
            case TWO_SETS ->
                makers.copied().or(() -> source.late(Saying.COPY_OF_ALL)).or(() -> source.late(Saying.COPY))
                        .or(() -> calls.reversed().stream().filter(place -> place.phase() == StoryPhase.PLACING)
                                .findFirst().map(Makers::caller));
            case CHECKPOINT -> source.first(Saying.LOAD_TO_GPU);
            case GRAPHS -> source.with(stacks, Saying.CAPTURE).or(() -> source.first(Saying.CAPTURE));
            case WORKSPACE -> source.first(Saying.WORKSPACES).or(() -> streams(stacks))
                    .or(() -> source.first(Saying.THREAD_STARTED));
            case STREAMS -> source.first(Saying.WAITS).or(() -> source.with(stacks, Saying.POOL))
                    .or(() -> source.first(Saying.POOL)).or(() -> streams(stacks));
            case ATTENTION -> source.first(Saying.EAGER_SET);
            case OLD_AND_NEW -> first(calls.stream()
                    .sorted(Comparator.comparing(place -> !place.inner().equals(finding.line())))
                    .map(place -> () -> source.ofItself(place.user())))
                    .or(() -> Rebound.former(e).isPresent()
                            ? source.madeAgain(e.failingPlace().user())
                            : Optional.empty());
            case OPTIMIZER -> source.last(Saying.OPTIMIZER_MADE);
            case WARM_UP -> source.first(Saying.BENCHMARK);
            case LIMIT -> source.first(Saying.FRACTION).or(() -> Optional.of(makers.weights()));
            default -> Optional.empty();
        };
    }

    /** Where a function calls itself: what it tried is tried again by that, smaller as a rule. */
    private Optional<String> again() {
        return first(calls.stream().map(place -> () -> IntStream.range(1, place.user().size())
                .filter(i -> place.user().get(i).method().equals(place.user().get(i - 1).method())
                        && place.user().get(i).file().equals(place.user().get(i - 1).file()))
                .mapToObj(i -> Place.line(place.user().get(i))).findFirst()));
    }

    private Optional<String> streams(Collection<List<Frame>> stacks) {
        return source.repeated(Saying.STREAM_MADE).or(() -> source.with(stacks, Saying.STREAM))
                .or(() -> source.first(Saying.STREAM));
    }

    private static Optional<String> first(Stream<Supplier<Optional<String>>> lines) {
        return lines.map(Supplier::get).flatMap(Optional::stream).findFirst();
    }
}

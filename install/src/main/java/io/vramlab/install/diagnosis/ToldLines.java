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
    /** Of these, what was asked for as much as what is there. */
    private static final Set<CauseKind> ASKED = EnumSet.of(CauseKind.FRAGMENTATION_SIZES,
            CauseKind.FRAGMENTATION_PINNED, CauseKind.STREAMS, CauseKind.GRAPHS, CauseKind.LOGITS, CauseKind.ATTENTION,
            CauseKind.GROWN_BY_CAT);
    /** Of these the line that makes most of it does nothing wrong. */
    private static final Set<CauseKind> CHANGED = EnumSet.of(CauseKind.FAILURES, CauseKind.STREAMS, CauseKind.GRAPHS,
            CauseKind.OLD_AND_NEW, CauseKind.ATTENTION);

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
        Optional<Place> keeper = calls.stream().filter(place -> kept(place).isPresent()).findFirst();
        add(LineRole.MADE, made(keeper));
        written().ifPresentOrElse(line -> add(LineRole.WITHIN, line, true),
                () -> add(LineRole.WITHIN, finding.within()));
        Optional<String> kept = keeper.flatMap(this::kept).or(this::keptByHook);
        if (kept.isPresent()) {
            add(LineRole.KEPT, kept.get(), true);
            return;
        }
        Optional<String> varied = varied();
        Optional<String> change = change();
        change.ifPresent(line -> add(LineRole.CHANGE, line,
                CHANGED.contains(kind) || kind == CauseKind.TWO_SETS && makers.copied().isPresent()));
        if (change.isEmpty()) {
            varied.ifPresent(line -> add(LineRole.CHANGE, line, kind == CauseKind.ACTIVATIONS));
        }
        if (change.isEmpty() && varied.isEmpty() && BATCHED.contains(kind)) {
            source.batch().ifPresent(line -> add(LineRole.CHANGE, line));
        }
        if (ASKED.contains(kind) && lines.size() < 2) {
            add(LineRole.ASKED, e.failingPlace().inner());
        }
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
        return calls.stream().map(place -> place.user().getFirst()).filter(writes).findFirst().map(Place::line);
    }

    private Optional<String> kept(Place place) {
        boolean graph = finding.kind() == CauseKind.GRAPH_KEPT || finding.kind() == CauseKind.ACCUMULATION;
        return KEEP.contains(finding.kind()) ? source.kept(place.user(), place.entry(), graph) : Optional.empty();
    }

    private Optional<String> keptByHook() {
        return finding.kind() == CauseKind.TENSORS_KEPT ? source.keptByHook() : Optional.empty();
    }

    private Optional<String> varied() {
        return SIZED.contains(finding.kind())
                ? first(calls.stream().map(place -> () -> source.varied(place.user(), place.entry())))
                : Optional.empty();
    }

    private Optional<String> change() {
        Collection<List<Frame>> stacks = calls.stream().map(Place::user).toList();
        return switch (finding.kind()) {
            case GRAPH_KEPT -> source.first(Saying.RETAIN);
            case FAILURES -> source.caught(stacks);
            case TWO_SETS ->
                makers.copied().or(() -> source.first(Saying.COPY_OF_ALL)).or(() -> source.first(Saying.COPY))
                        .or(() -> calls.reversed().stream().filter(place -> place.phase() == StoryPhase.PLACING)
                                .findFirst().map(Makers::caller));
            case CHECKPOINT -> source.first(Saying.LOAD_TO_GPU);
            case GRAPHS -> source.with(stacks, Saying.CAPTURE).or(() -> source.first(Saying.CAPTURE));
            case STREAMS, WORKSPACE -> source.first(Saying.WAITS)
                    .filter(line -> finding.kind() == CauseKind.STREAMS).or(() -> source.with(stacks, Saying.POOL))
                    .or(() -> source.first(Saying.POOL))
                    .or(() -> source.repeated(Saying.STREAM_MADE)).or(() -> source.with(stacks, Saying.STREAM))
                    .or(() -> source.first(Saying.STREAM)).or(() -> source.first(Saying.WORKSPACES));
            case ATTENTION -> source.first(Saying.EAGER_SET);
            case OLD_AND_NEW -> first(calls.stream()
                    .sorted(Comparator.comparing(place -> !place.inner().equals(finding.line())))
                    .map(place -> () -> source.ofItself(place.user())));
            case WARM_UP -> source.first(Saying.BENCHMARK);
            case LIMIT -> source.first(Saying.FRACTION).or(() -> Optional.of(makers.weights()));
            default -> Optional.empty();
        };
    }

    private static Optional<String> first(Stream<Supplier<Optional<String>>> lines) {
        return lines.map(Supplier::get).flatMap(Optional::stream).findFirst();
    }
}

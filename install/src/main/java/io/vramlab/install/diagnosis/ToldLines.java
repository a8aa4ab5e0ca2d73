package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
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

    private static final int MOST_CALLS = 4;
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

    private static final Pattern CONSTRUCTOR = Pattern.compile("__init__|<(listcomp|genexpr|dictcomp)>");

    private final Evidence e;
    private final Finding finding;
    private final SourceLines source;
    private final LinesOfSource alone;
    private final List<Place> calls;
    private final List<ToldLine> lines = new ArrayList<>();

    private ToldLines(Evidence e, Finding finding) {
        this.e = e;
        this.finding = finding;
        source = new SourceLines(e.program());
        alone = new LinesOfSource(e.program(), finding.kind());
        calls = e.hasStacks() ? calls() : alone.calls().stream().map(ToldLines::place).toList();
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
                CHANGED.contains(kind) || kind == CauseKind.TWO_SETS && copied().isPresent()));
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
            case LIMIT -> finding.line().isEmpty() ? weights() : finding.line();
            // who captures matters, and not which layer asked
            case GRAPHS -> maker(calls).orElse(finding.line());
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

    /** Of the first of some places the line outside of constructors that called the library. */
    private static Optional<String> maker(List<Place> places) {
        return places.stream().findFirst()
                .map(place -> Place.line(outside(place.user().subList(place.entry(), place.user().size()))));
    }

    private static Frame outside(List<Frame> user) {
        return user.stream().filter(frame -> !CONSTRUCTOR.matcher(frame.method()).matches()).findFirst()
                .orElse(user.getLast());
    }

    /** The line that made most of the weights: the first outside of constructors, of which each makes a part. */
    private String weights() {
        Map<String, Long> bytes = new HashMap<>();
        for (int block : e.alive(each -> e.phase(each) == StoryPhase.PLACING && e.place(each).isKnown())) {
            bytes.merge(Place.line(outside(e.place(block).user())), e.lives().bytes(block), Long::sum);
        }
        return bytes.entrySet().stream().max(Map.Entry.<String, Long>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder()))).map(Map.Entry::getKey).orElse("");
    }

    /** Where most of what is blamed was asked for, of equals the last first, and where the request failed. */
    private List<Place> calls() {
        Map<Place, Long> bytes = new LinkedHashMap<>();
        int[] blocks = finding.blamed().blocks();
        for (int i = blocks.length - 1; i >= 0; i--) {
            int block = blocks[i];
            Place place = e.place(block);
            if (place.isKnown()) {
                bytes.merge(place, e.lives().bytes(block), Long::sum);
            }
        }
        Comparator<Map.Entry<Place, Long>> most = Map.Entry.comparingByValue(Comparator.reverseOrder());
        Stream<Place> made = bytes.entrySet().stream().sorted(most).limit(MOST_CALLS).map(Map.Entry::getKey);
        return Stream.concat(made, Stream.of(e.failingPlace())).filter(Place::isKnown).distinct().toList();
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
            case TWO_SETS -> copied().or(() -> source.first(Saying.COPY_OF_ALL)).or(() -> source.first(Saying.COPY))
                    .or(() -> maker(calls.reversed().stream().filter(place -> place.phase() == StoryPhase.PLACING)
                            .toList()));
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
            case LIMIT -> source.first(Saying.FRACTION).or(() -> Optional.of(weights()));
            default -> Optional.empty();
        };
    }

    /** Where weights were being copied when the request failed, or had been. */
    private Optional<String> copied() {
        Stream<Place> there = IntStream.of(e.alive()).mapToObj(e::place).distinct();
        return Stream.concat(Stream.of(e.failingPlace()), there)
                .filter(place -> place.isKnown() && place.phase() == StoryPhase.COPYING).map(Place::outer).findFirst();
    }

    private static Optional<String> first(Stream<Supplier<Optional<String>>> lines) {
        return lines.map(Supplier::get).flatMap(Optional::stream).findFirst();
    }
}

package io.vramlab.magics.oom;

import io.vramlab.magics.track.CellLines;
import io.vramlab.kernel.spi.Session;
import io.vramlab.magics.live.LiveSet;
import io.vramlab.magics.live.LiveTensor;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.SegmentInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds what would have let a failed request succeed: each candidate is tried in a copy of the allocator, and only what
 * succeeds there is told. Cheapest first: letting go of what is forgotten, lifting a limit, using what other pools and
 * streams have in their caches, another setting, giving up variables, asking for less.
 */
public final class Advisor {

    private static final int MOST_VARIABLES = 4;
    private static final String EXPANDABLE = "expandable_segments:True";

    private final Failure failure;
    private final LiveSet live;
    private final Session session;
    private final String source;
    private final long limit;
    private final List<FreeingAdvice> found = new ArrayList<>();

    private Advisor(Failure failure, LiveSet live, Session session, String source) {
        this.failure = failure;
        this.live = live;
        this.session = session;
        this.source = source;
        this.limit = failure.error().limit() > 0 ? failure.error().limit() : Long.MAX_VALUE;
    }

    /**
     * The advice, best first; empty when nothing helps.
     *
     * @param live
     *            what is alive now
     * @param source
     *            the failed cell's text: variables that it uses are given up last
     */
    public static List<FreeingAdvice> of(Failure failure, LiveSet live, Session session, String source) {
        return new Advisor(failure, live, session, source).all();
    }

    private List<FreeingAdvice> all() {
        List<BlockHolders.Group> groups = BlockHolders.of(failure, live, session);
        gone();
        forgotten(groups);
        limit();
        pools();
        streams();
        settings();
        variables(groups);
        smaller();
        return found;
    }

    private boolean fitsWithout(Set<Long> addresses) {
        StateCopy copy = StateCopy.of(failure, addresses, limit);
        return copy.exact() && copy.fits(failure.error().requested(), failure.stream());
    }

    /** What was there when it failed, of earlier cells, and is not any more: perhaps that was enough. */
    private void gone() {
        int failed = CellLines.line(failure.line()).map(CellLines.Line::cell).orElse(failure.cell());
        Set<Long> still = new HashSet<>();
        live.on(failure.device()).stream().filter(failure::had).forEach(tensor -> still.add(tensor.address()));
        List<LiveTensor> gone = LiveSet.of(failure.tensors(), session).on(failure.device()).stream()
                .filter(then -> !still.contains(then.address()) && then.cell() > 0 && then.cell() != failed).toList();
        Set<Long> addresses = gone.stream().map(LiveTensor::address).collect(Collectors.toSet());
        if (!gone.isEmpty() && fitsWithout(addresses)) {
            found.add(new FreeingAdvice("Run it again: "
                    + ReadableSizes.text(gone.stream().mapToLong(LiveTensor::bytes).sum())
                    + " were let go of since it failed", "%rerun " + failed, 0,
                    "without these, in a copy of the allocator, the request succeeded"));
        }
    }

    /** What nothing reaches, old results, and what is left of replaced variables: nobody will miss it. */
    private void forgotten(List<BlockHolders.Group> groups) {
        Set<Long> addresses = new HashSet<>();
        Set<String> names = new TreeSet<>();
        long bytes = 0;
        for (BlockHolders.Group group : groups) {
            if (group.isForgotten()) {
                bytes += addresses.addAll(group.addresses()) ? group.bytes() : 0;
                names.addAll(group.roots());
            }
        }
        if (addresses.isEmpty() || !fitsWithout(addresses)) {
            return;
        }
        List<String> results = names.stream().filter(n -> n.startsWith("$")).toList();
        String command = results.isEmpty() ? "%gc" : "%del " + String.join(" ", results);
        found.add(new FreeingAdvice(
                "Let go of what no variable leads to" + (names.isEmpty() ? "" : ": " + String.join(", ", names)),
                command, bytes, "freed in a copy of the allocator; the request then succeeded"));
    }

    private void limit() {
        if (limit == Long.MAX_VALUE) {
            return;
        }
        StateCopy copy = StateCopy.of(failure, Set.of(), Long.MAX_VALUE);
        if (copy.exact() && copy.fits(failure.error().requested(), failure.stream())) {
            found.add(new FreeingAdvice("Lift the limit of " + ReadableSizes.text(limit) + ": the device has "
                    + ReadableSizes.text(failure.error().deviceFree()) + " free", "%memory_fraction 1", 0,
                    "the request succeeded in a copy without the limit"));
        }
    }

    /** Segments of pools that are wholly free go back when their pool is closed. */
    private void pools() {
        Set<Long> idle = new HashSet<>();
        long bytes = 0;
        for (SegmentInfo segment : failure.segments()) {
            if (segment.poolId() != 0 && segment.activeSize() == 0) {
                segment.blocks().forEach(b -> idle.add(b.address()));
                bytes += segment.totalSize();
            }
        }
        if (!idle.isEmpty() && fitsWithout(idle)) {
            found.add(new FreeingAdvice(
                    "Close the memory pool whose " + ReadableSizes.text(bytes) + " lie idle, then empty the cache",
                    "pool.close(); Cuda.emptyCache();", 0,
                    "its free segments were given back in a copy; the request then succeeded"));
        }
    }

    private void streams() {
        Set<Long> others = new TreeSet<>();
        failure.segments().forEach(s -> others.add(s.stream()));
        others.remove(failure.stream());
        for (long other : others) {
            StateCopy copy = StateCopy.of(failure, Set.of(), limit);
            if (copy.exact() && copy.fits(failure.error().requested(), other)) {
                found.add(new FreeingAdvice("Allocate on the stream that has it: " + (other == 0
                        ? "the default stream"
                        : "stream " + other) + " has enough free in its cache", "try (var u = stream.use()) { … }", 0,
                        "the request succeeded on that stream in a copy"));
                return;
            }
        }
    }

    private void settings() {
        if (failure.settings().expandableSegments()) {
            return;
        }
        AllocatorSettings expandable = failure.settings().with(EXPANDABLE);
        StateCopy copy = StateCopy.afresh(failure, expandable, limit);
        if (copy.exact() && copy.fits(failure.error().requested(), failure.stream())) {
            found.add(new FreeingAdvice("Start with expandable segments: the free memory is there, but in pieces",
                    "%alloc_conf " + EXPANDABLE + "   (as the first cell, then run again)", 0,
                    "what was alive, and then the request, were allocated under that setting"));
        }
    }

    private void variables(List<BlockHolders.Group> groups) {
        List<BlockHolders.Group> candidates = new ArrayList<>(
                groups.stream().filter(g -> !g.roots().isEmpty() && !g.isForgotten() && !g.isOutOfReach()).toList());
        candidates
                .sort(Comparator.comparing((BlockHolders.Group g) -> used(g)).thenComparing(BlockHolders.Group::bytes));
        List<Set<String>> told = new ArrayList<>();
        for (BlockHolders.Group group : candidates) {
            // who gives up one variable and is served need not give up two
            if (told.size() < MOST_VARIABLES && told.stream().noneMatch(group.roots()::containsAll)
                    && fitsWithout(group.addresses())) {
                found.add(new FreeingAdvice("Give up " + String.join(" and ", group.roots()), command(group.roots()),
                        group.bytes(),
                        "freed in a copy of the allocator; the request then succeeded"));
                told.add(group.roots());
            }
        }
        if (told.isEmpty()) {
            together(candidates);
        }
    }

    /** None is enough alone: as few as possible together, those that the cell does not use first. */
    private void together(List<BlockHolders.Group> candidates) {
        List<BlockHolders.Group> order = new ArrayList<>(candidates);
        order.sort(Comparator.comparing((BlockHolders.Group g) -> used(g))
                .thenComparing(BlockHolders.Group::bytes, Comparator.reverseOrder()));
        Set<Long> addresses = new HashSet<>();
        Set<String> names = new TreeSet<>();
        for (BlockHolders.Group group : order) {
            addresses.addAll(group.addresses());
            names.addAll(group.roots());
            if (names.size() > 1 && fitsWithout(addresses)) {
                long bytes = live.on(failure.device()).stream().filter(t -> addresses.contains(t.address()))
                        .mapToLong(t -> t.bytes()).sum();
                found.add(new FreeingAdvice("Give up " + String.join(", ", names), command(names), bytes,
                        "freed together in a copy of the allocator; the request then succeeded"));
                return;
            }
        }
    }

    /** What lets go of roots: {@code %del} for variables, null for static fields. */
    private static String command(Set<String> roots) {
        List<String> lines = new ArrayList<>(
                roots.stream().filter(BlockHolders::isStatic).map(field -> field + " = null;").toList());
        String variables = roots.stream().filter(root -> !BlockHolders.isStatic(root)).map(Advisor::variable)
                .collect(Collectors.joining(" "));
        if (!variables.isEmpty()) {
            lines.add("%del " + variables);
        }
        return String.join("\n", lines);
    }

    private static String variable(String root) {
        int space = root.indexOf(' ');
        return space < 0 ? root : root.substring(0, space);
    }

    private boolean used(BlockHolders.Group group) {
        return group.roots().stream().map(Advisor::variable)
                .anyMatch(name -> source.matches("(?s).*\\b" + java.util.regex.Pattern.quote(name) + "\\b.*"));
    }

    /** The largest request that would have succeeded, by halving. */
    private void smaller() {
        long asked = failure.error().requested();
        long fits = 0;
        long fails = asked;
        while (fails - fits > Math.max(512, asked / 1000)) {
            long middle = (fits + fails) / 2;
            StateCopy copy = StateCopy.of(failure, Set.of(), limit);
            if (!copy.exact()) {
                return;
            }
            if (copy.fits(middle, failure.stream())) {
                fits = middle;
            } else {
                fails = middle;
            }
        }
        if (fits > 0) {
            found.add(new FreeingAdvice(
                    "Ask for less: up to " + ReadableSizes.both(fits) + " succeeds, "
                            + ReadableSizes.percent(Math.floor(1000.0 * fits / asked) / 1000)
                            + " of what was asked for",
                    "a smaller batch", 0,
                    "found by trying sizes in copies of the allocator"));
        }
    }
}

package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Writes a {@link Script}: goes through a recording's events, and has each operation's rule write its part. */
final class ScriptWriter {

    private final ScriptSteps steps = new ScriptSteps();
    private final ChosenSteps chosen = new ChosenSteps();
    private final Choice choice;
    private byte stream;
    private int on;
    private boolean shares;
    private final DriverSteps driver = new DriverSteps(step -> add(Script.DRIVER, 0, step.ordinal()));
    private int event;
    private long lastTemporary;
    private long lastStorage;
    private final long room;
    private final Map<Long, long[]> tried = new HashMap<>();
    private final Map<Long, String> labels = new HashMap<>();
    private final BitSet alive = new BitSet();
    private final Map<Long, Long> joined = new HashMap<>();
    private final Set<Long> lingering = new HashSet<>();
    private final List<Long> late = new ArrayList<>();
    private final Set<Long> passedOn = new HashSet<>();
    private final Map<String, Integer> unknown = new TreeMap<>();
    private final Map<String, Integer> unknownAt = new HashMap<>();
    private final Map<String, Integer> estimated = new TreeMap<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int operations;
    private final SharedLengths lengths;
    private final List<PlanEvent> events;
    private final BitSet mayWait;

    /** A storage that is let go of late, and the number of the operation before which it is. */
    private record Waiting(long storage, int until) {
    }

    private ScriptWriter(ProgramTrace trace, long room, Choice choice, SharedLengths lengths) {
        events = trace.events();
        mayWait = trace.traits().late();
        this.room = room;
        this.choice = choice;
        this.lengths = lengths;
    }

    /** What these events take, in that order. */
    static Script write(ProgramTrace trace, int[] order, DeviceProperties device, Choice choice, Shares shares) {
        ScriptWriter script = new ScriptWriter(trace, device.totalBytes() - Outside.context(device), choice,
                new SharedLengths(shares, trace));
        Footprints footprints = new Footprints(device, choice, trace.convolutions());
        for (int i : order) {
            script.event = i;
            script.follow(trace.events().get(i), footprints);
        }
        return script.done();
    }

    private Script done() {
        return new Script(steps, chosen,
                new Script.Facts(room, lastStorage, lastTemporary, shares, !lingering.isEmpty(), !mayWait.isEmpty(),
                        tried, labels, unknown, unknownAt, estimated));
    }

    private void follow(PlanEvent next, Footprints footprints) {
        switch (next) {
            case Operation o -> follow(o, footprints);
            case PlanEvent.Released r -> released(r);
            case PlanEvent.SharedOut told -> lengths.told(told);
            case PlanEvent.Brought b -> make(b.storage(), b.bytes());
            case PlanEvent.Lingering l -> lingering.add(l.storage());
            case PlanEvent.Resized r -> {
                release(r.storage());
                make(r.storage(), r.bytes());
            }
            case PlanEvent.Turned t -> turn(t.stream(), t.on());
            case PlanEvent.Used u -> use(u.storage(), (byte) u.stream());
            case PlanEvent.Limited l -> add(Script.LIMIT, 0, Double.doubleToRawLongBits(l.fraction()));
            case PlanEvent.Mark m -> mark(m, footprints);
        }
    }

    private void follow(Operation o, Footprints footprints) {
        if (addsInPlace(o)) {
            joined.put(o.made().getFirst().storage(), root(((TensorRef) o.argument(0)).storage()));
        } else {
            letGo();
            lengths.follow(o);
            footprints.follow(o, this);
            driver.follow(o);
        }
    }

    private void released(PlanEvent.Released r) {
        if (choice == Choice.MOST && lingering.contains(r.storage())) {
            late.add(r.storage());
        } else if (choice == Choice.MOST && mayWait.get(event)) {
            waiting.add(new Waiting(r.storage(), operations + LateReleases.OPERATIONS));
        } else {
            release(r.storage());
        }
    }

    private void mark(PlanEvent.Mark m, Footprints footprints) {
        switch (m.what()) {
            case "optimizer_step" -> {
                late.forEach(this::release);
                late.clear();
                lengths.stepped();
            }
            case "empty_cache" -> add(Script.EMPTY_CACHE, 0, 0);
            case "clear_cublas" -> footprints.clearWorkspaces(this);
            case "reset_peak" -> add(Script.RESET_PEAK, 0, 0);
            case "synchronize" -> add(Script.WAIT, 0, 0);
            default -> {
                // no matter of memory
            }
        }
    }

    /**
     * Autograd adds the gradients that meet at a node into the first of them if nobody else holds it. Fake tensors never
     * do; it shows in that the first is let go right after.
     */
    private boolean addsInPlace(Operation o) {
        if (o.phase() != Phase.BACKWARD || !o.node().isEmpty() || o.made().size() != 1
                || !o.name().equals("aten.add.Tensor") || !(o.argument(0) instanceof TensorRef first)
                || !(o.argument(1) instanceof TensorRef second) || first.form().host()
                || second.form().count() > first.form().count() || !first.form().isDense()) {
            return false;
        }
        for (int next = event + 1; next < events.size() && events.get(next) instanceof PlanEvent.Released r; next++) {
            if (r.storage() == first.storage()) {
                passedOn.add(first.storage());
                return true;
            }
        }
        return false;
    }

    /** cuBLAS multiplies in a thread: the first time it takes addresses. */
    void multiply(boolean backward) {
        driver.multiply(backward);
    }

    /** What waited for autograd's thread, and for long enough. */
    private void letGo() {
        operations++;
        while (!waiting.isEmpty() && waiting.peek().until() <= operations) {
            release(waiting.poll().storage());
        }
    }

    private void turn(int to, int on) {
        stream = (byte) to;
        this.on = on;
        if (to != 0) {
            driver.stream();
        }
    }

    private long root(long storage) {
        return joined.isEmpty() ? storage : joined.getOrDefault(storage, storage);
    }

    /** A storage of the program. */
    void make(long storage, long bytes) {
        add(Script.TAKE, storage, lengths.bytes(storage, bytes));
        alive.set((int) storage);
        lastStorage = Math.max(lastStorage, storage);
    }

    /** Another stream works with a storage: once let go, it waits for that one too. */
    private void use(long storage, byte by) {
        long used = root(storage);
        if (alive.get((int) used)) {
            byte own = stream;
            stream = by;
            add(Script.USE, used, 0);
            stream = own;
            shares = true;
        }
    }

    private void release(long released) {
        if (!passedOn.isEmpty() && passedOn.remove(released)) {
            return;
        }
        long storage = root(released);
        if (!joined.isEmpty()) {
            joined.remove(released);
        }
        if (alive.get((int) storage)) {
            alive.clear((int) storage);
            add(Script.GIVE, storage, 0);
        }
    }

    /** Something that the operation takes for itself; give it back with {@link #give}. */
    long take(long bytes) {
        add(Script.TAKE, --lastTemporary, bytes);
        return lastTemporary;
    }

    /** What lives until the process ends, or until the program asks for it; give it back with {@link #give}. */
    long keep(long bytes, String label) {
        long block = take(bytes);
        labels.put(block, label);
        return block;
    }

    void give(long block) {
        add(Script.GIVE, block, 0);
    }

    /**
     * Takes the largest of these for a moment that the device has room for, or half of it, and half again, where there is not so
     * much in one piece; then all cached memory goes.
     */
    void trial(long[] sizes) {
        chosen.settle();
        long[] possible = Arrays.stream(sizes).filter(bytes -> bytes > 0 && bytes <= room).sorted().toArray();
        if (possible.length > 0) {
            add(Script.TRY, --lastTemporary, possible[possible.length - 1]);
            tried.put(lastTemporary, possible);
            give(lastTemporary);
        }
        add(Script.EMPTY_CACHE, 0, 0);
    }

    /**
     * Takes for a moment what a library chooses: what this script counts of three sizes.
     *
     * @param kind
     *            {@link Script#TAKE}, or {@link Script#SPARED} for what PyTorch does without where there is no room
     */
    void passing(byte kind, long least, long likely, long most) {
        long block = --lastTemporary;
        chosen.passing(steps.length(), kind, block, stream, event, new ChosenSteps.Sizes(least, likely, most));
        long bytes = choice.of(least, likely, most);
        if (bytes > 0) {
            add(kind, block, bytes);
            give(block);
        }
    }

    /** Takes one of three sizes, be it nothing; give it back with {@link #give}. */
    long take(long least, long likely, long most) {
        chosen.taken(steps.length(), new ChosenSteps.Sizes(least, likely, most));
        return take(choice.of(least, likely, most));
    }

    /** Takes these one after another and gives them back, the last first. */
    void passing(Iterable<Long> bytes) {
        long first = lastTemporary;
        bytes.forEach(this::take);
        for (long block = lastTemporary; block < first; block++) {
            give(block);
        }
    }

    void unknown(String operation) {
        unknown.merge(operation, 1, Integer::sum);
        unknownAt.putIfAbsent(operation, event);
    }

    void estimated(String operation) {
        estimated.merge(operation, 1, Integer::sum);
    }

    private void add(byte kind, long block, long bytes) {
        steps.add(kind, block, bytes, stream, event);
    }

    /** The stream that works; what it takes may belong to a graph. */
    int workingStream() {
        return on;
    }
}

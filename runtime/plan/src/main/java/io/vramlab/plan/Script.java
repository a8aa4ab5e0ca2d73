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

/**
 * Everything that a recorded program takes and gives back on a device, in order: the storages it made, and what its
 * operations take besides.
 */
final class Script {

    static final byte TAKE = 0;
    static final byte GIVE = 1;
    static final byte EMPTY_CACHE = 2;
    static final byte RESET_PEAK = 3;
    static final byte USE = 4;
    static final byte WAIT = 5;
    static final byte TRY = 6;
    static final byte DRIVER = 7;

    private byte[] kinds = new byte[1024];
    private long[] blocks = new long[1024];
    private long[] sizes = new long[1024];
    private byte[] streams = new byte[1024];
    private byte stream;
    private boolean shares;
    private final DriverSteps driver = new DriverSteps(step -> add(DRIVER, 0, step.ordinal()));
    private int[] events = new int[1024];
    private int length;
    private int event;
    private long lastTemporary;
    private long lastStorage;
    private final long room;
    private final Map<Long, long[]> tried = new HashMap<>();
    private final Set<Long> spared = new HashSet<>();
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
    private boolean waits;
    private int operations;

    private final SharedLengths lengths;

    /** A storage that is let go of late, and the number of the operation before which it is. */
    private record Waiting(long storage, int until) {
    }

    private Script(long room, SharedLengths lengths) {
        this.room = room;
        this.lengths = lengths;
    }

    static Script of(ProgramTrace trace, DeviceProperties device) {
        return of(trace, device, Choice.LIKELY);
    }

    static Script of(ProgramTrace trace, DeviceProperties device, Choice choice) {
        return of(trace, device, choice, Shares.EVEN);
    }

    static Script of(ProgramTrace trace, DeviceProperties device, Choice choice, Shares shares) {
        return of(trace, IntStream.range(0, trace.events().size()).toArray(), device, choice, shares);
    }

    /** Events in another order, some of them not at all. */
    static Script of(ProgramTrace trace, int[] order, DeviceProperties device, Choice choice, Shares shares) {
        List<PlanEvent> events = trace.events();
        Script script = new Script(device.totalBytes() - Outside.context(device), new SharedLengths(shares, trace));
        Footprints footprints = new Footprints(device, choice, trace.convolutions());
        BitSet mayWait = choice == Choice.LIKELY || choice == Choice.MOST ? LateReleases.of(events) : new BitSet();
        script.waits = !mayWait.isEmpty();
        for (int i : order) {
            script.event = i;
            switch (events.get(i)) {
                case Operation o when script.addsInPlace(o, events) -> script.joined.put(o.made().getFirst().storage(),
                        script.root(((TensorRef) o.argument(0)).storage()));
                case Operation o -> {
                    script.letGo();
                    script.lengths.follow(o);
                    footprints.follow(o, script);
                    script.driver.follow(o);
                }
                case PlanEvent.SharedOut told -> script.lengths.told(told);
                case PlanEvent.Brought b -> script.make(b.storage(), b.bytes());
                case PlanEvent.Released r when choice == Choice.MOST && script.lingering.contains(r.storage()) ->
                    script.late
                            .add(r.storage());
                case PlanEvent.Released r when choice == Choice.MOST && mayWait.get(i) ->
                    script.waiting
                            .add(new Waiting(r.storage(), script.operations + LateReleases.OPERATIONS));
                case PlanEvent.Released r -> script.release(r.storage());
                case PlanEvent.Lingering l -> script.lingering.add(l.storage());
                case PlanEvent.Resized r -> {
                    script.release(r.storage());
                    script.make(r.storage(), r.bytes());
                }
                case PlanEvent.Turned t -> script.turn(t.stream());
                case PlanEvent.Used u -> script.use(u.storage(), (byte) u.stream());
                case PlanEvent.Mark m -> {
                    switch (m.what()) {
                        case "optimizer_step" -> {
                            script.late.forEach(script::release);
                            script.late.clear();
                            script.lengths.stepped();
                        }
                        case "empty_cache" -> script.add(EMPTY_CACHE, 0, 0);
                        case "clear_cublas" -> footprints.clearWorkspaces(script);
                        case "reset_peak" -> script.add(RESET_PEAK, 0, 0);
                        case "synchronize" -> script.add(WAIT, 0, 0);
                        default -> {
                            // no matter of memory
                        }
                    }
                }
            }
        }
        return script;
    }

    /**
     * Autograd adds the gradients that meet at a node into the first of them if nobody else holds it. Fake tensors never
     * do; it shows in that the first is let go right after.
     */
    private boolean addsInPlace(Operation o, List<PlanEvent> events) {
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

    private void turn(int to) {
        stream = (byte) to;
        if (to != 0) {
            driver.stream();
        }
    }

    private long root(long storage) {
        return joined.isEmpty() ? storage : joined.getOrDefault(storage, storage);
    }

    /** A storage of the program. */
    void make(long storage, long bytes) {
        add(TAKE, storage, lengths.bytes(storage, bytes));
        alive.set((int) storage);
        lastStorage = Math.max(lastStorage, storage);
    }

    /** Another stream works with a storage: once let go, it waits for that one too. */
    private void use(long storage, byte by) {
        long used = root(storage);
        if (alive.get((int) used)) {
            byte own = stream;
            stream = by;
            add(USE, used, 0);
            stream = own;
            shares = true;
        }
    }

    /** Whether any storage is used on several streams, so that when it is free again hangs on how far the GPU is. */
    boolean shares() {
        return shares;
    }

    /** Whether autograd's thread may let go of some of it late. */
    boolean waits() {
        return waits;
    }

    /** Whether another thread decides when some of it goes. */
    boolean lingers() {
        return !lingering.isEmpty();
    }

    private void release(long released) {
        if (passedOn.remove(released)) {
            return;
        }
        long storage = root(released);
        joined.remove(released);
        if (alive.get((int) storage)) {
            alive.clear((int) storage);
            add(GIVE, storage, 0);
        }
    }

    /** Something that the operation takes for itself; give it back with {@link #give}. */
    long take(long bytes) {
        add(TAKE, --lastTemporary, bytes);
        return lastTemporary;
    }

    /** What lives until the process ends, or until the program asks for it; give it back with {@link #give}. */
    long keep(long bytes, String label) {
        long block = take(bytes);
        labels.put(block, label);
        return block;
    }

    void give(long block) {
        add(GIVE, block, 0);
    }

    /**
     * Takes the largest of these for a moment that the device has room for, or half of it, and half again, where there is not so
     * much in one piece; then all cached memory goes.
     */
    void trial(long[] sizes) {
        long[] possible = Arrays.stream(sizes).filter(bytes -> bytes > 0 && bytes <= room).sorted().toArray();
        if (possible.length > 0) {
            add(TRY, --lastTemporary, possible[possible.length - 1]);
            tried.put(lastTemporary, possible);
            give(lastTemporary);
        }
        add(EMPTY_CACHE, 0, 0);
    }

    /** A workspace for a moment that PyTorch does without where there is no room: it goes on to the plans that follow. */
    void spared(long bytes) {
        spared.add(take(bytes));
        give(lastTemporary);
    }

    /** Whether the program goes on without that block where there is no room for it. */
    boolean isSpared(int i) {
        return spared.contains(blocks[i]);
    }

    /** The largest of what may be tried that is not more than what the device has left; 0 if all are. */
    long triedWithin(int i, long reserved) {
        return Arrays.stream(tried.get(blocks[i])).filter(bytes -> bytes <= room - reserved).max().orElse(0);
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
        if (length == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * length);
            blocks = Arrays.copyOf(blocks, 2 * length);
            sizes = Arrays.copyOf(sizes, 2 * length);
            events = Arrays.copyOf(events, 2 * length);
            streams = Arrays.copyOf(streams, 2 * length);
        }
        kinds[length] = kind;
        blocks[length] = block;
        sizes[length] = bytes;
        streams[length] = stream;
        events[length++] = event;
    }

    int length() {
        return length;
    }

    /** The same without some blocks. */
    Script without(Set<Long> dropped) {
        Script rest = new Script(room, lengths);
        rest.tried.putAll(tried);
        rest.spared.addAll(spared);
        rest.lastStorage = lastStorage;
        rest.lastTemporary = lastTemporary;
        for (int i = 0; i < length; i++) {
            boolean ofABlock = takes(i) || kinds[i] == GIVE || kinds[i] == USE;
            if (!ofABlock || !dropped.contains(blocks[i])) {
                rest.event = events[i];
                rest.stream = streams[i];
                rest.add(kinds[i], blocks[i], sizes[i]);
            }
        }
        return rest;
    }

    byte kind(int i) {
        return kinds[i];
    }

    /** Whether it takes a block, be it less than all of it where there is not so much. */
    boolean takes(int i) {
        return kinds[i] == TAKE || kinds[i] == TRY;
    }

    /** The storage, or a negative number for what an operation takes for itself. */
    long block(int i) {
        return blocks[i];
    }

    long bytes(int i) {
        return sizes[i];
    }

    /** A number of its block from 0 on, less than {@link #blocks}. */
    int index(int i) {
        return (int) (blocks[i] - lastTemporary);
    }

    int blocks() {
        return (int) (lastStorage - lastTemporary) + 1;
    }

    /** The stream that takes or uses the block; 0 is the default one. */
    int stream(int i) {
        return streams[i];
    }

    /** The stream that is current. */
    int stream() {
        return stream;
    }

    /** Which of the recording's events it belongs to. */
    int event(int i) {
        return events[i];
    }

    /** What the driver takes for itself. */
    DriverStep step(int i) {
        return DriverStep.values()[(int) sizes[i]];
    }

    String label(long block) {
        return labels.get(block);
    }

    /** Operations without an entry, with how often each was met. */
    Map<String, Integer> unknown() {
        return unknown;
    }

    /** The first event that met an operation without an entry. */
    int unknownAt(String operation) {
        return unknownAt.get(operation);
    }

    /** Operations whose workspace is a library's choice, with how often each was met. */
    Map<String, Integer> estimated() {
        return estimated;
    }

    /** Whether it takes and gives back the same, in the same order: its replay comes to the same. */
    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof Script that && length == that.length
                && Arrays.equals(sizes, 0, length, that.sizes, 0, length)
                && Arrays.equals(blocks, 0, length, that.blocks, 0, length)
                && Arrays.equals(kinds, 0, length, that.kinds, 0, length)
                && Arrays.equals(streams, 0, length, that.streams, 0, length) && spared.equals(that.spared)
                && tried.isEmpty() && that.tried.isEmpty();
    }

    @Override
    public int hashCode() {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + Long.hashCode(sizes[i]);
        }
        return hash;
    }
}

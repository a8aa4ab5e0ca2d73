package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import io.vramlab.memory.AllocatorSettings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a recorded program needs on a device under a setting: it is replayed in the caching allocator. Where the order in
 * which a driver places segments decides, reserved bytes are a range over fifteen orders.
 */
public final class Plan {

    private final ProgramTrace trace;
    private final DeviceProperties device;
    private final String settings;
    private final EndlessReplays replays;
    private final Scripts scripts;
    private final ScriptPlaces places;
    private final PeakRange peaks;
    private final RoomVerdict room;
    private ScriptReplay.Result stateless;

    private Plan(ProgramTrace trace, DeviceProperties device, String settings, Scripts scripts, EndlessReplays replays,
            boolean brief) {
        this.trace = trace;
        this.device = device;
        this.settings = settings;
        this.scripts = scripts;
        this.replays = replays;
        PlanRuns runs = new PlanRuns(trace, device, settings, scripts, replays, brief);
        places = new ScriptPlaces(trace, runs.script());
        peaks = new PeakRange(runs.results(), trace.traits().marks().contains(PlanEvent.Mark.EAGER_FORM));
        room = RoomVerdict.of(trace, device, settings, runs.all(), peaks);
    }

    /** Whether it has by far enough room on another GPU, or by far too little. */
    boolean isFarFrom(DeviceProperties gpu) {
        return PlanRuns.areFarFrom(trace, gpu, settings, peaks);
    }

    /** Bytes that the program may reserve of its GPU. */
    long room() {
        return PlanRuns.room(trace, device, settings);
    }

    /** What was replayed, to be shared with plans for other GPUs. */
    EndlessReplays replays() {
        return replays;
    }

    /** What it takes on its GPU. */
    Scripts scripts() {
        return scripts;
    }

    /** The sizes that are asked for, in order, less those of 0. */
    List<Long> sizes() {
        return places.sizes();
    }

    /** Whether the eager form stands for a compiled one that could not be followed. */
    boolean isEagerForm() {
        return peaks.eager();
    }

    /** Whether autograd's thread may let go of some of it late. */
    boolean waits() {
        return places.script().waits();
    }

    /** Whether another thread decides when some of it goes. */
    boolean lingers() {
        return places.script().lingers();
    }

    /** Whether a router decides how many tokens each expert is given. */
    boolean isSharedOut() {
        return trace.traits().sharesOut();
    }

    /** Whether a GradScaler decides which optimizer steps are taken. */
    boolean isScaled() {
        return !scripts.skipped().isEmpty();
    }

    /**
     * Replays a program.
     *
     * @param settings
     *            as in {@code PYTORCH_CUDA_ALLOC_CONF}, empty for the default ones
     * @throws IllegalArgumentException
     *             if the settings are not valid
     */
    public static Plan of(ProgramTrace trace, DeviceProperties device, String settings) {
        return of(trace, device, List.of(settings)).getFirst();
    }

    /** Replays a program under several settings. */
    public static List<Plan> of(ProgramTrace trace, DeviceProperties device, List<String> settings) {
        Scripts scripts = new Scripts(trace, device);
        EndlessReplays replays = new EndlessReplays();
        return settings.stream().map(s -> new Plan(trace, device, s, scripts, replays, false)).toList();
    }

    /**
     * A plan under default settings of which only the verdict matters: where twice the need has room, or half of it has not,
     * one order and one choice decide.
     */
    public static Plan brief(ProgramTrace trace, DeviceProperties device) {
        return brief(trace, device, new Scripts(trace, device), new EndlessReplays());
    }

    /** The same for several GPUs, in their order, in less time. */
    public static List<Plan> brief(ProgramTrace trace, List<DeviceProperties> devices) {
        return BriefPlans.of(trace, devices, Optional.empty());
    }

    /**
     * The same in less time still.
     *
     * @param plans
     *            of the same program, on another GPU; one under default settings says which GPUs have by far enough, or too little
     */
    public static List<Plan> brief(ProgramTrace trace, List<DeviceProperties> devices, List<Plan> plans) {
        return BriefPlans.of(trace, devices, plans.stream().filter(plan -> plan.settings().isEmpty()).findFirst());
    }

    static Plan brief(ProgramTrace trace, DeviceProperties device, Scripts scripts, EndlessReplays replays) {
        return new Plan(trace, device, "", scripts, replays, true);
    }

    /** Peak of allocated bytes, from the program's last reset of its peaks on, as {@code max_memory_allocated} tells it at the end. */
    public long allocated() {
        return peaks.likely().allocated();
    }

    /** Peak of requested bytes. */
    public long requested() {
        return peaks.likely().requested();
    }

    /** Peak of reserved bytes, with segments placed as an H100's driver does; from the last reset on, too. */
    public long reserved() {
        return peaks.likely().reserved();
    }

    /** Peak of allocated bytes over the whole run, whatever the program reset. */
    public long highestAllocated() {
        return peaks.likely().highest().allocated();
    }

    /** Peak of reserved bytes over the whole run. */
    public long highestReserved() {
        return peaks.likely().highest().reserved();
    }

    /** Whether the program reset its peaks after they had been higher than later. */
    public boolean isReset() {
        return highestAllocated() > allocated() || highestReserved() > reserved();
    }

    /** The least peak of reserved bytes, over the orders in which segments may lie and what libraries may choose. */
    public long leastReserved() {
        return peaks.least(ScriptReplay.Result::reserved);
    }

    /** The largest. */
    public long mostReserved() {
        return peaks.most(ScriptReplay.Result::reserved);
    }

    /** The least peak of allocated bytes, over the same. */
    public long leastAllocated() {
        return peaks.least(ScriptReplay.Result::allocated);
    }

    /** The largest. */
    public long mostAllocated() {
        return peaks.most(ScriptReplay.Result::allocated);
    }

    /** How many allocations the program makes. */
    public long allocations() {
        return peaks.likely().allocations();
    }

    /** Whether the device, less what lies outside of the allocator, has room. */
    public FitVerdict verdict() {
        return room.verdict();
    }

    /**
     * Bytes that the program reserves at most on the device: what {@link #highestReserved} tells, or less where that has no room and
     * cached memory is given back on the way, and 0 where it runs out.
     */
    public long reservedOnDevice() {
        return room.likely().failedAt() < 0 ? room.likely().highest().reserved() : 0;
    }

    /** Whether it has, whatever the order of segments and the libraries' choice. */
    public boolean fits() {
        return verdict() == FitVerdict.FITS || verdict() == FitVerdict.TIGHT;
    }

    /** The device. */
    public DeviceProperties device() {
        return device;
    }

    /** The settings' text. */
    public String settings() {
        return settings;
    }

    /** PyTorch's message where it does not fit; else empty. */
    public String failure() {
        return room.failed().failure();
    }

    /** Where memory runs out: operation, line and module; else empty. */
    public String failedAt() {
        int step = room.failed().failedAt();
        return step < 0 ? "" : places.where(step);
    }

    /** Where most is allocated in the whole run: operation, line and module. */
    public String peakAt() {
        return places.where(peaks.likely().highest().at());
    }

    /** Where allocated bytes first go past a number: operation, line and module; empty where they never do. */
    public String passes(long bytes) {
        AllocatorSettings rounding = AllocatorSettings.DEFAULT.with(settings);
        Map<Long, Long> alive = new HashMap<>();
        long live = 0;
        Script script = places.script();
        for (int i = 0; i < script.length(); i++) {
            if (script.takes(i)) {
                long taken = script.bytes(i) == 0 ? 0 : rounding.roundedSize(script.bytes(i));
                alive.put(script.block(i), taken);
                live += taken;
            } else if (script.kind(i) == Script.GIVE) {
                live -= alive.remove(script.block(i));
            }
            if (live > bytes) {
                return places.where(i);
            }
        }
        return highestAllocated() > bytes ? peakAt() : "";
    }

    /** What each line of the program holds at the peak, in bytes as allocated: the line that made it. */
    public Map<String, Long> heldByLine() {
        return heldAtPeak().byLine();
    }

    /** The lines that hold more at this plan's peak than at another's, the largest growth first. */
    public Map<String, Long> grownSince(Plan before) {
        Map<String, Long> old = before.heldByLine();
        Map<String, Long> grown = new LinkedHashMap<>();
        heldByLine().entrySet().stream()
                .map(e -> Map.entry(e.getKey(), e.getValue() - old.getOrDefault(e.getKey(), 0L)))
                .filter(e -> e.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .forEach(e -> grown.put(e.getKey(), e.getValue()));
        return grown;
    }

    /** Who holds the peak of the whole run, the largest share first. */
    public List<Share> holders() {
        return heldAtPeak().shares();
    }

    private PeakHolders heldAtPeak() {
        return new PeakHolders(places, settings, peaks.likely().highest().at());
    }

    /**
     * The peak of allocated bytes with an optimizer that keeps no state and works in place, as plain SGD: what the recorded
     * one holds and takes is left out, and the rest replayed. From the last reset on, as {@link #allocated}.
     */
    public long allocatedWithoutState() {
        return withoutState().allocated();
    }

    /** The same over the whole run, as {@link #highestAllocated}. */
    public long highestAllocatedWithoutState() {
        return withoutState().highest().allocated();
    }

    private ScriptReplay.Result withoutState() {
        if (stateless == null) {
            stateless = replayedWithoutState();
        }
        return stateless;
    }

    private ScriptReplay.Result replayedWithoutState() {
        Script script = places.script();
        Set<Long> dropped = new HashSet<>();
        for (int i = 0; i < script.length(); i++) {
            ProgramTrace.Holder holder = trace.holder(script.block(i));
            boolean kept = holder != null && !holder.kind().equals("optimizer");
            boolean optimizers = places.event(i) instanceof Operation o
                    && o.phase() == Phase.OPTIMIZER;
            if (script.takes(i) && !kept && (optimizers || holder != null)) {
                dropped.add(script.block(i));
            }
        }
        return dropped.isEmpty()
                ? peaks.likely()
                : new Run(script.without(dropped), Placement.SEEN, false).endless(replays, settings, device.name());
    }

    /** Operations that were counted with their results alone, and how often each was met. */
    public Map<String, Integer> withoutAnEntry() {
        return places.script().unknown();
    }

    /** The same for people: each with its count and the line that met it first. */
    public List<String> unknownPlaces() {
        return places.unknown();
    }

    /** Operations whose workspace a library chooses, and how often each was met. */
    public Map<String, Integer> estimated() {
        return places.script().estimated();
    }
}

package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import io.vramlab.memory.AllocatorSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What a recorded program needs on a device under a setting: it is replayed in the caching allocator. Where the order in
 * which a driver places segments decides, reserved bytes are a range over fifteen orders.
 */
public final class Plan {

    private static final long FAR = 2;
    /**
     * What bounds of libraries' choices leave open: other choices between them, and orders of segments. Of 27 recordings on three GPUs
     * each, the most over all went past the most of the bounds by 18.5 % at worst.
     */
    private static final double MARGIN = 1.25;
    /** Compiled programs were seen to take three quarters of what their eager form does, or more, and a buffer to try kernels with. */
    private static final int EAGER = 2;
    private static final long TRIED = 64 << 20;

    private final ProgramTrace trace;
    private final DeviceProperties device;
    private final String settings;
    private final EndlessReplays replays;
    private final Scripts scripts;
    private final Script script;
    private final boolean eager;
    private final ScriptReplay.Result bounded;
    private final List<ScriptReplay.Result> all = new ArrayList<>();
    private final FitVerdict verdict;
    private final boolean scaled;

    private Plan(ProgramTrace trace, DeviceProperties device, String settings, Scripts scripts, EndlessReplays replays,
            boolean brief) {
        this.trace = trace;
        this.device = device;
        this.settings = settings;
        this.scripts = scripts;
        this.replays = replays;
        long room = room(device);
        eager = isMarked(PlanEvent.Mark.EAGER_FORM);
        scaled = !scripts.skipped().isEmpty();
        Script sight = scripts.atFirstSight(Choice.LIKELY);
        boolean far = brief && isFar(replay(sight).highest().reserved(), room);
        List<Run> runs = new ArrayList<>(List.of(new Run(sight, Placement.SEEN, false)));
        if (brief && !far) {
            runs.addAll(bounds(scripts, sight));
        }
        boolean settled = far || runs.size() > 1 && isSettledBy(runs, room);
        script = settled ? sight : scripts.of(Choice.LIKELY);
        if (!settled) {
            boolean anyOrder = AllocatorSettings.DEFAULT.with(settings).expandableSegments();
            runs = new ArrayList<>(List.of(new Run(script, Placement.SEEN, false)));
            runs.addAll(otherwise(scripts, anyOrder ? List.of(Placement.SEEN) : Placement.few(),
                    anyOrder ? List.of(Placement.SEEN) : brief ? Placement.few() : Placement.many()));
        }
        all.addAll(runs.parallelStream().map(run -> run.endless(this)).toList());
        int fitting = 0;
        boolean released = false;
        ScriptReplay.Result failed = null;
        for (int i = 0; i < all.size(); i++) {
            ScriptReplay.Result result = all.get(i);
            if (result.highest().reserved() > room) {
                result = runs.get(i).in(room, this);
                released |= result.failedAt() < 0;
            }
            fitting += result.failedAt() < 0 ? 1 : 0;
            if (result.failedAt() >= 0 && failed == null) {
                failed = result;
            }
        }
        bounded = failed == null ? free() : failed;
        if (fitting == 0 && (!eager || least(result -> result.highest().reserved()) > room)) {
            verdict = FitVerdict.DOES_NOT_FIT;
        } else if (!trace.isComplete()) {
            verdict = FitVerdict.INCOMPLETE;
        } else if (fitting < all.size() || isTriedOut()
                || eager && most(result -> result.highest().reserved()) > room) {
            verdict = FitVerdict.DEPENDS;
        } else {
            verdict = released ? FitVerdict.TIGHT : FitVerdict.FITS;
        }
    }

    /** The least and the most that libraries may choose, and steps that a GradScaler may skip; none where these say too little. */
    private List<Run> bounds(Scripts scripts, Script likely) {
        if (likely.shares() || eager) {
            return List.of();
        }
        List<Script> bounds = new ArrayList<>();
        if (isEstimated(likely)) {
            bounds.add(scripts.atFirstSight(Choice.LEAST));
            bounds.add(scripts.atFirstSight(Choice.MOST));
        }
        if (isSharedOut()) {
            Stream.of(Shares.values()).skip(1).forEach(shares -> bounds.add(scripts.atFirstSight(shares)));
        }
        scripts.skipped().forEach(count -> bounds.add(scripts.atFirstSightWithout(count)));
        return bounds.stream().map(bound -> new Run(bound, Placement.SEEN, false)).toList();
    }

    /** Whether all have room with a margin, or not even the least that is ever allocated has; then these are the runs that count. */
    private boolean isSettledBy(List<Run> runs, long room) {
        List<ScriptReplay.Result> results = runs.stream().map(run -> run.endless(this)).toList();
        return results.stream().allMatch(result -> result.highest().reserved() * MARGIN < room)
                || results.stream().allMatch(result -> result.highest().allocated() > room * MARGIN);
    }

    private static boolean isEstimated(Script script) {
        return !script.estimated().isEmpty() || !script.unknown().isEmpty() || script.lingers()
                || script.waits();
    }

    private static boolean isFar(long reserved, long room) {
        return reserved * FAR < room || reserved > room * FAR;
    }

    private static long room(DeviceProperties device) {
        return device.totalBytes() - Outside.context(device);
    }

    /**
     * Whether twice of all that it may reserve has room on a GPU, or half of what it allocates at least has not; trials of cuDNN's
     * plans take less where there is less.
     */
    boolean isFarFrom(DeviceProperties gpu) {
        return most(result -> result.highest().reserved()) * FAR < room(gpu)
                || !trace.traits().triesPlans() && least(result -> result.highest().allocated()) > room(gpu) * FAR;
    }

    /** What was replayed, to be shared with plans for other GPUs. */
    EndlessReplays replays() {
        return replays;
    }

    /** What it takes on its GPU. */
    Scripts scripts() {
        return scripts;
    }

    /** Without a limit, with segments placed as they were seen to be. */
    private ScriptReplay.Result replay(Script which) {
        return new Run(which, Placement.SEEN, false).endless(this);
    }

    /** Whether cuDNN or the compiler was told to try kernels out, or to keep memory for graphs, of which no rule tells how much. */
    private boolean isTriedOut() {
        return isMarked("cudnn_benchmark") || isMarked("compiled_otherwise")
                || trace.traits().isTriedWithoutPlans();
    }

    private boolean isMarked(String what) {
        return trace.traits().marks().contains(what);
    }

    /** Whether the eager form stands for a compiled one that could not be followed: ranges go from half of it to twice and what kernels are tried with. */
    boolean isEagerForm() {
        return eager;
    }

    /** One replay of it; the GPU keeps up with the program, or lags behind as far as may be. */
    private record Run(Script script, Placement order, boolean lags) {

        ScriptReplay.Result endless(Plan plan) {
            return plan.replays.of(script, plan.settings, order, lags, plan.device.name());
        }

        ScriptReplay.Result in(long bytes, Plan plan) {
            return lags
                    ? ScriptReplay.lagging(script, plan.settings, order, plan.device.name(), bytes)
                    : ScriptReplay.run(script, plan.settings, order, plan.device.name(), bytes);
        }
    }

    /** All runs but the first: what is likely over many orders, what libraries may choose besides over few. */
    private List<Run> otherwise(Scripts scripts, List<Placement> few, List<Placement> many) {
        List<Run> runs = new ArrayList<>(many.stream().skip(1).map(order -> new Run(script, order, false)).toList());
        if (script.shares()) {
            few.forEach(order -> runs.add(new Run(script, order, true)));
        }
        if (isEstimated(script)) {
            Stream.of(Choice.values()).skip(1).forEach(choice -> {
                Script chosen = scripts.of(choice);
                (choice.isApart() ? List.of(Placement.SEEN) : few)
                        .forEach(order -> runs.add(new Run(chosen, order, false)));
            });
        }
        if (isSharedOut()) {
            Stream.of(Shares.values()).skip(1).map(scripts::of)
                    .forEach(uneven -> few.forEach(order -> runs.add(new Run(uneven, order, false))));
        }
        for (int skipped : scripts.skipped()) {
            few.forEach(order -> runs.add(new Run(scripts.without(skipped, Choice.LIKELY), order, false)));
            if (!script.estimated().isEmpty()) {
                runs.add(new Run(scripts.without(skipped, Choice.LEAST), Placement.SEEN, false));
                runs.add(new Run(scripts.without(skipped, Choice.MOST), Placement.SEEN, false));
            }
        }
        return runs;
    }

    /** Whether autograd's thread may let go of some of it late. */
    boolean waits() {
        return script.waits();
    }

    /** Whether another thread decides when some of it goes. */
    boolean lingers() {
        return script.lingers();
    }

    /** Whether a router decides how many tokens each expert is given. */
    boolean isSharedOut() {
        return trace.traits().sharesOut();
    }

    /** Whether a GradScaler decides which optimizer steps are taken. */
    boolean isScaled() {
        return scaled;
    }

    /** What is likely, with segments placed as they were seen to be. */
    private ScriptReplay.Result free() {
        return all.getFirst();
    }

    /**
     * EndlessReplays a program.
     *
     * @param settings
     *            as in {@code PYTORCH_CUDA_ALLOC_CONF}, empty for the default ones
     * @throws IllegalArgumentException
     *             if the settings are not valid
     */
    public static Plan of(ProgramTrace trace, DeviceProperties device, String settings) {
        return of(trace, device, List.of(settings)).getFirst();
    }

    /** EndlessReplays a program under several settings. */
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
        return free().allocated();
    }

    /** Peak of requested bytes. */
    public long requested() {
        return free().requested();
    }

    /** Peak of reserved bytes, with segments placed as an H100's driver does; from the last reset on, too. */
    public long reserved() {
        return free().reserved();
    }

    /** Peak of allocated bytes over the whole run, whatever the program reset. */
    public long highestAllocated() {
        return free().highest().allocated();
    }

    /** Peak of reserved bytes over the whole run. */
    public long highestReserved() {
        return free().highest().reserved();
    }

    /** Whether the program reset its peaks after they had been higher than later. */
    public boolean isReset() {
        return highestAllocated() > allocated() || highestReserved() > reserved();
    }

    /** The least peak of reserved bytes, over the orders in which segments may lie and what libraries may choose. */
    public long leastReserved() {
        return least(ScriptReplay.Result::reserved);
    }

    /** The largest. */
    public long mostReserved() {
        return most(ScriptReplay.Result::reserved);
    }

    /** The least peak of allocated bytes, over the same. */
    public long leastAllocated() {
        return least(ScriptReplay.Result::allocated);
    }

    /** The largest. */
    public long mostAllocated() {
        return most(ScriptReplay.Result::allocated);
    }

    private long least(ToLongFunction<ScriptReplay.Result> peak) {
        return all.stream().mapToLong(peak).min().orElseThrow() / (eager ? EAGER : 1);
    }

    private long most(ToLongFunction<ScriptReplay.Result> peak) {
        long most = all.stream().mapToLong(peak).max().orElseThrow();
        return eager ? most * EAGER + TRIED : most;
    }

    /** How many allocations the program makes. */
    public long allocations() {
        return free().allocations();
    }

    /** Whether the device, less what lies outside of the allocator, has room. */
    public FitVerdict verdict() {
        return verdict;
    }

    /** Whether it has, whatever the order of segments and the libraries' choice. */
    public boolean fits() {
        return verdict == FitVerdict.FITS || verdict == FitVerdict.TIGHT;
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
        return bounded.failure();
    }

    /** Where memory runs out: operation, line and module; else empty. */
    public String failedAt() {
        return bounded.failedAt() < 0 ? "" : where(bounded.failedAt());
    }

    /** Where most is allocated in the whole run: operation, line and module. */
    public String peakAt() {
        return where(free().highest().at());
    }

    /** Where allocated bytes first go past a number: operation, line and module; empty where they never do. */
    public String passes(long bytes) {
        AllocatorSettings rounding = AllocatorSettings.DEFAULT.with(settings);
        Map<Long, Long> alive = new HashMap<>();
        long live = 0;
        for (int i = 0; i < script.length(); i++) {
            if (script.takes(i)) {
                long taken = script.bytes(i) == 0 ? 0 : rounding.roundedSize(script.bytes(i));
                alive.put(script.block(i), taken);
                live += taken;
            } else if (script.kind(i) == Script.GIVE) {
                live -= alive.remove(script.block(i));
            }
            if (live > bytes) {
                return where(i);
            }
        }
        return highestAllocated() > bytes ? peakAt() : "";
    }

    /** What each line of the program holds at the peak, in bytes as allocated: the line that made it. */
    public Map<String, Long> heldByLine() {
        Map<String, Long> lines = new HashMap<>();
        AllocatorSettings rounding = AllocatorSettings.DEFAULT.with(settings);
        heldAtPeak().forEach((block, step) -> {
            if (script.bytes(step) > 0) {
                lines.merge(line(step), rounding.roundedSize(script.bytes(step)), Long::sum);
            }
        });
        return lines;
    }

    /** The lines that hold more at this plan's peak than at another's, the largest growth first. */
    public Map<String, Long> grownSince(Plan before) {
        Map<String, Long> old = before.heldByLine();
        Map<String, Long> grown = new java.util.LinkedHashMap<>();
        heldByLine().entrySet().stream()
                .map(e -> Map.entry(e.getKey(), e.getValue() - old.getOrDefault(e.getKey(), 0L)))
                .filter(e -> e.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .forEach(e -> grown.put(e.getKey(), e.getValue()));
        return grown;
    }

    private String line(int step) {
        return trace.events().get(script.event(step)) instanceof Operation o
                ? o.name().replaceFirst("\\.[^.]*$", "") + " at " + trace.place(o.stack())
                : "from before the recording";
    }

    private String where(int step) {
        if (script.length() == 0) {
            return "nothing is allocated";
        }
        PlanEvent event = trace.events().get(script.event(step));
        if (!(event instanceof Operation o)) {
            return "a tensor that came from before the recording or from outside of it";
        }
        String module = trace.module(o.module());
        return o.name().replace(".default", "") + " at " + trace.place(o.stack())
                + (module.isEmpty() ? "" : " in " + module) + " (" + phase(o) + ")";
    }

    private static String phase(Operation o) {
        return o.phase().name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Who holds the peak of the whole run, the largest share first. */
    public List<Share> holders() {
        Map<String, Share> shares = new HashMap<>();
        heldAtPeak().forEach((block, step) -> {
            long bytes = AllocatorSettings.DEFAULT.with(settings).roundedSize(script.bytes(step));
            shares.merge(holder(block, step), new Share(holder(block, step), script.bytes(step) == 0 ? 0 : bytes, 1),
                    (a, b) -> new Share(a.holder(), a.bytes() + b.bytes(), a.count() + b.count()));
        });
        List<Share> sorted = new ArrayList<>(shares.values());
        sorted.sort(Comparator.comparingLong(Share::bytes).reversed().thenComparing(Share::holder));
        return sorted;
    }

    private Map<Long, Integer> heldAtPeak() {
        Map<Long, Integer> taken = new HashMap<>();
        for (int i = 0; i <= Math.min(free().highest().at(), script.length() - 1); i++) {
            if (script.takes(i)) {
                taken.put(script.block(i), i);
            } else if (script.kind(i) == Script.GIVE) {
                taken.remove(script.block(i));
            }
        }
        return taken;
    }

    private String holder(long block, int step) {
        if (block < 0) {
            String label = script.label(block);
            return label != null ? label : "inside of operations";
        }
        ProgramTrace.Holder known = trace.holder(block);
        if (known != null) {
            return switch (known.kind()) {
                case "parameter" -> "parameters";
                case "gradient" -> "gradients";
                case "buffer" -> "buffers";
                default -> "optimizer's state";
            };
        }
        if (!(trace.events().get(script.event(step)) instanceof Operation o)) {
            return "from before the recording";
        }
        return switch (o.phase()) {
            case OPTIMIZER -> "temporaries of the optimizer";
            case BACKWARD -> "temporaries of backward";
            case FORWARD ->
                o.module() == 0 ? "tensors made outside of modules" : "activations of " + coarse(o.module());
        };
    }

    /** A module's path without the parts below the first number: layers are told apart, not what is in them. */
    private String coarse(int module) {
        String path = trace.module(module);
        java.util.regex.Matcher number = java.util.regex.Pattern.compile("\\.\\d+").matcher(path);
        return number.find() ? path.substring(0, number.end()) : path;
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
        Set<Long> dropped = new HashSet<>();
        for (int i = 0; i < script.length(); i++) {
            ProgramTrace.Holder holder = trace.holder(script.block(i));
            boolean kept = holder != null && !holder.kind().equals("optimizer");
            boolean optimizers = trace.events().get(script.event(i)) instanceof Operation o
                    && o.phase() == Phase.OPTIMIZER;
            if (script.takes(i) && !kept && (optimizers || holder != null)) {
                dropped.add(script.block(i));
            }
        }
        return dropped.isEmpty() ? free() : replay(script.without(dropped));
    }

    /** Operations that were counted with their results alone, and how often each was met. */
    public Map<String, Integer> withoutAnEntry() {
        return script.unknown();
    }

    /** The same for people: each with its count and the line that met it first. */
    public List<String> unknownPlaces() {
        List<String> places = new ArrayList<>();
        script.unknown().forEach((name, count) -> {
            Operation met = (Operation) trace.events().get(script.unknownAt(name));
            places.add(name + " (" + count + ", at " + trace.place(met.stack()) + ")");
        });
        return places;
    }

    /** Operations whose workspace a library chooses, and how often each was met. */
    public Map<String, Integer> estimated() {
        return script.estimated();
    }

    /** The sizes that are asked for, in order, less those of 0: PyTorch's history has the same. */
    List<Long> sizes() {
        List<Long> sizes = new ArrayList<>();
        for (int i = 0; i < script.length(); i++) {
            if (script.takes(i) && script.bytes(i) > 0) {
                sizes.add(script.bytes(i));
            }
        }
        return sizes;
    }

    /** The operation behind each of {@link #sizes}. */
    List<String> sizeOrigins() {
        List<String> origins = new ArrayList<>();
        for (int i = 0; i < script.length(); i++) {
            if (script.takes(i) && script.bytes(i) > 0) {
                origins.add(where(i) + (script.block(i) < 0 ? " inside" : ""));
            }
        }
        return origins;
    }
}

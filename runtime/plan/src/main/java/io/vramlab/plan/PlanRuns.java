package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import io.vramlab.memory.AllocatorSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Which runs of a program a plan is made of: what is likely over many orders of segments, and what else libraries and GPUs may do. */
final class PlanRuns {

    private static final long FAR = 2;
    /**
     * What bounds of libraries' choices leave open: other choices between them, and orders of segments. Of 27 recordings on three GPUs
     * each, the most over all went past the most of the bounds by 18.5 % at worst.
     */
    private static final double MARGIN = 1.25;

    private final ProgramTrace trace;
    private final DeviceProperties device;
    private final String settings;
    private final long room;
    private final Scripts scripts;
    private final EndlessReplays replays;
    private final Script script;
    private final List<Run> all;

    /**
     * Chooses them.
     *
     * @param brief
     *            whether the verdict is all that matters: where twice the need has room, or half of it has not, one run is enough
     */
    PlanRuns(ProgramTrace trace, DeviceProperties device, String settings, Scripts scripts, EndlessReplays replays,
            boolean brief) {
        this.trace = trace;
        this.device = device;
        this.settings = settings;
        room = room(trace, device, settings);
        this.scripts = scripts;
        this.replays = replays;
        Script sight = scripts.atFirstSight(Choice.LIKELY);
        Run seen = new Run(sight, Placement.SEEN, false);
        boolean far = brief && isFar(result(seen).highest().reserved());
        List<Run> enough = new ArrayList<>(List.of(seen));
        if (brief && !far) {
            enough.addAll(bounds(sight));
        }
        if (far || enough.size() > 1 && isSettledBy(enough)) {
            script = sight;
            all = enough;
            return;
        }
        script = scripts.of(Choice.LIKELY);
        boolean anyOrder = AllocatorSettings.DEFAULT.with(settings).expandableSegments();
        List<Placement> few = anyOrder ? List.of(Placement.SEEN) : Placement.few();
        all = new ArrayList<>(List.of(new Run(script, Placement.SEEN, false)));
        all.addAll(otherwise(few, anyOrder || brief ? few : Placement.many()));
    }

    /** What is likely to be taken. */
    Script script() {
        return script;
    }

    /** All of them, what is likely first. */
    List<Run> all() {
        return all;
    }

    /** What comes out of each on a device with as much memory as it likes. */
    List<ScriptReplay.Result> results() {
        return all.parallelStream().map(this::result).toList();
    }

    private ScriptReplay.Result result(Run run) {
        return run.endless(replays, settings, device.name());
    }

    /** Bytes that a GPU has beside its context, or that the settings or the program let the process reserve of it. */
    static long room(ProgramTrace trace, DeviceProperties device, String settings) {
        return DeviceRoom.on(device).within(Math.min(trace.traits().fraction(),
                AllocatorSettings.DEFAULT.with(settings).perProcessMemoryFraction()));
    }

    /**
     * Whether twice of all that it may reserve has room on a GPU, or half of what it allocates at least has not; trials of cuDNN's
     * plans take less where there is less.
     */
    static boolean areFarFrom(ProgramTrace trace, DeviceProperties gpu, String settings, PeakRange peaks) {
        long room = room(trace, gpu, settings);
        return peaks.most(result -> result.highest().reserved()) * FAR < room
                || !trace.traits().triesPlans() && peaks.least(result -> result.highest().allocated()) > room * FAR;
    }

    private boolean isFar(long reserved) {
        return reserved * FAR < room || reserved > room * FAR;
    }

    /** The least and the most that libraries may choose, steps that a GradScaler may skip, and what was compiled before; none where these say too little. */
    private List<Run> bounds(Script likely) {
        if (likely.shares() || trace.traits().marks().contains(PlanEvent.Mark.EAGER_FORM)) {
            return List.of();
        }
        List<Script> bounds = new ArrayList<>();
        if (isEstimated(likely)) {
            bounds.add(scripts.atFirstSight(Choice.LEAST));
            bounds.add(scripts.atFirstSight(Choice.MOST));
        }
        if (trace.traits().sharesOut()) {
            Stream.of(Shares.values()).skip(1).forEach(shares -> bounds.add(scripts.atFirstSight(shares)));
        }
        scripts.skipped().forEach(count -> bounds.add(scripts.atFirstSightWithout(count)));
        scripts.kept().forEach(kept -> bounds.add(scripts.atFirstSightKeeping(kept)));
        return bounds.stream().map(bound -> new Run(bound, Placement.SEEN, false)).toList();
    }

    /** Whether all have room with a margin, or not even the least that is ever allocated has; then these are the runs that count. */
    private boolean isSettledBy(List<Run> runs) {
        List<ScriptReplay.Result> results = runs.stream().map(this::result).toList();
        return results.stream().allMatch(result -> result.highest().reserved() * MARGIN < room)
                || results.stream().allMatch(result -> result.highest().allocated() > room * MARGIN);
    }

    private static boolean isEstimated(Script script) {
        return !script.estimated().isEmpty() || !script.unknown().isEmpty() || script.lingers()
                || script.waits();
    }

    /** All runs but the first: what is likely over many orders, what libraries may choose besides over few. */
    private List<Run> otherwise(List<Placement> few, List<Placement> many) {
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
        if (trace.traits().sharesOut()) {
            Stream.of(Shares.values()).skip(1).map(scripts::of)
                    .forEach(uneven -> few.forEach(order -> runs.add(new Run(uneven, order, false))));
        }
        scripts.kept().stream().map(scripts::keeping)
                .forEach(kept -> few.forEach(order -> runs.add(new Run(kept, order, false))));
        for (int skipped : scripts.skipped()) {
            few.forEach(order -> runs.add(new Run(scripts.without(skipped, Choice.LIKELY), order, false)));
            if (!script.estimated().isEmpty()) {
                runs.add(new Run(scripts.without(skipped, Choice.LEAST), Placement.SEEN, false));
                runs.add(new Run(scripts.without(skipped, Choice.MOST), Placement.SEEN, false));
            }
        }
        return runs;
    }
}

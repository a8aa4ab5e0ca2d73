package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.ConvolutionAnswers;
import io.vramlab.footprint.Processors;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plans of one program for many GPUs. What an operation takes depends on a GPU's multiprocessors, not on its memory, and mostly not on
 * how many there are: of each kind of them the script is written for the GPU with the fewest and for that with the most, and where these
 * need the same, but for a hundredth, it is that of all between. Scripts that take the same are replayed once. Where a GPU's room is near
 * what the program needs, its own script decides; where it is far from all that the program may need on another GPU, that is enough.
 */
final class BriefPlans {

    private static final double ALIKE = 0.01;

    private final ProgramTrace trace;
    private final EndlessReplays replays;
    private final Map<Processors, Scripts> written = new HashMap<>();

    private BriefPlans(ProgramTrace trace, EndlessReplays replays) {
        this.trace = trace;
        this.replays = replays;
    }

    /**
     * One for each GPU, in their order.
     *
     * @param own
     *            a plan under default settings, if there is one
     */
    static List<Plan> of(ProgramTrace trace, List<DeviceProperties> gpus, Optional<Plan> own) {
        BriefPlans plans = new BriefPlans(trace, own.map(Plan::replays).orElseGet(EndlessReplays::new));
        Set<DeviceProperties> far = gpus.stream().filter(gpu -> own.isPresent() && own.get().isFarFrom(gpu))
                .collect(Collectors.toSet());
        // cuDNN is told a GPU's memory and clocks, and trials take as much as there is
        boolean apart = ConvolutionAnswers.isOn() || trace.traits().triesPlans();
        if (!apart) {
            plans.write(gpus.stream().filter(gpu -> !far.contains(gpu)).toList());
        }
        return gpus.parallelStream().map(gpu -> plans.plan(gpu, far.contains(gpu)
                ? own.get().scripts()
                : apart ? new Scripts(trace, gpu) : plans.written.get(Processors.of(gpu)))).toList();
    }

    private Plan plan(DeviceProperties gpu, Scripts scripts) {
        return Plan.brief(trace, gpu, scripts, replays);
    }

    private void write(List<DeviceProperties> gpus) {
        Map<Processors, TreeSet<Processors>> kinds = new HashMap<>();
        for (DeviceProperties gpu : gpus) {
            Processors its = Processors.of(gpu);
            written.computeIfAbsent(its, first -> new Scripts(trace, gpu));
            kinds.computeIfAbsent(its.kind(), first -> new TreeSet<>(Comparator.comparingInt(Processors::count)))
                    .add(its);
        }
        kinds.values().stream().flatMap(kind -> Stream.of(kind.first(), kind.last())).distinct().toList()
                .parallelStream().forEach(end -> written.get(end).of(Choice.LIKELY));
        for (TreeSet<Processors> kind : kinds.values()) {
            Scripts fewest = written.get(kind.first());
            Scripts most = written.get(kind.last());
            if (isAsGoodAs(fewest.of(Choice.LIKELY), most.of(Choice.LIKELY), gpus.getFirst())) {
                kind.forEach(between -> written.get(between).assume(fewest, most));
            }
        }
    }

    /** Whether both take the same, or what they need differs by less than a hundredth. */
    private boolean isAsGoodAs(Script fewest, Script most, DeviceProperties gpu) {
        if (fewest.equals(most)) {
            return true;
        }
        ScriptReplay.Result less = replays.of(fewest, "", Placement.SEEN, false, gpu.name());
        ScriptReplay.Result more = replays.of(most, "", Placement.SEEN, false, gpu.name());
        return isNear(less.highest().allocated(), more.highest().allocated())
                && isNear(less.highest().reserved(), more.highest().reserved());
    }

    private static boolean isNear(long one, long other) {
        return Math.abs(one - other) < Math.max(one, other) * ALIKE;
    }
}

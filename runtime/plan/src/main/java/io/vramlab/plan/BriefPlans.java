package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.ConvolutionAnswers;
import io.vramlab.footprint.Processors;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Plans of one program for many GPUs. What an operation takes depends on a GPU's multiprocessors, not on its memory, and mostly not on
 * how many there are: of each kind of them the script is written for the GPU with the fewest and for that with the most, and where these
 * take the same it is that of all between. Scripts that take the same are replayed once. Where a GPU's room is near what the program
 * needs, its own script decides.
 */
final class BriefPlans {

    private final ProgramTrace trace;
    private final EndlessReplays replays = new EndlessReplays();
    private final Map<Processors, Scripts> written = new HashMap<>();

    private BriefPlans(ProgramTrace trace) {
        this.trace = trace;
    }

    static List<Plan> of(ProgramTrace trace, List<DeviceProperties> gpus) {
        BriefPlans plans = new BriefPlans(trace);
        if (ConvolutionAnswers.isOn() || trace.traits().triesPlans()) {
            // cuDNN is told a GPU's memory and clocks, and trials take as much as there is
            return gpus.parallelStream().map(gpu -> plans.plan(gpu, new Scripts(trace, gpu))).toList();
        }
        plans.write(gpus);
        return gpus.parallelStream().map(gpu -> plans.plan(gpu, plans.written.get(Processors.of(gpu)))).toList();
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
            Script fewest = written.get(kind.first()).of(Choice.LIKELY);
            if (fewest.equals(written.get(kind.last()).of(Choice.LIKELY))) {
                kind.forEach(between -> written.get(between).assume(fewest));
            }
        }
    }
}

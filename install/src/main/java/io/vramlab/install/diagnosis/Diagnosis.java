package io.vramlab.install.diagnosis;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.source.UserProgram;
import io.vramlab.install.story.Beside;
import io.vramlab.install.story.Story;
import io.vramlab.memory.Sizes;

/**
 * What the detectors found in one device's history.
 *
 * @param verdict what is most probable; {@link CauseKind#HEALTHY} when nothing failed and what was found is no fault
 * @param others what else was found or is nearly as probable, the most probable first
 * @param figures what the sums alone say
 * @param evidence what was looked at
 */
public record Diagnosis(Finding verdict, List<Finding> others, Figures figures, Evidence evidence) {

    private static final List<Detector> DETECTORS = List.of(new RepeatedFailures(), new OthersCache(),
            new ScatteredCache(),
            new KeptEachStep(), new KeptNowAndThen(), new OutlivedGraphs(), new MadeAgain(), new RisingTroughs(),
            new ManyFromBefore(), new PiledUp(), new GrownByCopy(), new TwoSets(), new FirstOptimizerStep(),
            new StepNeedsMore(), new SizesAlone(), new WeightsAgain(), new AtTheLimit(),
            new FewLargeBlocks(), new CacheEmptied(), new WarmUp(), new WorkspaceBlocks(), new Limit());

    /** Looks at a history. */
    public static Diagnosis of(Story story) {
        return of(story, UserProgram.NONE);
    }

    /** Looks at a history and at the source of the program, as far as it is there. */
    public static Diagnosis of(Story story, UserProgram program) {
        Evidence evidence = Evidence.of(story, program);
        Supplier<Map<String, Double>> traits = Beside.work(story, () -> Traits.of(evidence));
        Stream<Detector> detectors = Beside.isShort(story) ? DETECTORS.parallelStream() : DETECTORS.stream();
        List<Finding> found = detectors.map(detector -> detector.look(evidence)).flatMap(Optional::stream)
                .sorted(Comparator.comparingDouble(Finding::weight).reversed()).toList();
        found = Weighed.of(Rivals.excluded(found, evidence), healthy(evidence), evidence, traits.get()).stream()
                .map(each -> each.with(ToldLines.of(evidence, each))).toList();
        return new Diagnosis(found.getFirst(), found.stream().skip(1).toList(), evidence.figures(), evidence);
    }

    /** The cause that is nearly as probable as the verdict's; nothing where there is none that something to look at tells apart. */
    public Optional<CauseKind> near() {
        return others.stream().map(Finding::kind).filter(kind -> verdict.surer().startsWith(Apart.question(kind)))
                .findFirst();
    }

    /** What tells the verdict from what is {@linkplain #near near}; else what would have to be seen to be surer of it. */
    public String surer() {
        return near().map(kind -> verdict.surer().substring(Apart.question(kind).length())).orElse(verdict.surer());
    }

    private static String flushed(int times) {
        return times == 0
                ? ""
                : " The cache was flushed to make room " + Sizes.exact(times)
                        + (times == 1 ? " time" : " times") + ", and every request was served then.";
    }

    private static Finding healthy(Evidence e) {
        boolean steady = e.steps().count() > 0;
        // a history in which nothing repeats, and that was cut, may tell of a program's end alone; sizes without stacks do not
        // tell a second set of weights from a layer
        boolean whole = e.story().live(-1) == 0;
        return new Finding(CauseKind.HEALTHY, (steady || whole) && e.hasStacks() ? Certainty.LIKELY : Certainty.UNSURE,
                "",
                "", 0,
                List.of(e.failed()
                        ? "A request for " + Sizes.both(e.asked()) + " failed at event " + Sizes.exact(e.at())
                                + ", and the program went on: " + Math.round(100 * e.wentOn())
                                + " of 100 requests that were served came after its last failure. A search for the largest"
                                + " batch looks so."
                        : steady
                                ? "No request failed, and of the last " + e.steps().count()
                                        + " steps none left memory behind."
                                : "No request failed, and nothing stands out." + flushed(e.story().flushes().size())),
                e.failed()
                        ? "the program's source (--source): whether it means to try what may fail"
                        : e.hasStacks()
                                ? "a longer history, with a failure in it if there is one"
                                : Evidence.stacksWanted(),
                Blamed.NONE);
    }
}

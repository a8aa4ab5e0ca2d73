package io.vramlab.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a plan asks of all events of a recording, found by going through them once: there may be hundreds of thousands, and plans for
 * many GPUs.
 *
 * @param marks
 *            what is marked anywhere
 * @param tried
 *            what cuDNN answered where its plans are tried
 * @param scaled
 *            optimizer steps that a GradScaler may skip
 * @param sharesOut
 *            whether a router decides lengths
 * @param late
 *            which events may come late, as autograd's thread decides
 * @param fraction
 *            the least part of the device that the program limits itself to, 1 where it does not
 */
record TraceTraits(Set<String> marks, List<CudnnAnswers> tried, ScaledSteps scaled, boolean sharesOut, BitSet late,
        double fraction) {

    static TraceTraits of(ProgramTrace trace) {
        Set<String> marks = new HashSet<>();
        List<CudnnAnswers> tried = new ArrayList<>();
        boolean sharesOut = false;
        double fraction = 1;
        for (PlanEvent event : trace.events()) {
            if (event instanceof Operation o) {
                if (o.cudnn().settings().tried() > 0) {
                    tried.add(o.cudnn());
                }
            } else if (event instanceof PlanEvent.Mark mark) {
                marks.add(mark.what());
            } else if (event instanceof PlanEvent.Limited limited) {
                fraction = Math.min(fraction, limited.fraction());
            } else if (event instanceof PlanEvent.SharedOut) {
                sharesOut = true;
            }
        }
        return new TraceTraits(marks, tried, ScaledSteps.of(trace), sharesOut,
                LateReleases.of(trace.events()), fraction);
    }

    /** Whether cuDNN's plans are tried, in as much memory as there is. */
    boolean triesPlans() {
        return !tried.isEmpty();
    }

    /** Whether cuDNN's plans are tried, and nobody was there to tell them when the program was recorded. */
    boolean isTriedWithoutPlans() {
        return !tried.isEmpty() && tried.stream().allMatch(answers -> answers.all().isEmpty());
    }
}

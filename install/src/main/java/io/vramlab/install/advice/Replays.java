package io.vramlab.install.advice;

import java.util.List;
import java.util.function.Supplier;

import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.install.diagnosis.Figures;
import io.vramlab.install.story.Beside;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Story;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.WhatIf;
import io.vramlab.memory.internal.whatif.WhatIfResult;

/** Runs a history once more, as it was and with something done otherwise, under the limit that it proves. */
final class Replays {

    private final Story story;
    private final Lives lives;
    private final String conf;
    private final ReplayProgress progress;
    private final long limit;
    private final Supplier<WhatIfResult> recorded;

    Replays(Diagnosis diagnosis, String conf, ReplayProgress progress) {
        this.conf = conf;
        this.progress = progress;
        story = diagnosis.evidence().story();
        lives = diagnosis.evidence().lives();
        limit = story.failures().isEmpty() ? 0 : Figures.room(story, diagnosis.evidence().at());
        recorded = Beside.work(story, () -> run(altered().snapshot(), 0));
    }

    /** The most that could be reserved, in bytes; 0 where nothing failed. */
    long limit() {
        return limit;
    }

    /** What the history comes to as it was, without a limit. */
    WhatIfResult recorded() {
        return recorded.get();
    }

    /** The history, to be changed. */
    Altered altered() {
        return new Altered(story, lives);
    }

    /**
     * Advice and what came of it.
     *
     * @param what what to do
     * @param how what was done to the history in its stead
     */
    Advice proven(String what, String how, Altered history) {
        MemorySnapshot snapshot = history.snapshot();
        WhatIfResult within = run(snapshot, limit);
        boolean enough = within.oom() == null;
        WhatIfResult result = enough ? within : run(snapshot, 0);
        return new Advice(what, how, result.allocatedPeak(), result.reservedPeak(), enough,
                recorded().allocatedPeak() - result.allocatedPeak());
    }

    private WhatIfResult run(MemorySnapshot snapshot, long most) {
        return new WhatIf(snapshot, most, 0).run(List.of(conf), progress).results().getFirst();
    }
}

package io.vramlab.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * Which of a script's steps hang on what a library chooses: a script for another choice has these otherwise and all others as they are,
 * so that only one needs to be written by the operations' rules.
 */
final class ChosenSteps {

    /** Three sizes that a library chooses among. */
    record Sizes(long least, long likely, long most) {
    }

    /** Before the step {@code at}, or that step itself; the kind of what is taken and given back there, where something is. */
    private record Chosen(int at, boolean passes, byte kind, long block, byte stream, int event, Sizes sizes) {
    }

    private final List<Chosen> all = new ArrayList<>();
    private boolean settled;

    /** The next step, and one that gives it back: there are none where its size is 0. */
    void passing(int at, byte kind, long block, byte stream, int event, Sizes sizes) {
        all.add(new Chosen(at, true, kind, block, stream, event, sizes));
    }

    /** The next step has one of these sizes, be it 0. */
    void taken(int at, Sizes sizes) {
        all.add(new Chosen(at, false, Script.TAKE, 0, (byte) 0, 0, sizes));
    }

    /** A choice changes more than these. */
    void settle() {
        settled = true;
    }

    boolean isSettled() {
        return settled;
    }

    /** Those of another choice. */
    ScriptSteps with(Choice choice, ScriptSteps steps) {
        ScriptSteps other = new ScriptSteps();
        int done = 0;
        for (Chosen one : all) {
            other.add(steps, done, one.at);
            done = one.at;
            long bytes = choice.of(one.sizes.least, one.sizes.likely, one.sizes.most);
            if (!one.passes) {
                other.add(steps.kind(done), steps.block(done), bytes, steps.stream(done), steps.event(done));
                done++;
                continue;
            }
            if (done < steps.length() && steps.block(done) == one.block) {
                done += 2;
            }
            if (bytes > 0) {
                other.add(one.kind, one.block, bytes, one.stream, one.event);
                other.add(Script.GIVE, one.block, 0, one.stream, one.event);
            }
        }
        other.add(steps, done, steps.length());
        return other;
    }
}

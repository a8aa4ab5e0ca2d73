package io.vramlab.footprint;

import java.util.ArrayList;
import java.util.List;

/**
 * What an operation takes from the allocator besides its results, and what of it goes before the operation ends, in order.
 * What is left at the end goes then, the last taken first, as C++ destroys the buffers of a scope.
 *
 * @param steps
 *            in order
 */
public record Footprint(List<Step> steps) {

    /** Nothing is taken. */
    public static final Footprint NOTHING = new Footprint(List.of());

    /** One request to the allocator. */
    public sealed interface Step {
    }

    /**
     * Memory is asked for.
     *
     * @param bytes
     *            as asked for; the allocator rounds them
     */
    public record Taken(long bytes) implements Step {
    }

    /**
     * Memory is given back before the end.
     *
     * @param taking
     *            which: the how manieth taking of this footprint, from 0
     */
    public record GivenBack(int taking) implements Step {
    }

    /** Makes a copy of the steps. */
    public Footprint {
        steps = List.copyOf(steps);
    }

    /** The most bytes held at once, as asked for. */
    public long peak() {
        List<Long> taken = new ArrayList<>();
        long held = 0;
        long most = 0;
        for (Step step : steps) {
            switch (step) {
                case Taken(long bytes) -> {
                    taken.add(bytes);
                    held += bytes;
                    most = Math.max(most, held);
                }
                case GivenBack(int taking) -> held -= taken.get(taking);
            }
        }
        return most;
    }

    /** Writes a footprint down in the order of PyTorch's code. */
    static final class Steps {

        private final List<Step> steps = new ArrayList<>();
        private int takings;

        /** Takes memory until the end. */
        int take(long bytes) {
            steps.add(new Taken(bytes));
            return takings++;
        }

        /** Gives memory back before the end. */
        Steps giveBack(int taking) {
            steps.add(new GivenBack(taking));
            return this;
        }

        /** Takes memory and gives it back at once. */
        Steps pass(long bytes) {
            return giveBack(take(bytes));
        }

        Footprint done() {
            return new Footprint(steps);
        }
    }
}

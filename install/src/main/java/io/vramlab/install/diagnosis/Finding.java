package io.vramlab.install.diagnosis;

import java.util.List;

/**
 * One cause, and what speaks for it.
 *
 * @param kind of which sort
 * @param certainty how sure
 * @param line the user's line, as {@code file:line}, the foremost of {@code lines}; empty where neither history nor source tells
 * @param within the line within the model or function that was called from there; empty when it is the same
 * @param share of the memory at the decisive moment that this explains, 0 to 1
 * @param because what the history shows, each a sentence
 * @param surer what would have to be seen to be surer; empty when certain
 * @param blamed the blocks that it is about
 * @param lines what is to be looked at, the foremost first; empty until all have spoken
 */
public record Finding(CauseKind kind, Certainty certainty, String line, String within, double share,
        List<String> because,
        String surer, Blamed blamed, List<ToldLine> lines) {

    /**
     * Blocks that could have gone earlier.
     *
     * @param blocks their numbers among {@link io.vramlab.install.story.Lives}
     * @param until for each the event after which nothing is known to have needed it
     */
    public record Blamed(int[] blocks, int[] until) {

        /** None. */
        public static final Blamed NONE = new Blamed(new int[0], new int[0]);

        /** Blocks of which it is not known when they could have gone. */
        public static Blamed of(int... blocks) {
            return new Blamed(blocks, new int[0]);
        }

        /** Whether it is known when each could have gone. */
        public boolean canGo() {
            return until.length > 0 && until.length == blocks.length;
        }
    }

    /** A finding whose lines are not told yet. */
    public Finding(CauseKind kind, Certainty certainty, String line, String within, double share, List<String> because,
            String surer, Blamed blamed) {
        this(kind, certainty, line, within, share, because, surer, blamed, List.of());
    }

    /** The same with its lines. */
    Finding with(List<ToldLine> told) {
        return new Finding(kind, certainty, told.isEmpty() ? line : told.getFirst().line(), within, share, because,
                surer, blamed, told);
    }

    double weight() {
        return share * certainty.factor();
    }
}

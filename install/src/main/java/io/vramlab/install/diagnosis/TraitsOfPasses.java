package io.vramlab.install.diagnosis;

import java.util.stream.IntStream;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Story;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.TraceAction;

/** How forward passes, backward passes and optimizer's steps followed one another, and in which of them blocks went. */
final class TraitsOfPasses {

    private static final int QUICK = 24;
    /** So many events on, what comes next tells in which phase a block went. */
    private static final int NEXT = 40;
    private static final double LONG_AGO = 0.7;
    private static final double YOUNG = 0.9;
    private static final double OLD = 0.4;

    private final Evidence e;
    private final Lives lives;
    private int forwards;
    private int since;
    private int mostBefore;
    private int backs;
    private int steps;
    private int lastBack = -1;
    private long dead;
    private long quick;
    private long inBackward;
    private long inForward;

    private TraitsOfPasses(Evidence e) {
        this.e = e;
        lives = e.lives();
    }

    static void add(Traits to, Evidence e) {
        TraitsOfPasses passes = new TraitsOfPasses(e);
        if (e.hasStacks()) {
            passes.walk();
        }
        passes.put(to);
        passes.ofAge(to);
    }

    private void walk() {
        StoryPhase was = null;
        for (int block = 0; block < lives.count() && lives.born(block) <= e.at(); block++) {
            if (lives.born(block) >= 0) {
                StoryPhase phase = e.phase(block);
                if (phase != was) {
                    begin(phase, lives.born(block));
                }
                was = phase;
                if (Evidence.OF_A_STEP.contains(phase) && lives.died(block) <= e.at()) {
                    end(block);
                }
            }
        }
    }

    private void begin(StoryPhase phase, int event) {
        switch (phase) {
            case FORWARD -> {
                forwards++;
                since++;
            }
            case BACKWARD -> {
                backs++;
                mostBefore = Math.max(mostBefore, since);
                since = 0;
                lastBack = event;
            }
            case OPTIMIZER -> steps++;
            default -> {
                // no part of a step
            }
        }
    }

    private void end(int block) {
        dead += lives.bytes(block);
        quick += lives.died(block) - lives.born(block) < QUICK ? lives.bytes(block) : 0;
        StoryPhase next = phaseAt(lives.died(block));
        inBackward += next == StoryPhase.BACKWARD ? lives.bytes(block) : 0;
        inForward += next == StoryPhase.FORWARD ? lives.bytes(block) : 0;
    }

    private StoryPhase phaseAt(int event) {
        for (int i = event; i <= e.at() && i < event + NEXT; i++) {
            if (e.story().events().get(i).action() == TraceAction.ALLOC) {
                return e.placeOf(i).phase();
            }
        }
        return StoryPhase.UNKNOWN;
    }

    private void put(Traits to) {
        to.count("forwards", forwards);
        to.count("backs", backs);
        to.count("optimizers", steps);
        to.put("has-back", backs > 0);
        to.put("has-optimizer", steps > 0);
        to.count("backs-a-step", steps == 0 ? 0 : (double) backs / steps);
        to.count("passes-since-back", since);
        to.count("passes-before-back", mostBefore);
        to.count("passes-more", mostBefore == 0 ? 0 : (double) since / mostBefore);
        to.put("died-in-back", Traits.part(inBackward, dead));
        to.put("died-in-forward", Traits.part(inForward, dead));
        to.put("died-quick", Traits.part(quick, dead));
        to.count("dead", Traits.part(dead, e.needed()));
        int[] model = e.alive(block -> Evidence.OF_A_STEP.contains(e.phase(block)));
        long late = lives.sum(IntStream.of(model).filter(block -> lives.born(block) > lastBack).toArray());
        to.put("model-since-back", e.share(late));
        to.put("model-before-back", e.share(lives.sum(model) - late));
        to.put("on-its-way", e.share(lives.sum(IntStream.of(model).filter(block -> block + 1 < lives.count()
                && Evidence.OF_A_STEP.contains(e.phase(block + 1))
                && e.place(block + 1).caller() == e.place(block).caller()).toArray())));
        long gradients = lives.sum(e.alive(block -> e.phase(block) == StoryPhase.BACKWARD));
        to.put("gradients", Traits.part(gradients, lives.sum(e.ledger().before())));
        boolean asked = e.hasStacks() && e.failed();
        to.put("site-before", asked && IntStream.range(0, lives.count())
                .anyMatch(block -> lives.born(block) < e.at() && lives.site(block) == e.failing().site()));
        to.put("caller-before", asked && IntStream.range(0, lives.count())
                .anyMatch(block -> lives.born(block) >= 0 && lives.born(block) < LONG_AGO * e.at()
                        && lives.died(block) < e.at() && e.place(block).caller() == e.failingPlace().caller()));
    }

    private void ofAge(Traits to) {
        Story story = e.story();
        int at = e.at();
        double age = 0;
        for (int block : e.alive()) {
            age += (double) lives.bytes(block) * (at - Math.max(0, lives.born(block))) / Math.max(1, at);
        }
        to.put("age", Traits.part(age, lives.sum(e.alive())));
        to.put("young", e.share(lives.sum(e.alive(block -> lives.born(block) > YOUNG * at))));
        to.put("middle", e.share(lives.sum(e.alive(block -> lives.born(block) > OLD * at
                && lives.born(block) <= YOUNG * at))));
        int last = story.events().size() - 1;
        long least = IntStream.rangeClosed(at, last).mapToLong(story::live).min().orElse(0);
        to.put("after-least", e.failed() ? Traits.part(least, story.live(at)) : 0);
        to.count("after-events", e.failed() ? last - at : 0);
    }
}

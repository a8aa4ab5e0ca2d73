package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.install.story.Story;
import io.vramlab.memory.Sizes;

/**
 * A history that was cut, too short for steps or left with the end of the program only: of what came before it there are many
 * blocks of few sizes, more than a model has equal layers. A guess at a leak that went on before.
 */
final class ManyFromBefore implements Detector {

    /** Models have so many equal weights at times. */
    private static final int MANY = 40;
    private static final double LEAST_SHARE = 0.4;
    private static final double LARGE_PART = 0.1;
    private static final int SEVERAL = 3;
    private static final int OFTEN = 8;
    /** Of a program that did not fail: what was there grew by so much at least, or it is a model and its optimizer's state. */
    private static final double LEAST_RISE = 0.02;

    @Override
    public Optional<Finding> look(Evidence e) {
        Story story = e.story();
        Lives lives = e.lives();
        if (story.live(-1) < LEAST_SHARE * e.needed() || !stillRises(story, e.at())) {
            return Optional.empty();
        }
        Map<Long, Integer> sizes = new HashMap<>();
        for (int block : e.alive(block -> lives.born(block) < 0)) {
            sizes.merge(lives.bytes(block), 1, Integer::sum);
        }
        sizes.values().removeIf(count -> count < MANY);
        int[] many = e.alive(block -> lives.born(block) < 0 && sizes.containsKey(lives.bytes(block)));
        long sum = lives.sum(many);
        if (e.share(sum) < LEAST_SHARE) {
            return Optional.empty();
        }
        long several = sizes.entrySet().stream().filter(size -> size.getKey() * size.getValue() >= LARGE_PART * sum)
                .count();
        int[] since = e.alive(block -> lives.born(block) >= 0 && sizes.containsKey(lives.bytes(block)));
        int[] outlived = Arrays.stream(many).filter(e::isOutlived).toArray();
        boolean seen = 2 * lives.sum(outlived) >= sum;
        boolean graph = seen
                ? ofOneTurn(e, outlived) >= SEVERAL
                : several >= SEVERAL || BlocksATurn.areSeveral(e, many);
        return Optional.of(new Finding(graph ? CauseKind.GRAPH_KEPT : CauseKind.TENSORS_KEPT,
                seen ? Certainty.LIKELY : Certainty.UNSURE,
                e.chiefLine(seen ? outlived : since, graph), "", e.share(sum),
                List.of(many.length + " blocks of " + sizes.size() + (sizes.size() == 1 ? " size" : " sizes") + ", "
                        + Sizes.both(sum)
                        + ", were there before the history begins: more than layers of a model are alike."
                        + (seen ? " A model made them, and backward passes and optimizer's steps went by since." : "")),
                "a longer history: torch.cuda.memory._record_memory_history(max_entries=1000000), dumped at the failure",
                Blamed.of(many)));
    }

    /** How many blocks a model left each time: all of them, for one of the line that left fewest and left some often. */
    private static long ofOneTurn(Evidence e, int[] blocks) {
        Map<Integer, Integer> ofSite = new HashMap<>();
        for (int block : e.alive(block -> e.phase(block) == StoryPhase.OTHER || e.isOutlived(block))) {
            ofSite.merge(e.lives().site(block), 1, Integer::sum);
        }
        return blocks.length / ofSite.values().stream().mapToInt(Integer::intValue).filter(count -> count >= OFTEN)
                .min().orElse(blocks.length);
    }

    /** The least in use within a stretch of the history, in thirds of it. */
    private static long least(Story story, int from, int to) {
        long events = story.events().size();
        long least = Long.MAX_VALUE;
        for (int i = (int) (events * from / 3); i < events * to / 3; i++) {
            least = Math.min(least, story.live(i));
        }
        return least;
    }

    /** Whether the least in use was more in the last third than in the first; true where the history has no such time. */
    private static boolean stillRises(Story story, int at) {
        if (at < 3) {
            return true;
        }
        if (story.failures().isEmpty()) {
            return least(story, 2, 3) - least(story, 0, 1) > LEAST_RISE * story.live(-1);
        }
        long first = Long.MAX_VALUE;
        long last = Long.MAX_VALUE;
        for (int i = 0; i <= at; i++) {
            if (i <= at / 3) {
                first = Math.min(first, story.live(i));
            } else if (i > at - at / 3) {
                last = Math.min(last, story.live(i));
            }
        }
        return last > first;
    }
}

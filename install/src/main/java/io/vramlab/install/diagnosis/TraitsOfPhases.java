package io.vramlab.install.diagnosis;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Place;
import io.vramlab.install.story.StoryPhase;

/** What the program was at when it made what is there, and when it failed; nothing without stacks. */
final class TraitsOfPhases {

    private static final int MANY = 6;
    /** Parts of the names of a library's functions. */
    private static final Map<String, List<String>> WORDS = words();

    private TraitsOfPhases() {
    }

    private static Map<String, List<String>> words() {
        Map<String, List<String>> words = new LinkedHashMap<>();
        words.put("attention", List.of("attention", "softmax", "attn"));
        words.put("loss", List.of("cross_entropy", "loss"));
        words.put("linear", List.of("linear"));
        words.put("conv", List.of("conv"));
        words.put("norm", List.of("norm"));
        return words;
    }

    static void add(Traits to, Evidence e) {
        Lives lives = e.lives();
        boolean stacks = e.hasStacks();
        to.put("stacks", stacks);
        Map<StoryPhase, Long> sums = new EnumMap<>(StoryPhase.class);
        for (int block : e.alive()) {
            sums.merge(e.phase(block), lives.bytes(block), Long::sum);
        }
        for (StoryPhase phase : StoryPhase.values()) {
            String name = phase.name().toLowerCase(Locale.ROOT);
            to.put("of-" + name, stacks ? e.share(sums.getOrDefault(phase, 0L)) : 0);
            to.put("in-" + name, stacks && e.failed() && e.failingPlace().phase() == phase);
        }
        to.put("known", e.share(lives.sum(e.alive(block -> e.place(block).isKnown()))));
        to.put("outlived", e.share(lives.sum(e.alive(e::isOutlived))));
        ofModel(to, e);
        WORDS.forEach((word, parts) -> {
            Map<Integer, Boolean> bySite = new HashMap<>();
            IntPredicate named = block -> bySite.computeIfAbsent(lives.site(block),
                    site -> isNamed(e.place(block), parts));
            to.put("in-lib-" + word, isNamed(e.failingPlace(), parts));
            to.put("of-lib-" + word, e.share(lives.sum(e.alive(named))));
        });
    }

    private static boolean isNamed(Place place, List<String> parts) {
        String name = place.library().toLowerCase(Locale.ROOT);
        return parts.stream().anyMatch(name::contains);
    }

    /** Blocks made by a model: how many are there of each line. */
    private static void ofModel(Traits to, Evidence e) {
        Lives lives = e.lives();
        Map<Integer, long[]> sites = new HashMap<>();
        int[] model = e.alive(block -> Evidence.OF_A_STEP.contains(e.phase(block)));
        for (int block : model) {
            long[] site = sites.computeIfAbsent(lives.site(block), each -> new long[2]);
            site[0]++;
            site[1] += lives.bytes(block);
        }
        long once = 0;
        long many = 0;
        for (long[] site : sites.values()) {
            once += site[0] == 1 ? site[1] : 0;
            many += site[0] >= MANY ? site[1] : 0;
        }
        to.put("model-once", e.share(once));
        to.put("model-few", e.share(lives.sum(model) - once - many));
        to.put("model-many", e.share(many));
        to.count("model-sites", sites.size());
    }
}

package io.vramlab.install.diagnosis;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Place;
import io.vramlab.memory.Frame;

/** Of all that a line ever made, how much is there; how few lines made most; what the functions around them are called. */
final class TraitsOfLines {

    private static final double NEARLY_ALL = 0.8;
    private static final double MUCH = 0.25;
    private static final int FEW = 4;
    /** What functions are called that evaluate, train, or make what a program works with. */
    private static final Map<String, Pattern> WORDS = words();

    private static final Pattern WARM = Pattern.compile("warm");

    private TraitsOfLines() {
    }

    private static Map<String, Pattern> words() {
        Map<String, Pattern> words = new LinkedHashMap<>();
        words.put("eval",
                Pattern.compile("eval|valid|test|predict|infer|score|metric|embed|encode|extract|generat|decod"
                        + "|sampl|search|perplex|collect"));
        words.put("train", Pattern.compile("train|fit|step|update|learn|epoch|optim"));
        words.put("load", Pattern.compile("load|restor|resum|build|make|init|setup|create"));
        return words;
    }

    static void add(Traits to, Evidence e) {
        ofKept(to, e);
        Lives lives = e.lives();
        Map<String, Long> bytes = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (int block : e.alive(each -> e.place(each).isKnown())) {
            bytes.merge(e.place(block).inner(), lives.bytes(block), Long::sum);
            counts.merge(e.place(block).inner(), 1, Integer::sum);
        }
        List<Map.Entry<String, Long>> most = bytes.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())).limit(2).toList();
        to.put("line-first", most.isEmpty() ? 0 : e.share(most.getFirst().getValue()));
        to.count("line-first-count", most.isEmpty() ? 0 : counts.get(most.getFirst().getKey()));
        to.put("line-second", most.size() < 2 ? 0 : e.share(most.getLast().getValue()));
        to.count("lines", bytes.size());
        WORDS.forEach((word, pattern) -> {
            Map<Integer, Boolean> bySite = new HashMap<>();
            IntPredicate named = block -> bySite.computeIfAbsent(lives.site(block),
                    site -> isNamed(e.place(block), pattern));
            to.put("word-of-" + word, e.share(lives.sum(e.alive(named))));
            to.put("word-in-" + word, isNamed(e.failingPlace(), pattern));
        });
        to.put("word-in-warm", isWarmUp(e));
        to.count("depth", e.failingPlace().user().size());
    }

    /** Whether the request that failed first came from within a function that is called a warm-up. */
    static boolean isWarmUp(Evidence e) {
        return !warmUp(e).isEmpty();
    }

    /** The line, within a function that is called a warm-up, that the request that failed first came from; empty where it came from none. */
    static String warmUp(Evidence e) {
        return e.failingPlace().user().stream().filter(frame -> isNamed(frame, WARM)).map(Place::line).findFirst()
                .orElse("");
    }

    private static boolean isNamed(Place place, Pattern word) {
        return place.user().stream().anyMatch(frame -> isNamed(frame, word));
    }

    private static boolean isNamed(Frame frame, Pattern word) {
        String method = frame.method().toLowerCase(Locale.ROOT);
        return !"__init__".equals(method) && word.matcher(method).find();
    }

    /** By line or, without stacks, by size: of all blocks it ever made, how many are there. */
    private static void ofKept(Traits to, Evidence e) {
        Lives lives = e.lives();
        Map<Long, long[]> made = new HashMap<>();
        for (int block = 0; block < lives.count() && lives.born(block) <= e.at(); block++) {
            long[] sums = made.computeIfAbsent(e.key(block), key -> new long[3]);
            sums[0]++;
            if (lives.aliveAt(block, e.at())) {
                sums[1]++;
                sums[2] += lives.bytes(block);
            }
        }
        Map<String, Long> kept = new LinkedHashMap<>();
        List.of("one", "few", "many", "partly", "seldom").forEach(each -> kept.put(each, 0L));
        made.values().forEach(sums -> kept.merge(howKept(sums[0], sums[1]), sums[2], Long::sum));
        kept.forEach((how, sum) -> to.put("kept-" + how, e.share(sum)));
    }

    private static String howKept(long made, long there) {
        if (made == 1) {
            return "one";
        }
        if (there >= NEARLY_ALL * made) {
            return there < FEW ? "few" : "many";
        }
        return there >= MUCH * made ? "partly" : "seldom";
    }
}

package io.vramlab.install.diagnosis;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Story;

/** When a request fails: where free memory lies that cannot be given back, and what holds it there; nothing where nothing failed. */
final class TraitsOfHoles {

    /** The segments that are made for requests below 10 MiB. */
    private static final long SMALL = 20L << 20;

    private TraitsOfHoles() {
    }

    static void add(Traits to, Evidence e) {
        Map<String, Double> sums = new LinkedHashMap<>();
        List.of("held", "one", "small", "first", "big").forEach(name -> sums.put(name, 0.0));
        List<HeldSegments.Held> held = e.failed() ? HeldSegments.of(e.story().at(e.at())) : List.of();
        Map<Long, Long> largest = held.isEmpty() ? Map.of() : largest(e, held);
        Map<Long, Double> lines = new HashMap<>();
        for (HeldSegments.Held each : held) {
            double free = each.free();
            long most = largest.getOrDefault(each.from(), each.largest());
            sums.merge("held", free * (each.bytes() - each.free()) / each.bytes(), Double::sum);
            sums.merge("one", each.holders().size() == 1 ? free : 0, Double::sum);
            sums.merge("small", each.bytes() <= SMALL ? free : 0, Double::sum);
            sums.merge("first", free * Traits.part(each.largest(), most), Double::sum);
            sums.merge("big", Math.min(free, each.largest()), Double::sum);
            lines.merge(key(e, each.youngest()), free, Double::sum);
        }
        double all = held.stream().mapToLong(HeldSegments.Held::free).sum();
        to.put("hole-part", Traits.part(all, e.story().reserved(e.at())));
        sums.forEach((name, sum) -> to.put("hole-" + name, Traits.part(sum, all)));
        to.put("hole-line", Traits.part(lines.values().stream().mapToDouble(free -> free).max().orElse(0), all));
        to.put("hole-age", HeldSegments.age(held, e.at()));
        to.put("hole-sizes", HeldSegments.sizes(held));
        to.count("hole-segments", held.size());
        to.count("hole-holders", HeldSegments.count(held));
    }

    /** By line or size, as {@link Evidence#key}. */
    private static long key(Evidence e, int event) {
        return event < 0
                ? 0
                : e.hasStacks() ? -1L - e.story().events().get(event).site() : e.story().events().get(event).size();
    }

    /** By segment the bytes of the largest block that was ever made where it lies: it was made for that, perhaps. */
    private static Map<Long, Long> largest(Evidence e, List<HeldSegments.Held> held) {
        Story story = e.story();
        Lives lives = e.lives();
        TreeMap<Long, Long> ends = new TreeMap<>();
        held.forEach(each -> ends.put(each.from(), each.from() + each.bytes()));
        Map<Long, Long> largest = new HashMap<>();
        for (int block = 0; block < lives.count() && lives.born(block) <= e.at(); block++) {
            if (lives.born(block) >= 0) {
                long address = story.events().get(lives.born(block)).address();
                Map.Entry<Long, Long> segment = ends.floorEntry(address);
                if (segment != null && address < segment.getValue()) {
                    largest.merge(segment.getKey(), lives.bytes(block), Math::max);
                }
            }
        }
        return largest;
    }
}

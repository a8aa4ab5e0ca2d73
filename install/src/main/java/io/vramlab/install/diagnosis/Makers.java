package io.vramlab.install.diagnosis;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.vramlab.install.story.Place;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Frame;

/** Who asked for some blocks, those that asked for most first. */
final class Makers {

    private static final int MOST = 4;
    private static final Pattern CONSTRUCTOR = Pattern.compile("__init__|<(listcomp|genexpr|dictcomp)>");

    private final Evidence e;

    Makers(Evidence e) {
        this.e = e;
    }

    /** Where most of some blocks was asked for, of equals the last first, and where the request failed. */
    List<Place> of(int[] blocks) {
        Stream<Place> made = most(blocks, place -> place).limit(MOST);
        return Stream.concat(made, Stream.of(e.failingPlace())).filter(Place::isKnown).distinct().toList();
    }

    /** The line that made most of the weights: the first outside of constructors, of which each makes a part. */
    String weights() {
        return most(e.alive(block -> e.phase(block) == StoryPhase.PLACING),
                place -> Place.line(outside(place.user()))).findFirst().orElse("");
    }

    /** Where weights were being copied when the request failed, or had been. */
    Optional<String> copied() {
        Stream<Place> there = IntStream.of(e.alive()).filter(block -> e.phase(block) == StoryPhase.COPYING)
                .mapToObj(e::place);
        return Stream.concat(Stream.of(e.failingPlace()), there)
                .filter(place -> place.isKnown() && place.phase() == StoryPhase.COPYING).map(Place::outer).findFirst();
    }

    /** The line outside of constructors from which a place's library was called. */
    static String caller(Place place) {
        return Place.line(outside(place.user().subList(place.entry(), place.user().size())));
    }

    private static Frame outside(List<Frame> user) {
        return user.stream().filter(frame -> !CONSTRUCTOR.matcher(frame.method()).matches()).findFirst()
                .orElse(user.getLast());
    }

    /** By call site first, since a stack is long to compare. */
    private <T> Stream<T> most(int[] blocks, Function<Place, T> what) {
        Map<Integer, Long> bySite = new LinkedHashMap<>();
        for (int i = blocks.length - 1; i >= 0; i--) {
            if (e.place(blocks[i]).isKnown()) {
                bySite.merge(e.lives().site(blocks[i]), e.lives().bytes(blocks[i]), Long::sum);
            }
        }
        Map<T, Long> bytes = new LinkedHashMap<>();
        bySite.forEach((site, sum) -> bytes.merge(what.apply(e.placeOfSite(site)), sum, Long::sum));
        return bytes.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(Map.Entry::getKey);
    }
}

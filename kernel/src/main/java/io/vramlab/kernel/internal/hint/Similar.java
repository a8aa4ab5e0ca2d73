package io.vramlab.kernel.internal.hint;

import io.vramlab.kernel.spi.option.Nearest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Names that could have been meant. */
final class Similar {

    private static final int MOST = 4;
    private static final int SHORTEST_WORD = 4;

    private Similar() {
    }

    /** The one that is the same but for capitals and underscores: {@code zero_grad} is {@code zeroGrad}. */
    static Optional<String> same(String name, Collection<String> known) {
        List<String> same = known.contains(name)
                ? List.of(name)
                : known.stream().filter(each -> plain(each).equals(plain(name))).toList();
        // of requiresGrad and requiresGrad_, which changes its tensor, the one that was meant
        return same.stream().filter(each -> each.endsWith("_") == name.endsWith("_")).findFirst()
                .or(() -> same.stream().findFirst());
    }

    /** The same, else the nearest, else those of the same last word: the {@code Norm} of {@code GroupNorm}. */
    static List<String> to(String name, Collection<String> known) {
        Optional<String> same = same(name, known);
        if (same.isPresent()) {
            return List.of(same.get());
        }
        Map<String, String> byPlain = new LinkedHashMap<>();
        known.forEach(each -> byPlain.putIfAbsent(plain(each), each));
        Optional<String> nearest = plain(name).length() < SHORTEST_WORD - 1
                ? Optional.empty()
                : Nearest.of(plain(name), byPlain.keySet());
        if (nearest.isPresent()) {
            return List.of(byPlain.get(nearest.get()));
        }
        String[] words = name.split("_|(?<=[a-z\\d])(?=[A-Z])");
        String last = words[words.length - 1].replaceFirst("\\d\\w*$", "");
        return last.length() < SHORTEST_WORD
                ? List.of()
                : known.stream().filter(each -> each.toLowerCase(Locale.ROOT).contains(last.toLowerCase(Locale.ROOT)))
                        .limit(MOST).toList();
    }

    private static String plain(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }
}

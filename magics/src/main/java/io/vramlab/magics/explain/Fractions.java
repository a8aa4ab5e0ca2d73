package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Looks for a limit that is not told: people choose fractions such as 0.5 or 0.95. */
final class Fractions {

    private Fractions() {
    }

    /** The one round fraction of the device at which what was reserved was allowed and what was asked for was not. */
    static Optional<String> matching(Optional<Amount> reserved, Amount asked, Amount capacity) {
        if (reserved.isEmpty()) {
            return Optional.empty();
        }
        Amount held = reserved.get();
        Amount wanted = held.plus(asked);
        List<String> found = new ArrayList<>();
        for (int twentieths = 1; twentieths < 20; twentieths++) {
            double limit = capacity.bytes() * (twentieths / 20.0);
            if (held.least() <= limit && limit < wanted.most()) {
                found.add(String.format(Locale.ROOT, "%.2f", twentieths / 20.0));
            }
        }
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }
}

package io.vramlab.plan;

import io.vramlab.memory.Sizes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shares of which all is the same but the number at the end of the module's path, as a model's equal layers: one row.
 *
 * @param members
 *            one or more, in the order of {@link Plan#holders}
 */
record AlikeShares(List<Share> members) {

    private static final Pattern NUMBERED = Pattern.compile("(.*\\.)(\\d{1,9})");

    /** The groups, the largest sum first. */
    static List<AlikeShares> of(List<Share> shares) {
        Map<List<Object>, List<Share>> groups = new LinkedHashMap<>();
        for (Share share : shares) {
            Matcher numbered = NUMBERED.matcher(share.holder());
            groups.computeIfAbsent(numbered.matches()
                    ? List.of(numbered.group(1), share.bytes(), share.count())
                    : List.of(share.holder()), each -> new ArrayList<>()).add(share);
        }
        return groups.values().stream().map(AlikeShares::new)
                .sorted(Comparator.comparingLong(AlikeShares::bytes).reversed()).toList();
    }

    long bytes() {
        return members.stream().mapToLong(Share::bytes).sum();
    }

    /** {@code activations of GPT.blocks.0..11, 12 × 64.00 MiB (67,108,864 bytes)}; one's own name for one alone. */
    String words() {
        Share first = members.getFirst();
        Matcher numbered = NUMBERED.matcher(first.holder());
        return members.size() == 1 || !numbered.matches()
                ? first.holder()
                : numbered.group(1) + numbers() + ", " + Sizes.exact(members.size()) + " × "
                        + Sizes.both(first.bytes());
    }

    /** Of blocks, in all. */
    int count() {
        return members.stream().mapToInt(Share::count).sum();
    }

    /** {@code 0..3, 7}. */
    private String numbers() {
        TreeSet<Integer> numbers = new TreeSet<>();
        for (Share share : members) {
            Matcher numbered = NUMBERED.matcher(share.holder());
            numbered.matches();
            numbers.add(Integer.parseInt(numbered.group(2)));
        }
        StringBuilder out = new StringBuilder();
        for (int number : numbers) {
            if (!numbers.contains(number - 1)) {
                out.append(out.isEmpty() ? "" : ", ").append(number);
            } else if (!numbers.contains(number + 1)) {
                out.append("..").append(number);
            }
        }
        return out.toString();
    }
}

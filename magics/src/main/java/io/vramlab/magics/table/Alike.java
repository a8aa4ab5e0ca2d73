package io.vramlab.magics.table;

import io.vramlab.magics.text.ReadableSizes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Things of which all that a table shows is the same but the last index in their names, such as {@code history[0]} to
 * {@code history[7]}: one row for them all.
 *
 * @param name
 *            {@code history[0..7]}; the name itself for one thing alone
 * @param members
 *            in the order in which they came
 */
public record Alike<T>(String name, List<T> members) {

    private static final Pattern LAST_INDEX = Pattern.compile("(.*\\[)(\\d{1,9})(\\][^\\[]*)", Pattern.DOTALL);

    /** How many. */
    public int count() {
        return members.size();
    }

    /** One of them: any says what all are. */
    public T first() {
        return members.getFirst();
    }

    /** A text that says it of all: {@code 8 × float32[2, 3]}; {@code 8 blocks} where there is nothing to say. */
    public String times(String of) {
        return count() == 1 ? of : ReadableSizes.exact(count()) + (of.isEmpty() ? " blocks" : " × " + of);
    }

    /** The groups with the largest sum first, those of equal sums as they stand. */
    public static <T> List<Alike<T>> bySum(List<Alike<T>> groups, ToLongFunction<T> bytes) {
        return groups.stream().sorted(Comparator.comparing(
                (Alike<T> group) -> group.members().stream().mapToLong(bytes).sum(), Comparator.reverseOrder()))
                .toList();
    }

    /**
     * Puts together what is alike; groups stand where their first member stood.
     *
     * @param name
     *            what a thing is called, may be empty
     * @param rest
     *            everything else that its row shows
     */
    public static <T> List<Alike<T>> of(List<T> things, Function<T, String> name, Function<T, Object> rest) {
        Map<List<Object>, List<T>> groups = new LinkedHashMap<>();
        for (T thing : things) {
            Matcher index = LAST_INDEX.matcher(name.apply(thing));
            groups.computeIfAbsent(index.matches()
                    ? List.of(index.group(1), index.group(3), rest.apply(thing))
                    : List.of(name.apply(thing), rest.apply(thing)), k -> new ArrayList<>()).add(thing);
        }
        return groups.values().stream().map(members -> new Alike<>(together(members, name), members)).toList();
    }

    private static <T> String together(List<T> members, Function<T, String> name) {
        Matcher first = LAST_INDEX.matcher(name.apply(members.getFirst()));
        if (members.size() == 1 || !first.matches()) {
            return name.apply(members.getFirst());
        }
        TreeSet<Integer> indices = new TreeSet<>();
        for (T member : members) {
            Matcher index = LAST_INDEX.matcher(name.apply(member));
            index.matches();
            indices.add(Integer.parseInt(index.group(2)));
        }
        return first.group(1) + ranges(indices) + first.group(3);
    }

    /** {@code 0..3, 7}. */
    private static String ranges(TreeSet<Integer> indices) {
        StringBuilder out = new StringBuilder();
        for (Integer index : indices) {
            boolean begins = indices.lower(index) == null || indices.lower(index) < index - 1;
            boolean ends = indices.higher(index) == null || indices.higher(index) > index + 1;
            if (begins) {
                out.append(out.isEmpty() ? "" : ", ").append(index);
            } else if (ends) {
                out.append("..").append(index);
            }
        }
        return out.toString();
    }
}

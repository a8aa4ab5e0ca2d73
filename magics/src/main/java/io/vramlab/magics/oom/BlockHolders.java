package io.vramlab.magics.oom;

import io.vramlab.kernel.spi.Session;
import io.vramlab.magics.hold.Root;
import io.vramlab.magics.live.LiveSet;
import io.vramlab.magics.live.LiveTensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Who would have to let go for which memory: for every block, all the roots that lead to it. */
final class BlockHolders {

    /**
     * Memory that is freed when all of these let go.
     *
     * @param roots
     *            names of roots; empty for what nothing reaches
     * @param kinds
     *            their kinds
     * @param addresses
     *            the blocks
     * @param bytes
     *            theirs, as asked for
     */
    record Group(Set<String> roots, Set<Root.Kind> kinds, Set<Long> addresses, long bytes) {

        boolean isForgotten() {
            return kinds.stream().allMatch(k -> k == Root.Kind.RESULT || k == Root.Kind.REPLACED);
        }

        /** True when a static field of a replaced class holds it, which no code can name any more. */
        boolean isOutOfReach() {
            return roots.stream().anyMatch(root -> isStatic(root) && root.contains(" of In ["));
        }
    }

    private BlockHolders() {
    }

    /** Whether a root's name is {@code Type.field}: variables' names have no dot. */
    static boolean isStatic(String root) {
        return root.contains(".");
    }

    /** The groups of tensors that were alive at a failure and still are, largest first. */
    static List<Group> of(Failure failure, LiveSet live, Session session) {
        Map<LiveSet.Place, Set<Root>> reachedBy = new HashMap<>();
        for (Root root : LiveSet.roots(session)) {
            LiveSet.walk().names(List.of(root)).forEach((place, path) -> reachedBy
                    .computeIfAbsent((LiveSet.Place) place, p -> new LinkedHashSet<>()).add(path.root()));
        }
        Map<Set<String>, List<LiveTensor>> bySignature = new LinkedHashMap<>();
        Map<String, Root.Kind> kinds = new HashMap<>();
        for (LiveTensor tensor : live.on(failure.device())) {
            Set<Root> roots = reachedBy.getOrDefault(new LiveSet.Place(tensor.device(), tensor.address()), Set.of());
            if (!failure.had(tensor) || roots.isEmpty() && tensor.handles() == 0) {
                continue;
            }
            Set<String> names = new TreeSet<>();
            roots.forEach(r -> {
                names.add(r.label());
                kinds.put(r.label(), r.kind());
            });
            bySignature.computeIfAbsent(names, n -> new ArrayList<>()).add(tensor);
        }
        List<Group> groups = new ArrayList<>();
        bySignature.keySet().forEach(names -> {
            Set<Long> addresses = new LinkedHashSet<>();
            long bytes = 0;
            for (Map.Entry<Set<String>, List<LiveTensor>> other : bySignature.entrySet()) {
                if (names.containsAll(other.getKey()) && (names.isEmpty() || !other.getKey().isEmpty())) {
                    other.getValue().forEach(t -> addresses.add(t.address()));
                    bytes += other.getValue().stream().mapToLong(LiveTensor::bytes).sum();
                }
            }
            Set<Root.Kind> own = new LinkedHashSet<>();
            names.forEach(n -> own.add(kinds.get(n)));
            groups.add(new Group(names, own, addresses, bytes));
        });
        groups.sort(Comparator.comparingLong(Group::bytes).reversed());
        return groups;
    }
}
